// The mean that says which replica is the fastest.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AnswerTime } from './replica.ts'

describe('the time of answers', () => {
  it('is that of the first answer, and follows reads soon', () => {
    const time = new AnswerTime()
    assert.equal(time.milliseconds, 0)
    time.learnQuestion(2)
    assert.equal(time.milliseconds, 2)
    for (let read = 0; read < 20; read++) time.learnRead(100)
    assert.ok(time.milliseconds > 90 && time.milliseconds < 100)
  })

  it('comes back by small questions in some ten seconds, so that a server that was slow is tried again', () => {
    const time = new AnswerTime()
    time.learnRead(100)
    for (let beat = 0; beat < 10; beat++) time.learnQuestion(1)
    assert.ok(time.milliseconds > 70)
    for (let beat = 0; beat < 110; beat++) time.learnQuestion(1)
    assert.ok(time.milliseconds < 7)
  })
})
