// Who works on a job: one process at a time, and another one when that has gone.
import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { failingDb, jobsOf, look, until, waitingJob, withOtherDb } from '../../../test/jobs.ts'
import { onEveryEngine } from '../../../test/world.ts'
import type { JobRun } from './job.ts'

const LEASE = 30
const MILLISECOND = 0.001

onEveryEngine('a job that waits', (it) => {
  it('is run, and leaves no row behind', async (world) => {
    const { processOf, row } = jobsOf(world)
    const ran: string[] = []
    const { job } = waitingJob(['a', 'b'], { run: async ({ key }) => void ran.push(key) })
    const runner = processOf(job)
    await look(runner)
    await look(runner)
    assert.deepEqual(ran, ['a', 'b'])
    assert.equal(await row(), undefined)
    assert.equal(runner.kinds.get('test.work')!.counts.all.get('done'), 2)
  })

  it('is run once by two processes that look at once, ten times of ten', async (world) => {
    const { processOf, row } = jobsOf(world)
    await withOtherDb(world, async (other) => {
      for (let n = 0; n < 10; n++) {
        const keys = ['a', 'b', 'c', 'd', 'e']
        const [atWork, ran] = [new Set<string>(), [] as string[]]
        const { job, waiting } = waitingJob(keys, {
          atOnce: 2,
          async run({ key }) {
            // Its row says that it is done.
            if (!waiting.has(key)) return undefined
            assert.ok(!atWork.has(key), `two at ${key}`)
            atWork.add(key)
            await setImmediate()
            atWork.delete(key)
            ran.push(key)
            return undefined
          },
        })
        const processes = [processOf(job), processOf(job, other)]
        await Promise.all(processes.map((runner) => runner.run('test.work')))
        await look(...processes)
        assert.deepEqual(ran.toSorted(), keys)
        assert.equal(await row(), undefined)
      }
    })
  })

  it('is not run by a second process while a first one works on it', async (world) => {
    const { processOf } = jobsOf(world)
    const gate = Promise.withResolvers<undefined>()
    const begun: string[] = []
    const { job } = waitingJob(['a', 'b', 'c', 'd', 'e'], {
      atOnce: 3,
      run({ key }) {
        begun.push(key)
        return gate.promise
      },
    })
    const [first, second] = [processOf(job), processOf(job)]
    const running = look(first)
    await until(() => begun.length === 3)
    const others = look(second)
    await until(() => begun.length === 5)
    assert.deepEqual(begun.toSorted(), ['a', 'b', 'c', 'd', 'e'])
    gate.resolve(undefined)
    await Promise.all([running, others])
    assert.equal(begun.length, 5)
  })
})

/** A batch that ends when the test says so. */
function heldBatch() {
  const gate = Promise.withResolvers<string | undefined>()
  const runs: JobRun[] = []
  const run = (given: JobRun): Promise<string | undefined> => {
    runs.push(given)
    return gate.promise
  }
  return { gate, runs, run }
}

onEveryEngine('a process that dies in a batch', (it) => {
  it('loses nothing: another one goes on at its cursor when the lease is over, and not before', async (world) => {
    const { processOf, row, clock } = jobsOf(world)
    const held = heldBatch()
    const { job } = waitingJob(['a'], { run: async (run) => (run.cursor ? held.run(run) : 'half') })
    void look(processOf(job))
    await until(() => held.runs.length === 1)
    const seen: unknown[] = []
    const second = processOf({
      ...job,
      batch: async ({ cursor }) => void seen.push([cursor, (await row())?.attempts]),
    })
    clock.pass(LEASE - MILLISECOND)
    await look(second)
    assert.deepEqual(seen, [])
    clock.pass(MILLISECOND)
    await look(second)
    assert.deepEqual(seen, [['half', 1]])
    assert.equal(await row(), undefined)
    held.gate.resolve(undefined)
  })

  it('and set its lease far ahead by a wrong clock does not hold its job for ever', async (world) => {
    const { processOf, leave, moment } = jobsOf(world)
    const { job, waiting } = waitingJob(['a'])
    const runner = processOf(job)
    // Clocks of processes may differ by a minute.
    await leave({ leasedUntil: moment(LEASE + 60) })
    await look(runner)
    assert.equal(waiting.size, 1)
    await world.db
      .updateTable('job')
      .set({ leasedUntil: moment(LEASE + 60 + MILLISECOND) })
      .where('kind', '=', job.kind)
      .execute()
    await look(runner)
    assert.equal(waiting.size, 0)
  })

  for (const [how, end] of [
    ['goes on', (gate) => gate.resolve('further')],
    ['is done', (gate) => gate.resolve(undefined)],
    ['fails', (gate) => gate.reject(new Error('no more'))],
  ] satisfies [string, (gate: PromiseWithResolvers<string | undefined>) => void][]) {
    it(`and was only slow writes nothing when it ${how} after another one took its job, and is quiet`, async (world) => {
      const { processOf, row, clock, lines } = jobsOf(world)
      const [slow, next] = [heldBatch(), heldBatch()]
      const gaveUp: string[] = []
      const job = {
        ...waitingJob(['a']).job,
        attempts: 2,
        giveUp: async ({ key }: { key: string }) => void gaveUp.push(key),
      }
      const first = processOf({ ...job, batch: slow.run })
      const firstRun = first.run('test.work')
      await until(() => slow.runs.length === 1)
      clock.pass(LEASE)
      const second = look(processOf({ ...job, batch: next.run }))
      await until(() => next.runs.length === 1)
      const before = await row()
      end(slow.gate)
      await firstRun
      assert.deepEqual(await row(), before)
      assert.equal(slow.runs.length, 1)
      assert.deepEqual([...first.kinds.get('test.work')!.counts.all.values(), ...lines, ...gaveUp], [0, 0, 0])
      next.gate.resolve(undefined)
      await second
      assert.equal(await row(), undefined)
    })
  }
})

onEveryEngine('a lease', (it) => {
  it('is renewed between batches after 8 seconds', async (world) => {
    const { processOf, row, clock, moment } = jobsOf(world)
    const ends: unknown[] = []
    const start = moment()
    const pauses = [8 - MILLISECOND, MILLISECOND, 0]
    const { job } = waitingJob(['a'], {
      async run() {
        ends.push((await row())?.leasedUntil)
        clock.pass(pauses[ends.length - 1]!)
        return ends.length < 3 ? '' : undefined
      },
    })
    const first = moment(LEASE)
    await look(processOf(job))
    assert.ok(start < first)
    assert.deepEqual(ends, [first, first, moment(LEASE)])
  })

  it('is renewed within a batch that says that it is still at it, which may take longer than a lease', async (world) => {
    const { processOf, row, clock, moment } = jobsOf(world)
    const { job, waiting } = waitingJob(['a'], {
      async run({ renew }) {
        for (let n = 0; n < 4; n++) {
          clock.pass(LEASE - 1)
          await Promise.all([renew(), renew()])
          assert.equal((await row())?.leasedUntil, moment(LEASE))
        }
        // It does not wait for this one, which holds up nothing that is noted after it.
        clock.pass(LEASE - 1)
        void renew()
        return undefined
      },
    })
    await look(processOf(job))
    assert.equal(waiting.size, 0)
    assert.equal(await row(), undefined)
  })

  it('is over with a batch that does not end within it, which counts as failed', async (world) => {
    const { processOf, row, clock, lines } = jobsOf(world)
    const held = heldBatch()
    const { job } = waitingJob(['a'], { run: held.run })
    await lookingOften(async (looks) => {
      const running = look(processOf(job))
      await until(() => held.runs.length === 1)
      const [{ signal, renew }] = held.runs as [JobRun]
      clock.pass(LEASE - MILLISECOND)
      await looks(2)
      assert.deepEqual([signal.aborted, (await row())?.attempts], [false, 0])
      clock.pass(MILLISECOND)
      await running
      assert.ok(signal.aborted)
      const failed = await row()
      assert.deepEqual(
        [failed?.attempts, failed?.error, failed?.leasedUntil],
        [1, 'a batch did not end within 30 seconds', ''],
      )
      await assert.rejects(renew(), /another process/)
      held.gate.resolve('further')
      await setImmediate()
      assert.deepEqual(await row(), failed)
      assert.equal(lines.length, 1)
    })
  })

  it('is renewed by itself for as long as a batch may take, also after the database was away, and no longer', async (world) => {
    const { processOf, row, clock, moment } = jobsOf(world)
    const held = heldBatch()
    const { job } = waitingJob(['a'], { run: held.run, longestBatchSeconds: 90 })
    const { db, failNext } = failingDb(world.db)
    await lookingOften(async (looks) => {
      const running = look(processOf(job, db))
      await until(() => held.runs.length === 1)
      for (let passed = 8; passed < 90; passed += 8) {
        failNext('updateTable')
        clock.pass(8)
        await until(async () => (await row())?.leasedUntil === moment(LEASE))
      }
      clock.pass(8)
      await looks(2)
      assert.equal((await row())?.leasedUntil, moment(LEASE - 8))
      clock.pass(LEASE - 8)
      await running
      assert.equal((await row())?.error, 'a batch did not end within 90 seconds')
    })
  })
})

/** Within `use`, the timer of leases looks at the clock every millisecond; `looks` resolves when it has done so often more. */
async function lookingOften(use: (looks: (count: number) => Promise<void>) => Promise<void>): Promise<void> {
  const { setTimeout: real } = globalThis
  let looked = 0
  const often = (callback: () => void, milliseconds?: number) => {
    if (callback.name !== 'look') return real(callback, milliseconds)
    return real(() => {
      looked++
      callback()
    }, 1)
  }
  mock.method(globalThis, 'setTimeout', often)
  try {
    await use((count) => {
      const end = looked + count
      return until(() => looked >= end)
    })
  } finally {
    mock.restoreAll()
  }
}
