import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Heartbeat } from './heartbeat.ts'

function standStill(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

it('a heartbeat knows that its process stood still before a timer rings that was due in the meantime', async () => {
  let beats = 0
  const heartbeat = new Heartbeat(() => beats++, 50)
  const rung = sleep(300).then(() => heartbeat.stoodStillWithin(10_000))
  standStill(400)
  assert.equal(await rung, true)
  assert.ok(beats > 0)
  assert.equal(heartbeat.stoodStillWithin(0), false)
  const late = new Error('Query read timeout')
  assert.equal(heartbeat.isSilence(late, 10_000), false)
  assert.equal(heartbeat.isSilence(late, 0), true)
  assert.equal(heartbeat.isSilence(new Error('password authentication failed'), 0), false)
  heartbeat.stop()
  const then = beats
  await sleep(100)
  assert.equal(beats, then)
})
