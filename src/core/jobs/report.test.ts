// What operators hear of jobs, and how one that rests after a failure is let run.
import assert from 'node:assert/strict'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { timestamp } from '../../runtime/clock.ts'
import type { Job, WaitingKey } from './job.ts'
import { MOST, reportOn, retryJob } from './report.ts'
import { JobRunner } from './runner.ts'

const jobOf = (wake: Job['wake'], batch: Job['batch'] = async () => undefined): Job => ({
  ...{ kind: 'tests.run', summary: 'is a test', wake, batch },
})

const finding = (keys: readonly WaitingKey[], batch?: Job['batch']) =>
  jobOf({ find: async ({ limit }) => keys.slice(0, limit) }, batch)

const fails = () => Promise.reject(new Error('it is broken'))

const nowOf = ({ clock }: World) => timestamp(clock.now())

async function reportOf(world: World, job: Job) {
  const [report] = await reportOn(world.db, [job], nowOf(world))
  return report!
}

onEveryEngine('the report on jobs', (it) => {
  it('counts what waits up to a bound, and says when there is more', async (world) => {
    for (const [count, hasMore] of [
      [MOST, false],
      [MOST + 1, true],
    ] as const) {
      const keys = Array.from({ length: count }, (_, n) => ({ key: String(n) }))
      const report = await reportOf(world, finding(keys))
      assert.deepEqual([report.waiting, report.hasMore], [MOST, hasMore], String(count))
    }
  })

  it('says since when the oldest waits, in whatever order they are', async (world) => {
    const keys = [
      { key: 'a' },
      { key: 'b', since: '2026-02-02T00:00:00.000Z' },
      { key: 'c', since: '2026-01-01T00:00:00.000Z' },
    ]
    assert.equal((await reportOf(world, finding(keys))).oldestAt, '2026-01-01T00:00:00.000Z')
    assert.equal((await reportOf(world, finding([{ key: '' }]))).oldestAt, null)
  })

  it('forgets a failure whose cause is gone', async (world) => {
    const runner = new JobRunner(world.dependencies, [finding([{ key: 'a' }], fails)])
    await assert.rejects(runner.run('tests.run'), /broken/)
    const failing = await reportOf(world, finding([{ key: 'a' }]))
    assert.deepEqual([failing.failing, failing.lastError, failing.failed[0]?.key], [1, 'it is broken', 'a'])
    assert.ok(failing.nextAt! > nowOf(world))
    const gone = await reportOf(world, finding([{ key: 'b' }]))
    assert.deepEqual([gone.waiting, gone.failing, gone.lastError, gone.failed], [1, 0, null, []])
    // Where more wait than are looked at, it may be one of them.
    const many = Array.from({ length: MOST + 1 }, (_, n) => ({ key: `b${n}` }))
    assert.equal((await reportOf(world, finding(many))).failing, 1)
  })

  it('has no more than a bound of each kind, so that one leaves room for the others', async (world) => {
    const row = { runAt: nowOf(world), cursor: '', attempts: 1, leasedUntil: '', error: 'x', doneAt: null }
    const insert = (kind: string, key: string) => ({ ...row, kind, key, failedAt: nowOf(world) })
    const rows = Array.from({ length: MOST + 5 }, (_, n) => insert('a.run', String(n)))
    for (let at = 0; at < rows.length; at += 100)
      await world.db
        .insertInto('job')
        .values(rows.slice(at, at + 100))
        .execute()
    await world.db.insertInto('job').values(insert('b.run', '1')).execute()
    const kinds = ['a.run', 'b.run'].map((kind) => ({ ...finding([]), kind }))
    const reports = await reportOn(world.db, kinds, nowOf(world))
    assert.deepEqual(
      reports.map(({ givenUp, failed }) => [givenUp, failed.length]),
      [
        [MOST, MOST],
        [1, 1],
      ],
    )
  })

  it('says that a kind cannot see what waits', async (world) => {
    const report = await reportOf(world, jobOf({ find: () => Promise.reject(new Error('no such column')) }))
    assert.deepEqual([report.waiting, report.failing], [0, 1])
    assert.match(report.lastError!, /what waits cannot be read: .*no such column/)
  })

  it('tells a job that is late from one that has time', async (world) => {
    const job = jobOf({ every: 300 })
    const first = await reportOf(world, job)
    assert.deepEqual([first.waiting, first.oldestAt, first.nextAt !== null], [1, null, true])
    await new JobRunner(world.dependencies, [job]).run('tests.run')
    const rests = await reportOf(world, job)
    assert.deepEqual([rests.waiting, rests.oldestAt], [0, null])
    world.clock.pass(301)
    const late = await reportOf(world, job)
    assert.deepEqual([late.waiting, late.oldestAt], [1, rests.nextAt])
  })

  it('tells what one process works on, and for no longer than its lease', async (world) => {
    const job = finding([{ key: 'a' }], async () => {
      const { running, waiting, nextAt } = await reportOf(world, job)
      assert.deepEqual([running, waiting, nextAt], [1, 1, null])
      world.clock.pass(61)
      assert.equal((await reportOf(world, job)).running, 0)
      return undefined
    })
    await new JobRunner(world.dependencies, [job]).run('tests.run')
  })
})

onEveryEngine('a retry', (it) => {
  it('lets a job run within seconds that rests for minutes after many failures', async (world) => {
    let isBroken = true
    let runs = 0
    const job = jobOf({ every: 300 }, async () => {
      runs++
      return isBroken ? fails() : undefined
    })
    const runner = new JobRunner(world.dependencies, [job])
    for (let n = 0; n < 12; n++) await assert.rejects(runner.run('tests.run'), /broken/)
    const kind = runner.kinds.get('tests.run')!
    const look = async () => {
      kind.look()
      await kind.ended()
      return runs
    }
    isBroken = false
    assert.equal(await look(), 12)
    world.clock.pass(6)
    assert.equal(await look(), 12, 'it rests for minutes')
    assert.equal(await retryJob({ db: world.db, now: nowOf(world) }, job, ''), true)
    world.clock.pass(6)
    assert.equal(await look(), 13)
    assert.equal(await retryJob({ db: world.db, now: nowOf(world) }, job, ''), false)
  })

  it('changes the row of its subject in the same transaction', async (world) => {
    const job: Job = { ...finding([{ key: 'a' }], fails), attempts: 1 }
    await assert.rejects(new JobRunner(world.dependencies, [job]).run('tests.run'), /broken/)
    const refused = { ...job, retry: () => Promise.reject(new Error('its subject is locked')) }
    await assert.rejects(retryJob({ db: world.db, now: nowOf(world) }, refused, 'a'), /locked/)
    assert.equal((await reportOf(world, job)).givenUp, 1)
  })
})
