// The version of the database as caches read it: once in a turn of the event loop, and again after a commit of this process.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { VersionChanges } from './commit-cache.ts'

function versions() {
  let [version, reads] = [1, 0]
  const changes = new VersionChanges(() => {
    reads++
    return version
  })
  return { changes, commit: () => version++, reads: () => reads }
}

describe('the version of the database', () => {
  it('is read once in a turn of the event loop, however many promises run in it', async () => {
    const { changes, reads } = versions()
    await setImmediate()
    for (let n = 0; n < 50; n++) assert.equal(changes.moment(), await Promise.resolve(1))
    assert.equal(reads(), 1)
  })

  it('is read again in the next turn, so that commits of other processes show', async () => {
    const { changes, commit } = versions()
    const moment = changes.moment()
    commit()
    await setImmediate()
    assert.equal(changes.isCurrent(moment), false)
  })

  it('is read again in the next of two callbacks of one phase', async () => {
    const { changes, commit } = versions()
    const seen: number[] = []
    await new Promise<void>((done) => {
      globalThis.setImmediate(() => {
        seen.push(changes.moment())
        commit()
      })
      globalThis.setImmediate(() => {
        seen.push(changes.moment())
        done()
      })
    })
    assert.deepEqual(seen, [1, 2])
  })

  it('is read again in the same turn after a commit of this process', async () => {
    const { changes, commit } = versions()
    const moment = changes.moment()
    commit()
    changes.forget()
    assert.equal(changes.isCurrent(moment), false)
  })
})
