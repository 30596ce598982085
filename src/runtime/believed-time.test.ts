import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BelievedTime } from './believed-time.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.UTC(2026, 0, 1)

/** A clock that was right at the start, with a jump of so much by now. */
const after = (elapsed: number, jumped = 0) => ({ now: START + elapsed + jumped, elapsed })

describe('the believed time', () => {
  it('is that of the clock, up to a minute ahead', () => {
    const time = new BelievedTime(after(0))
    assert.equal(time.at(after(HOUR)), START + HOUR)
    assert.equal(time.at(after(HOUR, MINUTE)), START + HOUR + MINUTE)
    assert.equal(time.at(after(HOUR, MINUTE + 1)), START + HOUR)
  })

  it('is without a jump until that has stayed for a day', () => {
    const time = new BelievedTime(after(0))
    assert.equal(time.at(after(HOUR, HOUR)), START + HOUR)
    assert.equal(time.at(after(HOUR + DAY - 1, HOUR)), START + HOUR + DAY - 1)
    assert.equal(time.at(after(HOUR + DAY, HOUR)), START + HOUR + DAY + HOUR)
  })

  it('doubts each jump by itself', () => {
    const time = new BelievedTime(after(0))
    time.at(after(0, HOUR))
    assert.equal(time.at(after(DAY - 1, HOUR + DAY)), START + DAY - 1)
    assert.equal(time.at(after(DAY, HOUR + DAY)), START + DAY + HOUR)
    assert.equal(time.at(after(2 * DAY - 2, HOUR + DAY)), START + 2 * DAY - 2 + HOUR)
    assert.equal(time.at(after(2 * DAY - 1, HOUR + DAY)), START + 2 * DAY - 1 + HOUR + DAY)
  })

  it('forgets a jump when the clock goes back, at once or little by little', () => {
    const time = new BelievedTime(after(0))
    time.at(after(0, HOUR))
    for (let minutes = 0; minutes < 60; minutes++) {
      assert.equal(time.at(after(minutes * MINUTE, HOUR - minutes * MINUTE)), START + minutes * MINUTE)
    }
    assert.ok(time.jumps(HOUR).every(({ by }) => by <= 2 * MINUTE))
    time.at(after(HOUR, 2 * DAY))
    time.at(after(HOUR))
    assert.ok(time.jumps(HOUR).every(({ by }) => by <= 2 * MINUTE))
  })

  it('goes on with what an earlier process doubted', () => {
    const first = new BelievedTime(after(0))
    first.at(after(0, HOUR))
    const jumps = first.jumps(DAY / 2)
    assert.deepEqual(jumps, [{ by: HOUR, doubtedFor: DAY / 2 }])
    const second = new BelievedTime(after(DAY / 2, HOUR), jumps)
    assert.equal(second.at(after(DAY - 1, HOUR)), START + DAY - 1)
    assert.equal(second.at(after(DAY, HOUR)), START + DAY + HOUR)
  })
})
