// What becomes of a job that fails: it is tried again later and later, holds up no other one, and is given up where it says so.
import assert from 'node:assert/strict'
import { it as test } from 'node:test'
import { jobsOf, look, waitingJob } from '../../../test/jobs.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { backoffSeconds, type Job } from './job.ts'
import { retryJob } from './report.ts'

const MILLISECOND = 0.001

test('the pause after an attempt is 1, 2, 4, ... seconds and at most 300, less up to a half by chance', () => {
  const attempts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 2_000]
  const longest = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
  assert.deepEqual(
    attempts.map((n) => backoffSeconds(n, 0)),
    longest,
  )
  assert.deepEqual(
    attempts.map((n) => backoffSeconds(n, 1)),
    longest.map((seconds) => seconds / 2),
  )
})

const failing = async () => {
  throw new Error('it cannot be done')
}

onEveryEngine('a job that fails', (it) => {
  it('is tried again after a pause that grows, and not before, until it succeeds', async (world) => {
    const { processOf, row, clock } = jobsOf(world)
    let runs = 0
    const { job, waiting } = waitingJob(['a'], {
      async run() {
        if (++runs <= 11) throw new Error(`failure ${runs}`)
        return undefined
      },
    })
    const runner = processOf(job)
    for (let n = 1; n <= 11; n++) {
      await look(runner)
      assert.equal(runs, n)
      const { attempts, error, runAt, leasedUntil } = (await row())!
      assert.deepEqual([attempts, error, leasedUntil], [n, `failure ${n}`, ''])
      const pause = (Date.parse(runAt) - clock.now()) / 1_000
      const longest = Math.min(2 ** (n - 1), 300)
      assert.ok(pause >= longest / 2 - MILLISECOND && pause <= longest, `${pause} seconds after ${n} attempts`)
      clock.pass(pause - MILLISECOND)
      await look(runner)
      assert.equal(runs, n)
      clock.pass(MILLISECOND)
    }
    await look(runner)
    assert.deepEqual([runs, waiting.size, await row()], [12, 0, undefined])
  })

  it('forgets with a success that it failed', async (world) => {
    const { processOf, row, clock } = jobsOf(world)
    let fails = true
    const job: Job = {
      ...{ kind: 'test.work', summary: 'works', wake: { every: 60 } },
      batch: async () => (fails ? failing() : undefined),
    }
    const runner = processOf(job)
    await look(runner)
    assert.equal((await row())?.attempts, 1)
    fails = false
    clock.pass(1)
    await look(runner)
    const { attempts, error } = (await row())!
    assert.deepEqual([attempts, error], [0, null])
  })

  it('stores the words of its error, at most 500 characters, and nothing else of it', async (world) => {
    const { processOf, leave, row, moment } = jobsOf(world)
    const errors = [
      ['x'.repeat(500), 'x'.repeat(500)],
      ['x'.repeat(501), 'x'.repeat(500)],
      ['no\0 NUL', 'no NUL'],
      [`${'x'.repeat(499)}\u{1f600}`, `${'x'.repeat(499)}\ufffd`],
    ]
    for (const [message, stored] of errors) {
      await world.db.deleteFrom('job').where('kind', '=', 'test.work').execute()
      await leave({ runAt: moment() })
      const error = Object.assign(new Error(message), { detail: 'a secret', headers: { authorization: 'a secret' } })
      const { job } = waitingJob(['a'], { run: () => Promise.reject(error) })
      await look(processOf(job))
      assert.equal((await row())?.error, stored)
    }
  })

  it('holds up no other key of its kind, and no other kind', async (world) => {
    const { processOf, db } = jobsOf(world)
    const ran: string[] = []
    let looks = 0
    const names = Array.from({ length: 100 }, (_, n) => `fails ${String(n).padStart(2, '0')}`)
    const { job, waiting } = waitingJob([...names, 'last'], {
      run: ({ key }) => (key === 'last' ? Promise.resolve(void ran.push(key)) : failing()),
    })
    const find = async ({ limit }: { limit: number }) => {
      looks++
      return [...waiting].slice(0, limit).map((key) => ({ key }))
    }
    const other = waitingJob(['other'], { kind: 'test.other', run: async ({ key }) => void ran.push(key) })
    const runner = processOf([{ ...job, wake: { find } }, other.job])
    await look(runner)
    assert.deepEqual(ran.toSorted(), ['last', 'other'])
    const rows = await db.selectFrom('job').select('key').where('kind', '=', 'test.work').orderBy('key').execute()
    assert.deepEqual(
      rows.map(({ key }) => key),
      names,
    )
    // While they rest, a look is cheap, and finds what is behind them.
    waiting.add('last')
    looks = 0
    await look(runner)
    assert.deepEqual(ran.filter((key) => key === 'last').length, 2)
    assert.ok(looks <= 12, `${looks} queries`)
  })

  it('is thrown by a run that was asked for, when it is noted and all others had their turn', async (world) => {
    const { processOf, row } = jobsOf(world)
    const { job, waiting } = waitingJob(['a', 'b'], {
      run: ({ key }) => (key === 'a' ? failing() : Promise.resolve(undefined)),
    })
    await assert.rejects(processOf(job).run('test.work'), /it cannot be done/)
    assert.equal((await row())?.error, 'it cannot be done')
    assert.deepEqual([...waiting], ['a'])
  })
})

/** A job that fails and is given up after three attempts. */
function hopelessJob(giveUp: (key: string) => void = () => {}) {
  const [ran, gaveUp]: [string[], string[]] = [[], []]
  const { job, waiting } = waitingJob(['a'], {
    attempts: 3,
    run: async ({ key }) => {
      ran.push(key)
      return failing()
    },
    async giveUp({ key }) {
      gaveUp.push(key)
      giveUp(key)
    },
  })
  return { job, waiting, ran, gaveUp }
}

onEveryEngine('a job that has a number of attempts', (it) => {
  it('is given up after exactly so many, once, and is not run any more until it is asked for', async (world) => {
    const { processOf, row, clock, moment, db } = jobsOf(world)
    const { job, ran, gaveUp } = hopelessJob()
    const runner = processOf(job)
    for (let n = 1; n <= 3; n++) {
      assert.deepEqual(gaveUp, [])
      await look(runner)
      assert.equal(ran.length, n)
      if (n < 3) clock.pass(4)
    }
    const given = await row()
    assert.deepEqual(gaveUp, ['a'])
    assert.deepEqual(
      [given?.attempts, given?.error, given?.failedAt, given?.leasedUntil],
      [3, 'it cannot be done', moment(), ''],
    )
    clock.pass(1_000)
    await look(runner, processOf(job))
    await runner.run('test.work')
    assert.deepEqual([ran.length, gaveUp.length], [3, 1])
    const retry = () => retryJob({ db, now: moment() }, job, given!.key)
    assert.deepEqual([await retry(), await retry()], [true, false])
    await look(runner)
    assert.deepEqual([ran.length, gaveUp.length, (await row())?.attempts], [4, 1, 1])
    const { counts } = runner.kinds.get('test.work')!
    assert.deepEqual(Object.fromEntries(counts.all), { done: 0, failed: 3, given_up: 1 })
  })

  it('is given up later where that fails, without another attempt, and holds no other key up', async (world) => {
    const { processOf, clock, db } = jobsOf(world)
    let isAway = true
    const { job, waiting, ran, gaveUp } = hopelessJob(() => {
      if (isAway) throw new Error('the account cannot be told')
    })
    const runner = processOf({ ...job, attempts: 1 })
    waiting.add('b')
    await look(runner)
    await look(runner)
    assert.deepEqual(ran, ['a', 'b'])
    assert.deepEqual(gaveUp, ['a', 'b'])
    const rows = () => db.selectFrom('job').selectAll().where('kind', '=', job.kind).execute()
    for (const { error, failedAt } of await rows()) {
      assert.deepEqual([error, failedAt], ['the account cannot be told', null])
    }
    isAway = false
    clock.pass(2)
    await look(runner)
    assert.deepEqual([ran.length, gaveUp.length], [2, 4])
    assert.ok((await rows()).every(({ failedAt }) => failedAt !== null))
    await look(runner)
    assert.equal(gaveUp.length, 4)
  })

  it('is given up where each of them ended with its process', async (world) => {
    const { processOf, leave, row, moment } = jobsOf(world)
    const { job, ran, gaveUp } = hopelessJob()
    await leave({ attempts: 2, leasedUntil: moment(-MILLISECOND) })
    await look(processOf(job))
    assert.deepEqual([ran, gaveUp], [[], ['a']])
    assert.match((await row())?.error ?? '', /^the process that had it ended/)
  })
})
