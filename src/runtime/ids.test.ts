// Ids: their format and order.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { systemClock } from './clock.ts'
import { newId } from './ids.ts'

describe('an id', () => {
  it('sorts behind all that were made before it, however many a millisecond has', () => {
    const ids = Array.from({ length: 50_000 }, newId)
    assert.deepEqual(ids, ids.toSorted())
    assert.equal(new Set(ids).size, ids.length)
  })

  it('is a UUID of version 7 that names the time it was made (RFC 9562, 5.7)', async () => {
    // What the test before it borrowed has to pass.
    const timeOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
    for (let left = 100; left > 0 && timeOf(newId()) > systemClock.now(); left--) await setTimeout(50)
    // The clock of the machine may be set; that of the process runs on.
    const before = systemClock.now()
    const id = newId()
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const made = timeOf(id)
    assert.ok(made >= before && made <= systemClock.now(), `${made} is not now`)
  })
})
