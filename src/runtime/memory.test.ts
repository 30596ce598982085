// Memory that a process gives back to the system.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { returnMemoryWhenIdle } from './memory.ts'

const MEGABYTE = 1024 * 1024
const LOOK_MILLISECONDS = 50

/** Fills the heap with so many megabytes of objects that stay until the result is dropped. */
const filled = (megabytes: number) =>
  Array.from({ length: megabytes * 2_000 }, (_, n) => Array.from({ length: 60 }, () => n))

const heapMegabytes = () => process.memoryUsage().heapTotal / MEGABYTE

/** Works without a rest: the event loop is busy for nearly all of the time. */
async function busyFor(milliseconds: number): Promise<void> {
  for (const end = performance.now() + milliseconds; performance.now() < end; await sleep(0)) {
    for (const turn = performance.now() + 10; performance.now() < turn; );
  }
}

describe('memory of a load that is over', () => {
  it('is given back by an idle process, and not by one that works', async (t) => {
    let times = 0
    const shrink = () => void times++
    t.after(returnMemoryWhenIdle({ shrink, everyMilliseconds: LOOK_MILLISECONDS, firstMilliseconds: 0 }))
    await sleep(3 * LOOK_MILLISECONDS)
    const [before, atStart] = [heapMegabytes(), times]
    let load: unknown = filled(100)
    const loaded = heapMegabytes()
    assert.ok(loaded > before + 90, `${before} MB, then ${loaded} MB`)
    await busyFor(10 * LOOK_MILLISECONDS)
    assert.equal(times, atStart, 'given back while it works')
    load = undefined
    for (let look = 0; look < 100 && heapMegabytes() > before + 32; look++) await sleep(LOOK_MILLISECONDS)
    assert.ok(heapMegabytes() <= before + 32, `${heapMegabytes()} MB of ${loaded}, ${before} before`)
    assert.equal(load, undefined)
  })
})
