// When jobs run: what comes again and again, what is done once, what each process does, and what is asked for.
import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { failingDb, type JobsWorld, jobsOf, look, until, waitingJob } from '../../../test/jobs.ts'
import { onEveryEngine } from '../../../test/world.ts'
import type { Job } from './job.ts'

const PERIOD = 300
const LEASE = 30
const MILLISECOND = 0.001

/** A job in several processes: who ran it, in order. */
function noted({ processOf }: JobsWorld, wake: Job['wake'], end: Job['batch'] = async () => undefined) {
  const ran: string[] = []
  const start = (name: string) =>
    processOf({
      ...{ kind: 'test.work', summary: 'works', wake },
      async batch(run) {
        ran.push(name)
        return end(run)
      },
    })
  return { ran, start }
}

onEveryEngine('a job of every so many seconds', (it) => {
  it('runs at once and then once in each period, in one of two processes', async (world) => {
    const jobs = jobsOf(world)
    const { ran, start } = noted(jobs, { every: PERIOD })
    const processes = [start('first'), start('second')]
    for (let period = 1; period <= 3; period++) {
      await look(...processes)
      assert.equal(ran.length, period)
      jobs.clock.pass(PERIOD - MILLISECOND)
      await look(...processes)
      assert.equal(ran.length, period)
      jobs.clock.pass(MILLISECOND)
    }
  })

  it('keeps its period over a restart, and goes on when the process that did it has gone', async (world) => {
    const jobs = jobsOf(world)
    const { ran, start } = noted(jobs, { every: PERIOD })
    const first = start('first')
    await look(first)
    await first.stop()
    const second = start('second')
    await look(second)
    jobs.clock.pass(PERIOD - MILLISECOND)
    await look(second)
    assert.deepEqual(ran, ['first'])
    jobs.clock.pass(MILLISECOND)
    await look(first, second)
    assert.deepEqual(ran, ['first', 'second'])
  })

  it('goes on when the process that does it dies, and its lease is over', async (world) => {
    const jobs = jobsOf(world)
    const { ran, start } = noted(jobs, { every: PERIOD }, () =>
      ran.length === 1 ? Promise.withResolvers<undefined>().promise : Promise.resolve(undefined),
    )
    void look(start('first'))
    await until(() => ran.length === 1)
    const second = start('second')
    jobs.clock.pass(LEASE - MILLISECOND)
    await look(second)
    assert.deepEqual(ran, ['first'])
    jobs.clock.pass(MILLISECOND)
    await look(second)
    assert.deepEqual(ran, ['first', 'second'])
  })

  it('that is shorter than its pause after failures waits for all of it', async (world) => {
    const jobs = jobsOf(world)
    const { ran, start } = noted(jobs, { every: 10 })
    const pause = 300
    await jobs.leave({ key: '', runAt: jobs.moment(pause), attempts: 20, error: 'no' })
    const runner = start('first')
    jobs.clock.pass(pause - MILLISECOND)
    await look(runner)
    assert.deepEqual(ran, [])
    jobs.clock.pass(MILLISECOND)
    await look(runner)
    assert.deepEqual(ran, ['first'])
  })
})

onEveryEngine('a job that is done once', (it) => {
  it('is done once among all processes, also after a restart, and again for a new version', async (world) => {
    const jobs = jobsOf(world)
    const { ran, start } = noted(jobs, { once: '1' })
    const processes = [start('first'), start('second')]
    await look(...processes)
    await look(...processes, start('third'))
    await start('fourth').run('test.work')
    assert.equal(ran.length, 1)
    assert.equal((await jobs.row())?.doneAt, jobs.moment())
    await look(noted(jobs, { once: '2' }, async () => void ran.push('version 2')).start('fifth'))
    await look(...processes)
    assert.equal(ran.length, 2)
  })

  it('goes on at its cursor after a restart', async (world) => {
    const jobs = jobsOf(world)
    const cursors: string[] = []
    const { start } = noted(jobs, { once: '1' }, async ({ cursor }) => {
      cursors.push(cursor)
      if (cursor === 'first' && cursors.length === 2) throw new Error('no')
      return cursor === '' ? 'first' : undefined
    })
    await look(start('first'))
    jobs.clock.pass(1)
    await look(start('second'))
    assert.deepEqual(cursors, ['', 'first', 'first'])
    assert.equal((await jobs.row())?.cursor, '')
  })

  it('is looked at again by a process that lost it to another one which died, too', async (world) => {
    const jobs = jobsOf(world)
    const gate = Promise.withResolvers<undefined>()
    const { ran, start } = noted(
      jobs,
      { once: '1' },
      () => [gate.promise, Promise.withResolvers<undefined>().promise][ran.length - 1] ?? Promise.resolve(undefined),
    )
    const first = start('slow')
    const slow = look(first)
    await until(() => ran.length === 1)
    jobs.clock.pass(LEASE)
    void look(start('dead'))
    await until(() => ran.length === 2)
    gate.resolve(undefined)
    await slow
    assert.equal((await jobs.row())?.doneAt, null)
    jobs.clock.pass(LEASE)
    await look(first)
    assert.deepEqual(ran, ['slow', 'dead', 'slow'])
    assert.equal((await jobs.row())?.doneAt, jobs.moment())
  })
})

onEveryEngine('a job of each process', (it) => {
  it('runs in each of them, every so many seconds, without a row', async (world) => {
    const jobs = jobsOf(world)
    const { ran, start } = noted(jobs, { inEachProcess: 10 })
    const processes = [start('first'), start('second')]
    await look(...processes)
    jobs.clock.pass(10 - MILLISECOND)
    await look(...processes)
    assert.deepEqual(ran, ['first', 'second'])
    jobs.clock.pass(MILLISECOND)
    await look(...processes)
    assert.deepEqual(ran, ['first', 'second', 'first', 'second'])
    assert.equal(await jobs.row(), undefined)
  })

  it('that fails is logged and counted, and runs again', async (world) => {
    const jobs = jobsOf(world)
    const { ran, start } = noted(jobs, { inEachProcess: 10 }, () => Promise.reject(new Error('the network is away')))
    const runner = start('first')
    await look(runner)
    jobs.clock.pass(10)
    await look(runner)
    assert.equal(ran.length, 2)
    assert.equal(jobs.lines.length, 2)
    assert.equal(runner.kinds.get('test.work')!.counts.all.get('failed'), 2)
    await assert.rejects(runner.run('test.work'), /the network is away/)
  })
})

onEveryEngine('a process', (it) => {
  it('looks a second after its start and every second, and at once for what it is woken for', async (world) => {
    const { processOf } = jobsOf(world)
    const ran: string[] = []
    const { job, waiting } = waitingJob(['a'], { run: async ({ key }) => void ran.push(key) })
    const [runner, idle] = [processOf(job), processOf(job)]
    mock.timers.enable({ apis: ['setInterval'] })
    try {
      const rest = async () => {
        mock.timers.tick(999)
        await runner.kinds.get('test.work')!.ended()
      }
      runner.start()
      runner.start()
      await rest()
      assert.equal(ran.length, 0)
      await rest()
      await until(() => ran.length === 1 && waiting.size === 0)
      await rest()
      waiting.add('b')
      await rest()
      await until(() => waiting.size === 0)
      await rest()
      waiting.add('c')
      idle.wake('test.work')
      runner.wake('test.work')
      await until(() => waiting.size === 0)
      assert.deepEqual(ran, ['a', 'b', 'c'])
    } finally {
      await runner.stop()
      mock.timers.reset()
    }
  })

  it('runs a job of its own before its time when it is woken', async (world) => {
    const jobs = jobsOf(world)
    const { ran, start } = noted(jobs, { inEachProcess: 10 })
    const runner = start('first')
    runner.start()
    runner.wake('test.work')
    await until(() => ran.length === 1)
    await runner.kinds.get('test.work')!.ended()
    runner.wake('test.work')
    await until(() => ran.length === 2)
    await runner.stop()
    runner.wake('test.work')
    assert.equal(ran.length, 2)
  })

  it('runs what is asked for before its time, after what it is at, and in the order of the kinds', async (world) => {
    const jobs = jobsOf(world)
    const { ran, start } = noted(jobs, { every: PERIOD })
    const runner = start('first')
    await look(runner)
    await Promise.all([runner.run('test.work'), runner.run('test.work')])
    assert.equal(ran.length, 3)
    const looking = look(runner)
    await runner.run('test.work')
    await looking
    assert.equal(ran.length, 4)
    const order: string[] = []
    const kinds = ['b', 'a'].map((kind) => ({
      ...waitingJob([kind], { kind: `test.${kind}`, run: async () => void order.push(kind) }).job,
    }))
    await jobs.processOf(kinds).run('test.a', 'test.b')
    assert.deepEqual(order, ['a', 'b'])
  })

  it('runs the kinds of one lane one after the other, and the next one where one fails', async (world) => {
    const { processOf } = jobsOf(world)
    const [begun, gate] = [[] as string[], Promise.withResolvers<void>()]
    const jobs = ['a', 'b', 'other'].map((name) => ({
      ...waitingJob([name], {
        kind: `test.${name}`,
        async run() {
          begun.push(name)
          if (name === 'a') await gate.promise
          if (name === 'a') throw new Error('it cannot be done')
          return undefined
        },
      }).job,
      ...(name !== 'other' && { lane: 'tests' }),
    }))
    const looking = look(processOf(jobs))
    await until(() => begun.length === 2)
    assert.deepEqual(begun.toSorted(), ['a', 'other'])
    gate.resolve()
    await looking
    assert.deepEqual(begun.at(-1), 'b')
  })

  it('whose database is away at its start logs it, rests, and goes on when it is there again', async (world) => {
    const jobs = jobsOf(world)
    const { db, failNext } = failingDb(world.db)
    const { job, waiting } = waitingJob(['a'])
    const runner = jobs.processOf(job, db)
    for (let n = 1; n <= 6; n++) {
      failNext('selectFrom')
      await look(runner)
      assert.equal(jobs.lines.length, n)
      await look(runner)
      assert.equal(waiting.size, 1)
      // The pauses grow: 1, 2, 4, 8, 15 and 15 seconds at most.
      jobs.clock.pass(Math.min(2 ** (n - 1), 15))
    }
    await look(runner)
    assert.equal(waiting.size, 0)
    assert.equal(jobs.lines.length, 6)
  })
})
