// Who cleans up of several processes: one of them, at start and then every five minutes, and another one when it has gone.
import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { onEveryEngine } from '../../test/world.ts'
import { startCleaning } from './cleaning.ts'

const PERIOD_SECONDS = 300

onEveryEngine('the clean-up of two processes', (each) => {
  each('runs at start, once in each period, and goes on when the process that did it has gone', async (world) => {
    const { db, clock, dependencies } = world
    mock.timers.enable({ apis: ['setInterval'] })
    try {
      const ran: string[] = []
      const start = (name: string) =>
        startCleaning({ db, clock, log: dependencies.log }, async () => void ran.push(name))
      /** Resolves when so many have asked for the lease in this period, and the clean-up ran so often in all. */
      const settled = async (count: number, asked: number) => {
        const end = performance.now() + 10_000
        const tries = async () => {
          const lease = db.selectFrom('rateLimit').select('count').where('key', '=', 'clean-up')
          return (await lease.executeTakeFirst())?.count ?? 0
        }
        while ((ran.length < count || (await tries()) < asked) && performance.now() < end) await setImmediate()
        assert.equal(ran.length, count)
      }
      const stopFirst = start('first')
      await settled(1, 1)
      const stopSecond = start('second')
      await settled(1, 2)
      for (let period = 2; period <= 3; period++) {
        clock.pass(PERIOD_SECONDS)
        mock.timers.tick(PERIOD_SECONDS * 1_000)
        await settled(period, 2)
      }
      const holder = ran.at(-1)
      ;(holder === 'first' ? stopFirst : stopSecond)()
      clock.pass(PERIOD_SECONDS)
      mock.timers.tick(PERIOD_SECONDS * 1_000)
      await settled(4, 1)
      assert.equal(ran.at(-1), holder === 'first' ? 'second' : 'first')
      ;(holder === 'first' ? stopSecond : stopFirst)()
    } finally {
      mock.timers.reset()
    }
  })
})
