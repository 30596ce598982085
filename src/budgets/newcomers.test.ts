// Accounts without a verified address share the room of their network, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { workflowFile } from '../../test/library.ts'
import { begin, untilStaged } from '../../test/open-uploads.ts'
import { callingFrom, refusal, type Visitor, visit } from '../../test/visitor.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { required } from '../runtime/untyped.ts'

const KILOBYTE = 1024
/** What a form may have around its files. */
const FRAME = 16 * KILOBYTE
const orgJson = JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] })
const text = (bytes: number) => new File(['x'.repeat(bytes)], 'notes.md')

/** An org of a verified account, to which the accounts of the test add runs. */
async function makeShelf(world: World) {
  const host = await visit(world, 'host', { address: '192.0.2.1', verified: true })
  const { id } = await host.orgs.create({ orgJson })
  return {
    id,
    add: async (who: Visitor, bytes: number) => (await who.orgRuns.add({ id, files: [text(bytes)] })).id,
    newcomer: (name: string, address: string) => visit(world, name, { address }),
  }
}

const settings = {
  RATE_LIMITS: 'on',
  // What is being uploaded is counted by each process.
  TEST_PROCESSES: '1',
  BUDGETS: 'runs: 1000/hour, 1000/hour; newcomers: 100KB, 10KB; signups: off, off, off; mails: off, off, off',
}

onEveryEngine(
  'unverified accounts of a network',
  (it) => {
    it('store so much together, to the byte, and others have their own room', async (world) => {
      const { add, newcomer } = await makeShelf(world)
      const a = await newcomer('a', '203.0.113.1')
      const b = await newcomer('b', '203.0.113.200')
      await add(a, 60 * KILOBYTE)
      const error = await refusal(add(b, 40 * KILOBYTE + 1))
      assert.deepEqual([error.status, error.headers.get('retry-after')], [429, '3600'])
      assert.equal(
        error.message,
        'Unverified accounts of this network store 60 KB of at most 100 KB together; verify your email for room of your own',
      )
      assert.match(error.headers.get('ratelimit-policy')!, /"bytes-network";q=102400;qu="content-bytes"/)
      await add(b, 40 * KILOBYTE)
      for (const one of [a, b]) assert.equal((await refusal(add(one, 1))).status, 429)
      await add(await newcomer('c', '203.0.114.1'), 1)
      await add(await visit(world, 'd', { address: '203.0.113.3', verified: true }), 200 * KILOBYTE)
    })

    it('of a /64 store a tenth of what those of its /48 do', async (world) => {
      const { add, newcomer } = await makeShelf(world)
      const [a, b] = [await newcomer('a', '2001:db8:1:1::1'), await newcomer('b', '2001:db8:1:1:ffff::2')]
      await add(a, 10 * KILOBYTE - 5)
      assert.match((await refusal(add(b, 6))).message, / store 9\.9 KB of at most 10 KB together/)
      await add(b, 5)
      assert.equal((await refusal(add(b, 1))).status, 429)
      for (let n = 2; n <= 10; n++) await add(await newcomer(`n${n}`, `2001:db8:1:${n}::1`), 10 * KILOBYTE)
      assert.match(
        (await refusal(add(await newcomer('c', '2001:db8:1:99::1'), 1))).message,
        /of at most 100 KB together/,
      )
      await add(await newcomer('d', '2001:db8:2:1::1'), 1)
    })

    it('are left by one that is verified, by one that is deleted, and by what is removed', async (world) => {
      const { id, add, newcomer } = await makeShelf(world)
      const [a, b, c] = [
        await newcomer('a', '203.0.113.1'),
        await newcomer('b', '203.0.113.2'),
        await newcomer('c', '203.0.113.3'),
      ]
      await add(a, 50 * KILOBYTE)
      const runId = await add(b, 50 * KILOBYTE)
      assert.equal((await refusal(add(c, 1))).status, 429)
      await b.orgRuns.delete({ id, runId })
      await add(c, 50 * KILOBYTE)
      assert.equal((await refusal(add(b, 1))).status, 429)
      await a.accounts.verifyEmail({ code: await world.code(a.account.email) })
      await add(b, 50 * KILOBYTE)
      assert.equal((await refusal(add(b, 1))).status, 429)
      await c.deletion.request({ content: 'delete' })
      world.clock.pass(14 * 86_400 + 60)
      await world.app.work()
      await b.accounts.signIn({ email: b.account.email, password: 'b has a password' })
      await add(b, 50 * KILOBYTE)
      const places = await world.db
        .selectFrom('storedBytes')
        .select('accountId')
        .where('networkHash', 'is not', null)
        .execute()
      assert.deepEqual(places, [{ accountId: b.account.id }])
    })

    it('take their bytes along to the network from which they store next', async (world) => {
      const { add, newcomer } = await makeShelf(world)
      const a = await newcomer('a', '203.0.113.1')
      await add(a, 60 * KILOBYTE)
      const b = await newcomer('b', '203.0.114.1')
      await add(b, 60 * KILOBYTE)
      const elsewhere = callingFrom(world, '203.0.114.7')
      await elsewhere.accounts.signIn({ email: a.account.email, password: 'a has a password' })
      const moved = { ...elsewhere, account: a.account }
      assert.match((await refusal(add(moved, 1))).message, /store 120 KB of at most 100 KB/)
      await b.accounts.verifyEmail({ code: await world.code(b.account.email) })
      await add(moved, 1)
      await add(await newcomer('c', '203.0.113.5'), 40 * KILOBYTE)
    })

    it('have no more room by publishing for each other', async (world) => {
      const { add, newcomer } = await makeShelf(world)
      const [a, b] = [await newcomer('a', '203.0.113.1'), await newcomer('b', '203.0.114.1')]
      const { id, size } = await a.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
      await b.profile.setUsername({ username: 'bee' })
      const invitation = await a.library.addMaintainer({ id, username: 'bee', role: 'maintainer' })
      await b.library.acceptInvitation({ id: invitation.id })
      await add(await newcomer('c', '203.0.113.9'), 100 * KILOBYTE - size)
      const refused = await refusal(b.library.publishVersion({ id, file: workflowFile() }))
      assert.match(refused.message, /^Unverified accounts of this network store 100 KB of at most 100 KB together$/)
    })

    it('have what is being uploaded counted, too', async (world) => {
      const { id, add, newcomer } = await makeShelf(world)
      const [a, b, c] = [
        await newcomer('a', '203.0.113.1'),
        await newcomer('b', '203.0.113.2'),
        await newcomer('c', '203.0.113.3'),
      ]
      await add(a, 20 * KILOBYTE)
      const open = begin(b, id, 60 * KILOBYTE + FRAME)
      await untilStaged(world, 1)
      const refused = await begin(c, id, 20 * KILOBYTE + FRAME + 1).answer
      assert.equal(refused.status, 429)
      assert.match(refused.headers.get('ratelimit-policy')!, /"bytes-network";q=102400/)
      const last = begin(c, id, 20 * KILOBYTE + FRAME)
      await untilStaged(world, 2)
      for (const one of [open, last]) one.finish()
      assert.deepEqual([(await open.answer).status, (await last.answer).status], [201, 201])
    })

    it('store no more when many come at once, ten times', async (world) => {
      const { add, newcomer } = await makeShelf(world)
      const many = await Promise.all(Array.from({ length: 6 }, (_, n) => newcomer(`n${n}`, `203.0.113.${n + 1}`)))
      // Other bytes of one size: those that are the same are stored one after the other.
      const publish = (one: Visitor) =>
        one.library.publish({ kind: 'workflow', file: workflowFile({ name: `Digest ${many.indexOf(one)}` }) })
      const first = required(many[0])
      const { id, size } = await publish(first)
      await first.library.delete({ id })
      await add(first, 100 * KILOBYTE - 5 * size)
      for (let round = 0; round < 10; round++) {
        const results = await Promise.allSettled(many.map(async (one) => ({ one, item: await publish(one) })))
        const stored = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
        assert.equal(stored.length, 5, `round ${round}`)
        for (const { one, item } of stored) await one.library.delete({ id: item.id })
      }
    })
  },
  settings,
)
