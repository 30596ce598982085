import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DatabaseTime, KeptClock } from './clock.ts'

const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 1)

/** The clock of a machine that a test sets and lets run. */
function machine() {
  let [now, elapsed] = [START, 500]
  return {
    now: () => now,
    elapsed: () => elapsed,
    run(milliseconds: number) {
      now += milliseconds
      elapsed += milliseconds
    },
    set(milliseconds: number) {
      now += milliseconds
    },
  }
}

describe('the time of a process', () => {
  it('is that of the database, wherever the clock of the machine is set to', () => {
    for (const difference of [-HOUR, -25_000, 0, 25_000, HOUR]) {
      const clock = machine()
      const kept = new KeptClock(clock)
      const database = new DatabaseTime()
      kept.follow(database)
      clock.set(difference)
      database.learn(START + 40, { sentAt: 490, receivedAt: 500 })
      assert.equal(kept.now(), START + 45)
      assert.equal(kept.difference(), difference - 45)
      clock.set(HOUR)
      clock.run(1_000)
      assert.equal(kept.now(), START + 1_045)
    }
  })

  it('changes by a measurement only as far as that proves', () => {
    const clock = machine()
    const kept = new KeptClock(clock)
    const database = new DatabaseTime()
    kept.follow(database)
    database.learn(START, { sentAt: 500, receivedAt: 500 })
    database.learn(START + 400, { sentAt: 400, receivedAt: 1_400 })
    assert.equal(kept.now(), START, 'a slow answer proves nothing')
    database.learn(START - HOUR, { sentAt: 490, receivedAt: 500 })
    assert.equal(kept.now(), START - HOUR + 10, 'the clock of the database was set back')
    database.learn(START + HOUR, { sentAt: 500, receivedAt: 510 })
    assert.equal(kept.now(), START + HOUR - 10)
  })

  it('without a database never goes back, and runs a little slower until the clock of the machine has caught up', () => {
    const clock = machine()
    const kept = new KeptClock(clock)
    clock.set(HOUR)
    assert.equal(kept.now(), START + HOUR)
    clock.set(-HOUR)
    assert.equal(kept.now(), START + HOUR)
    assert.equal(kept.difference(), -HOUR)
    clock.run(600_000)
    assert.equal(kept.now(), START + HOUR + 540_000)
    clock.run(10 * HOUR)
    assert.equal(kept.now(), clock.now())
    assert.equal(kept.difference(), 0)
  })

  it('starts at the newest moment that is stored', () => {
    const clock = machine()
    const kept = new KeptClock(clock)
    kept.startAt(START + HOUR)
    assert.equal(kept.now(), START + HOUR)
    const other = new KeptClock(clock)
    other.startAt(START - HOUR)
    assert.equal(other.now(), START)
  })

  it('believes a clock that goes back by more than a day: it was wrong before', () => {
    const clock = machine()
    const kept = new KeptClock(clock)
    clock.set(365 * 24 * HOUR)
    kept.now()
    clock.set(-365 * 24 * HOUR)
    assert.equal(kept.now(), START)
  })
})
