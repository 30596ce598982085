// What accounts may write and how often (behaviour.md, section 7), through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { callingFrom, refusal, type Visitor, verify, visit } from '../../test/visitor.ts'
import { onEveryEngine } from '../../test/world.ts'
import { bug, callTimes, countOn, lines, targets } from '../../test/write-lines.ts'
import type { ApiError } from '../surfaces/client.ts'

const HOUR = 3600
onEveryEngine(
  'budgets of writing',
  (it) => {
    for (const line of lines) {
      for (const standing of ['unverified', 'verified'] as const) {
        const most = line[standing]
        it(`allow ${most} ${line.what} an hour to ${standing === 'verified' ? 'a' : 'an'} ${standing} account, and no more`, async (world) => {
          const target = await targets(world)
          const who = await visit(world, 'writer', { address: '192.0.2.1', verified: standing === 'verified' })
          const made = Math.min(line.made ?? most, most)
          await callTimes(line, who, target, 1)
          await countOn(world, most - made)
          await callTimes(line, who, target, made - 1)
          const error = await refusal(line.call(who, target, most))
          assert.equal(error.status, 429)
          const wait = Number(error.headers.get('retry-after'))
          assert.ok(wait > HOUR - 300 && wait <= HOUR, String(wait))
          assert.match(error.headers.get('ratelimit')!, /;r=0;t=\d+/)
          assert.match(error.headers.get('ratelimit-policy')!, new RegExp(`;q=${most};w=3600`))
          assert.match((error.body as { error: string }).error, /^At most .* try again in \d+ (minutes|seconds)$/)
          world.clock.pass(wait)
          await line.call(who, target, most)
        })
      }
    }

    it('allow 200 topics and 1,000 comments a day', async (world) => {
      const target = await targets(world)
      const who = await visit(world, 'writer', { address: '192.0.2.1', verified: true })
      for (const [line, hourly, most] of [
        [lines[0]!, 30, 200],
        [lines[1]!, 120, 1000],
      ] as const) {
        await callTimes(line, who, target, hourly)
        await countOn(world, most - 2 * hourly)
        world.clock.pass(HOUR + 1)
        await callTimes(line, who, target, hourly)
        world.clock.pass(HOUR + 1)
        const error = await refusal(line.call(who, target, 0))
        assert.equal(error.status, 429)
        assert.ok(Number(error.headers.get('retry-after')) > 10 * HOUR)
        assert.match(error.message, /a day; try again in \d+ hours$/)
      }
    })

    it('let n of many at once through, on every surface', async (world) => {
      const who = await visit(world, 'writer', { address: '192.0.2.1' })
      const results = await Promise.allSettled(
        Array.from({ length: 50 }, (_, index) =>
          index % 2 ? who.bugs.create(bug) : who.posts.create({ title: 'Hello', body: 'there' }),
        ),
      )
      const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.status] : []))
      assert.deepEqual(refused, Array(45).fill(429))
      assert.equal((await who.feed.list()).items.length, 5)
    })

    it('are ten times as large for a network, apart for verified and unverified accounts', async (world) => {
      const line = lines[0]!
      const target = await targets(world)
      for (let index = 0; index < 10; index++) {
        const who = await visit(world, `neighbour-${index}`, { address: `192.0.2.${index + 1}` })
        await callTimes(line, who, target, 5)
      }
      const last = await visit(world, 'last', { address: '192.0.2.99' })
      const error = await refusal(line.call(last, target, 0))
      assert.equal(error.status, 429)
      assert.match(error.message, /^At most 50 bugs, feature requests and posts an hour from one network/)
      assert.match(error.headers.get('ratelimit-policy')!, /"topics-network-hour";q=50;w=3600/)
      const elsewhere = await visit(world, 'elsewhere', { address: '192.0.3.1' })
      await line.call(elsewhere, target, 0)
      await verify(world, last.account)
      await line.call(last, target, 0)
    })

    it('hold for the /48 of an IPv6 address', async (world) => {
      const line = lines[3]!
      const target = await targets(world)
      for (let index = 0; index < 10; index++) {
        const who = await visit(world, `neighbour-${index}`, { address: `2001:db8:1:${index}::1` })
        await callTimes(line, who, target, 3)
      }
      const last = await visit(world, 'last', { address: '2001:db8:1:ffff::1' })
      assert.equal((await refusal(line.call(last, target, 0))).status, 429)
      const elsewhere = await visit(world, 'elsewhere', { address: '2001:db8:2::1' })
      await line.call(elsewhere, target, 0)
    })

    it('grow at once when the email is verified', async (world) => {
      const who = await visit(world, 'writer', { address: '192.0.2.1' })
      for (let index = 0; index < 5; index++) await who.bugs.create(bug)
      const error = await refusal(who.bugs.create(bug))
      assert.match(error.message, /until your email is verified/)
      await verify(world, who.account)
      for (let index = 5; index < 30; index++) await who.bugs.create(bug)
      assert.equal((await refusal(who.bugs.create(bug))).status, 429)
    })

    it('do not hold for admins, and do for moderators', async (world) => {
      for (let index = 0; index < 8; index++) await world.admin.bugs.create(bug)
      for (let index = 0; index < 5; index++) await world.moderator.bugs.create(bug)
      assert.equal((await refusal(world.moderator.bugs.create(bug))).status, 429)
      const { headers } = await world.admin.request('/api/community/bugs', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(bug),
      })
      assert.equal(headers.get('ratelimit'), null)
    })

    it('are not used up by what is refused or undone', async (world) => {
      const who = await visit(world, 'writer', { address: '192.0.2.1' })
      for (let index = 0; index < 10; index++) {
        await assert.rejects(who.bugs.create({ ...bug, title: '' }), { status: 400 })
        await assert.rejects(who.bugs.comment({ id: 'nothing', body: 'Yes' }), { status: 404 })
        await assert.rejects(who.orgs.create({ orgJson: '{}' }), { status: 400 })
        await assert.rejects(who.avatars.set({ avatar: new Blob(['no picture']) }), { status: 400 })
      }
      const { budgets } = await who.usage.get()
      assert.deepEqual(
        budgets.filter(({ quota, remaining }) => quota !== remaining),
        [],
      )
    })

    it('are asked before a body is read, and after the caller is known', async (world) => {
      const target = await targets(world)
      const who = await visit(world, 'writer', { address: '192.0.2.1' })
      await callTimes(lines[4]!, who, target, 5)
      let read = 0
      const body = new ReadableStream({
        pull(controller) {
          read += 65_536
          controller.enqueue(new Uint8Array(65_536))
        },
      })
      const upload = (sender: Pick<Visitor, 'send'>) =>
        sender.send(
          new Request(`http://localhost:3000/api/community/orgs/${target.orgId}/runs`, {
            method: 'POST',
            headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
            body,
            duplex: 'half',
          } as RequestInit),
        )
      assert.equal((await upload(who)).status, 429)
      assert.ok(read <= 65_536, String(read))
      const { status } = (await callingFrom(world, '192.0.2.1')
        .bugs.create(bug)
        .catch((error: ApiError) => error)) as ApiError
      assert.equal(status, 401)
    })

    it('stand in headers of every answer, whichever way it went', async (world) => {
      const who = await visit(world, 'writer', { address: '192.0.2.1', verified: true })
      const post = (body: object) =>
        who.send(
          new Request('http://localhost:3000/api/community/bugs', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          }),
        )
      const policy = '"topics-hour";q=30;w=3600, "topics-day";q=200;w=86400'
      const made = await post(bug)
      assert.equal(made.headers.get('ratelimit-policy'), policy)
      assert.match(made.headers.get('ratelimit')!, /^"topics-hour";r=29;t=3600, "topics-day";r=199;t=86400$/)
      assert.match(made.headers.get('access-control-expose-headers')!, /RateLimit, RateLimit-Policy/)
      const refused = await post({ ...bug, title: '' })
      assert.equal(refused.status, 400)
      assert.equal(refused.headers.get('ratelimit-policy'), policy)
      assert.match(refused.headers.get('ratelimit')!, /^"topics-hour";r=29;t=\d+, "topics-day";r=199;t=\d+$/)
      const reading = await who.send(new Request('http://localhost:3000/api/community/bugs'))
      assert.equal(reading.headers.get('ratelimit'), null)
    })

    it('are forgotten once their windows are over', async (world) => {
      const who = await visit(world, 'writer', { address: '192.0.2.1', verified: true })
      await who.bugs.create(bug)
      const resetsAt = new Date(world.clock.now()).toISOString()
      const old = Array.from({ length: 60 }, (_, index) => ({ key: `old-${index}`, count: 1, resetsAt }))
      await world.db.insertInto('rateLimit').values(old).execute()
      const count = async () => (await world.db.selectFrom('rateLimit').select('key').execute()).length
      assert.ok((await count()) >= 4)
      world.clock.pass(86_401)
      await world.app.cleanUp()
      assert.equal(await count(), 0)
    })
  },
  { RATE_LIMITS: 'on' },
)

onEveryEngine('budgets that are lifted', (it) => {
  it('hold no account and have no headers', async (world) => {
    const who = await visit(world, 'writer', { address: '192.0.2.1' })
    for (let index = 0; index < 8; index++) await who.bugs.create(bug)
    const answer = await who.send(new Request('http://localhost:3000/api/community/posts', { method: 'POST' }))
    assert.deepEqual([answer.status, answer.headers.get('ratelimit')], [400, null])
    assert.deepEqual((await who.usage.get()).budgets, [])
  })
})

onEveryEngine(
  "an operator's own budgets",
  (it) => {
    it('take the place of those they name, and leave the others', async (world) => {
      const target = await targets(world)
      const young = await visit(world, 'writer', { address: '192.0.2.1', verified: true })
      await callTimes(lines[0]!, young, target, 2)
      const error = await refusal(young.bugs.create(bug))
      assert.match(error.message, /^At most 2 bugs, feature requests and posts an hour for a new account/)
      world.clock.pass(3 * HOUR)
      await callTimes(lines[0]!, young, target, 4)
      assert.equal((await refusal(young.bugs.create(bug))).headers.get('ratelimit-policy'), '"topics-minute";q=4;w=60')
      await callTimes(lines[2]!, young, target, 110)
      await callTimes(lines[4]!, young, target, 10)
    })
  },
  { RATE_LIMITS: 'on', BUDGETS: 'topics: 4/minute, 2/hour; votes: off, 100/hour; young: 2 hours' },
)
