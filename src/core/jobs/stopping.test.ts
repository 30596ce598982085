// A process that stops, and one whose database is away for a moment: what it had goes on at once.
import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { failingDb, jobsOf, look, until, waitingJob } from '../../../test/jobs.ts'
import { onEveryEngine } from '../../../test/world.ts'
import type { JobRun } from './job.ts'
import type { JobRunner } from './runner.ts'

onEveryEngine('a process that stops', (it) => {
  it('ends the batch that runs, begins no further one, and leaves the rest to others at once', async (world) => {
    const { processOf, row } = jobsOf(world)
    const gate = Promise.withResolvers<void>()
    const runs: JobRun[] = []
    const { job, waiting } = waitingJob(['a', 'b'], {
      async run(run) {
        runs.push(run)
        if (runs.length === 1) await gate.promise
        return run.cursor ? undefined : 'half'
      },
    })
    const first = processOf(job)
    void look(first)
    await until(() => runs.length === 1)
    assert.equal(runs[0]?.signal.aborted, false)
    let isStopped = false
    const stopping = first.stop().then(() => {
      isStopped = true
    })
    assert.equal(runs[0]?.signal.aborted, true)
    assert.notEqual((await row())?.leasedUntil, '')
    assert.equal(isStopped, false)
    gate.resolve()
    await stopping
    await look(first)
    assert.equal(runs.length, 1)
    const { leasedUntil, cursor, attempts } = (await row())!
    assert.deepEqual([leasedUntil, cursor, attempts], ['', 'half', 0])
    await look(processOf(job))
    assert.deepEqual(
      runs.map(({ key, cursor }) => key + cursor),
      ['a', 'ahalf', 'b', 'bhalf'],
    )
    assert.equal(waiting.size, 0)
  })

  it('counts what fails by that as no attempt, and does not log it', async (world) => {
    const { processOf, row, lines } = jobsOf(world)
    const { job } = waitingJob(['a'], {
      attempts: 1,
      run: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('it was cut off')))),
      giveUp: () => assert.fail('it is given up'),
    })
    const runner = processOf(job)
    void look(runner)
    await until(async () => (await row()) !== undefined)
    await runner.stop()
    const { leasedUntil, attempts, error } = (await row())!
    assert.deepEqual([leasedUntil, attempts, error, lines], ['', 0, null, []])
  })

  it('begins no batch of what it was about to take', async (world) => {
    const { processOf, row } = jobsOf(world)
    const { job, waiting } = waitingJob(['a', 'b'])
    const stopped = Promise.withResolvers<void>()
    const runner: JobRunner = processOf({
      ...job,
      wake: {
        async find() {
          stopped.resolve(runner.stop())
          return [{ key: 'a' }]
        },
      },
    })
    await look(runner)
    await stopped.promise
    assert.equal(waiting.size, 2)
    assert.equal((await row())?.leasedUntil, '')
  })

  it('begins no batch after a pause', async (world) => {
    const { processOf, row } = jobsOf(world)
    let runs = 0
    const { job } = waitingJob(['a'], {
      async run() {
        runs++
        await setTimeout(100)
        // Within the pause, which is as long as the batch.
        void setTimeout(5).then(() => runner.stop())
        return ''
      },
    })
    const runner = processOf(job)
    await look(runner)
    await runner.stop()
    assert.equal(runs, 1)
    assert.equal((await row())?.leasedUntil, '')
  })
})

onEveryEngine('a process whose database is away', (it) => {
  it('while it notes that a job was done goes on with its own lease, and counts no failure', async (world) => {
    const { processOf, row, clock } = jobsOf(world)
    const { db, failNext } = failingDb(world.db)
    let runs = 0
    const { job, waiting } = waitingJob(['a'], {
      async run() {
        if (++runs === 1) failNext('deleteFrom')
        return undefined
      },
    })
    const runner = processOf(job, db)
    await look(runner)
    const { attempts, error, leasedUntil } = (await row())!
    assert.deepEqual([attempts, error], [0, null])
    assert.notEqual(leasedUntil, '')
    waiting.add('a')
    clock.pass(1)
    await look(processOf(job))
    assert.equal(runs, 1)
    await look(runner)
    assert.equal(runs, 2)
    assert.equal(await row(), undefined)
    assert.deepEqual(Object.fromEntries(runner.kinds.get('test.work')!.counts.all), {
      done: 1,
      failed: 0,
      given_up: 0,
    })
  })

  it('while it notes that a job failed goes on with its own lease, and notes it then', async (world) => {
    const { processOf, row, clock } = jobsOf(world)
    const { db, failNext } = failingDb(world.db)
    let runs = 0
    const { job } = waitingJob(['a'], {
      async run() {
        if (++runs === 1) failNext('updateTable')
        throw new Error('it cannot be done')
      },
    })
    const runner = processOf(job, db)
    await assert.rejects(runner.run('test.work'), /the database is away/)
    assert.equal((await row())?.attempts, 0)
    clock.pass(1)
    await look(runner)
    const { attempts, error, leasedUntil } = (await row())!
    assert.deepEqual([runs, attempts, error, leasedUntil], [2, 1, 'it cannot be done', ''])
  })

  it('while one of its workers looks for more does not stop the others, which it still waits for', async (world) => {
    const { processOf, row } = jobsOf(world)
    const { db, failNext } = failingDb(world.db)
    const gate = Promise.withResolvers<undefined>()
    const begun: string[] = []
    const { job, waiting } = waitingJob(['a', 'b', 'c'], {
      atOnce: 2,
      async run({ key }) {
        begun.push(key)
        if (key === 'a') await gate.promise
        else failNext('deleteFrom')
        return undefined
      },
    })
    const runner = processOf(job, db)
    void look(runner)
    await until(() => begun.length === 2 && waiting.size === 2)
    let isStopped = false
    const stopped = runner.stop().then(() => {
      isStopped = true
    })
    for (let n = 0; n < 20; n++) await world.db.selectFrom('job').select('key').execute()
    assert.equal(isStopped, false)
    gate.resolve(undefined)
    await stopped
    assert.deepEqual([...waiting, (await row())?.key], ['c', 'b'])
  })
})

onEveryEngine('a job of each process', (it) => {
  it('begins again while an earlier turn waits where it is overlapping, and a stop waits for all turns', async (world) => {
    const { processOf, clock } = jobsOf(world)
    for (const overlapping of [true, undefined] as const) {
      const gate = Promise.withResolvers<undefined>()
      let begun = 0
      const batch = () => {
        begun++
        return gate.promise
      }
      const wake = { inEachProcess: 1, ...(overlapping && { overlapping }) }
      const runner = processOf({ kind: 'things.send', summary: 'sends', wake, batch })
      const looks = [1, 2, 3].map(() => {
        const looked = look(runner)
        clock.pass(1)
        return looked
      })
      assert.equal(begun, overlapping ? 3 : 1)
      let isStopped = false
      const stopped = runner.stop().then(() => {
        isStopped = true
      })
      await setTimeout(20)
      assert.equal(isStopped, false)
      gate.resolve(undefined)
      await Promise.all([...looks, stopped])
    }
  })
})
