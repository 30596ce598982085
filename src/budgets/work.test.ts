// CPU time of threads, by account and network: it is counted also when a write is only tried.
import assert from 'node:assert/strict'
import { automationFile, workflowFile } from '../../test/library.ts'
import { refusal, type Visitor, visit } from '../../test/visitor.ts'
import { onEveryEngine, type World } from '../../test/world.ts'

const HOUR = 3600

const form = (file: File): FormData => {
  const given = new FormData()
  given.set('kind', 'automation')
  given.set('file', file)
  return given
}

/** Checks a file, or publishes it, without keeping anything. */
const dryRun = (who: Visitor, path: string, file = automationFile()) =>
  who.send(
    new Request(`http://localhost:3000/api/library/${path}`, {
      method: 'POST',
      headers: { Prefer: 'handling=dry-run' },
      body: form(file),
    }),
  )

async function used({ db }: World, key: string): Promise<number> {
  const row = await db.selectFrom('rateLimit').select('count').where('key', '=', key).executeTakeFirst()
  return row?.count ?? 0
}

const setUsed = ({ db }: World, key: string, count: number) =>
  db.updateTable('rateLimit').set({ count }).where('key', '=', key).execute()

onEveryEngine(
  'work in threads',
  (it) => {
    it('counts in the budget of checks when it is only tried, to the last one', async (world) => {
      const who = await visit(world, 'maker', { address: '192.0.2.1', verified: true })
      for (let n = 0; n < 3; n++) assert.equal((await dryRun(who, 'scan')).status, 200)
      assert.equal((await dryRun(who, 'scan')).status, 429)
      assert.equal((await refusal(who.library.scanFile({ kind: 'workflow', file: workflowFile() }))).status, 429)
    })

    it('leaves the uploads of an hour alone when it is only tried', async (world) => {
      const who = await visit(world, 'maker', { address: '192.0.2.1', verified: true })
      for (let n = 0; n < 31; n++) assert.equal((await dryRun(who, 'items')).status, 201, `try ${n}`)
      await who.library.publish({ kind: 'automation', file: automationFile() })
    })

    it('is counted by account and network in CPU time, and refused when that is used up', async (world) => {
      const who = await visit(world, 'maker', { address: '192.0.2.1', verified: true })
      const neighbour = await visit(world, 'neighbour', { address: '192.0.2.200', verified: true })
      const far = await visit(world, 'far', { address: '198.51.100.1', verified: true })
      const own = `work:account:${HOUR}:${who.account.id}`
      const shared = `work:network:verified:${HOUR}:192.0.2`
      await dryRun(who, 'items')
      const tried = await used(world, own)
      assert.ok(tried > 0 && tried < 10_000, String(tried))
      assert.equal(await used(world, shared), tried)
      await who.library.publish({ kind: 'automation', file: automationFile() })
      assert.ok((await used(world, own)) > tried)
      await setUsed(world, own, 20_000 - 1)
      await who.library.publish({ kind: 'automation', file: automationFile() })
      const error = await refusal(who.library.publish({ kind: 'automation', file: automationFile() }))
      assert.deepEqual([error.status, error.code], [429, 'rate_limited'])
      assert.match(error.headers.get('ratelimit')!, /"work-hour";r=0;t=\d+/)
      assert.equal((await dryRun(who, 'items')).status, 429)
      await neighbour.library.publish({ kind: 'automation', file: automationFile() })
      await setUsed(world, shared, 200_000)
      assert.equal(
        (await refusal(neighbour.library.publish({ kind: 'automation', file: automationFile() }))).status,
        429,
      )
      await far.library.publish({ kind: 'automation', file: automationFile() })
      await world.admin.library.publish({ kind: 'automation', file: automationFile() })
    })

    it('of accounts without a verified address is theirs alone', async (world) => {
      const stranger = await visit(world, 'stranger', { address: '192.0.2.1' })
      const who = await visit(world, 'maker', { address: '192.0.2.2', verified: true })
      await stranger.library.publish({ kind: 'automation', file: automationFile() })
      const shared = `work:network:unverified:${HOUR}:192.0.2`
      assert.ok((await used(world, shared)) > 0)
      await setUsed(world, shared, 100_000)
      assert.equal(
        (await refusal(stranger.library.publish({ kind: 'automation', file: automationFile() }))).status,
        429,
      )
      await who.library.publish({ kind: 'automation', file: automationFile() })
    })
  },
  { RATE_LIMITS: 'on', BUDGETS: 'checks: 3/hour, 3/hour; work: 20/hour, 10/hour' },
)
