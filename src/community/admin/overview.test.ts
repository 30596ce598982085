// The overview through the front door, on SQLite and on PostgreSQL; its weeks and medians by themselves.
import assert from 'node:assert/strict'
import { describe, it as unit } from 'node:test'
import { agentOf } from '../../../test/agents.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { weekFiguresJob } from './feature.ts'
import { medianOf, spansOf, WEEKS, weekOf, weeksUntil } from './overview-rules.ts'

const BUG = { title: 'Crash', description: 'It stops', severity: 'low' } as const
const run = { key: '', signal: new AbortController().signal, renew: async () => {} }

onEveryEngine('the overview', (it) => {
  it('is for admins alone', async ({ alice, moderator, blocked, anonymous, admin }) => {
    await assert.rejects(anonymous.overview.get(), { status: 401 })
    for (const wrong of [alice, moderator, blocked]) {
      await assert.rejects(wrong.overview.get(), { status: 403, message: 'Forbidden' })
    }
    assert.equal((await admin.overview.get()).weeks.length, WEEKS)
  })

  it('counts what is new in this week, by people and by agents', async (world) => {
    const { alice, bob, admin } = world
    await admin.account()
    await alice.bugs.create(BUG)
    await bob.posts.create({ title: 'Hello', body: 'I am new here' })
    const agent = await agentOf(world, alice)
    await agent.posts.create({ title: 'From an agent', body: 'It wrote this' })
    const { weeks, countedAt } = await admin.overview.get()
    const { week, joined, byPeople, byAgents, active } = weeks.at(-1)!
    assert.deepEqual([week, joined, byPeople, byAgents, active], [weekOf(countedAt), 3, 2, 1, null])
    assert.ok(weeks.slice(0, -1).every((one) => one.joined === 0 && one.byPeople === 0 && one.byAgents === 0))
  })

  it('says how old open bugs are, and how soon they are answered by others', async ({
    alice,
    bob,
    moderator,
    admin,
    db,
  }) => {
    const [young, old, done] = [
      await alice.bugs.create(BUG),
      await alice.bugs.create(BUG),
      await alice.bugs.create(BUG),
    ]
    await moderator.bugs.triage({ id: done.id, status: 'resolved' })
    await moderator.bugs.triage({ id: old.id, status: 'in_progress' })
    const createdAt = new Date(Date.now() - 40 * 86_400_000).toISOString()
    await db.updateTable('bug').set({ createdAt }).where('id', '=', old.id).execute()
    await alice.bugs.comment({ id: young.id, body: 'Me again' })
    const before = (await admin.overview.get()).bugs
    assert.deepEqual(
      before.open.map(({ age, count }) => [age, count]),
      [
        ['day', 1],
        ['week', 0],
        ['month', 0],
        ['quarter', 1],
        ['older', 0],
      ],
    )
    assert.deepEqual([before.medianAnswerSeconds, before.answered, before.lookedAt], [null, 0, 3])
    await bob.bugs.comment({ id: old.id, body: 'I see it too' })
    const { medianAnswerSeconds, answered } = (await admin.overview.get()).bugs
    assert.equal(answered, 1)
    assert.ok(Math.abs((medianAnswerSeconds ?? 0) - 40 * 86_400) < 60)
  })

  it('says what waits and what fails', async ({ alice, bob, admin, db }) => {
    const { id } = await alice.posts.create({ title: 'Buy this', body: 'Cheap watches' })
    await bob.reports.create({ targetType: 'post', targetId: id, reason: 'spam' })
    const row = { key: 'x', runAt: '', cursor: '', attempts: 3, leasedUntil: '', doneAt: null }
    const failed = { ...row, kind: 'exports.prepare', error: 'no room', failedAt: '2026-01-01T00:00:00.000Z' }
    await db.insertInto('job').values(failed).execute()
    const { waiting, failing } = await admin.overview.get()
    const cases = waiting.find(({ name }) => name === 'cases')
    assert.deepEqual([cases?.count, typeof cases?.oldestAt], [1, 'string'])
    assert.deepEqual(failing.jobs, [{ kind: 'exports.prepare', failing: 0, givenUp: 1, error: 'no room' }])
    assert.deepEqual([failing.mails, failing.webhooks, failing.disabledWebhooks], [0, 0, 0])
  })

  it('notes in batches who was active in this week, and what is stored', async (world) => {
    const { alice, bob, admin, dependencies, db } = world
    await alice.account()
    const { id } = await bob.account()
    await admin.account()
    await db.updateTable('session').set({ seenAt: '2020-01-01T00:00:00.000Z' }).where('userId', '=', id).execute()
    const job = weekFiguresJob(() => dependencies, { accounts: 2 })
    let [cursor, batches]: [string | undefined, number] = ['', 0]
    while (cursor !== undefined) {
      cursor = await job.batch({ ...run, cursor })
      batches++
    }
    assert.equal(batches, 3)
    const { active, databaseBytes, storedBytes } = (await admin.overview.get()).weeks.at(-1)!
    assert.deepEqual([active, storedBytes], [2, 0])
    assert.ok((databaseBytes ?? 0) > 0)
  })
})

describe('the weeks of the overview', () => {
  unit('begin on Monday, and end with this one', () => {
    assert.equal(weekOf('2026-11-29T23:59:59.999Z'), '2026-11-23')
    assert.equal(weekOf('2026-11-30T00:00:00.000Z'), '2026-11-30')
    const weeks = weeksUntil('2027-01-01T12:00:00.000Z')
    assert.deepEqual([weeks.length, weeks.at(-1), weeks.at(-2)], [WEEKS, '2026-12-28', '2026-12-21'])
  })

  unit('have ages of bugs without a gap', () => {
    const spans = spansOf('2026-11-28T12:00:00.000Z')
    assert.deepEqual(
      spans.slice(1).map(({ until }) => until),
      spans.slice(0, -1).map(({ from }) => from),
    )
    assert.deepEqual([spans[0]?.until, spans.at(-1)?.from], ['9', ''])
  })

  unit('have the middle of answers', () => {
    assert.deepEqual([medianOf([]), medianOf([5]), medianOf([9, 1, 2]), medianOf([4, 1, 2, 9])], [null, 5, 2, 3])
  })
})
