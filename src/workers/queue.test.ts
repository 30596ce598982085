// The order of waiting work, and the refusal when the queue is full.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { forClient } from '../runtime/wanted.ts'
import { FairQueue } from './queue.ts'

/** Work that ends on command, and the order of starts. */
function works(queue: FairQueue) {
  const began: string[] = []
  const ends: (() => void)[] = []
  const ask = (by: string, name = by, isFirst = true) =>
    queue.run(
      by,
      async () => {
        began.push(name)
        await new Promise<void>((end) => ends.push(end))
      },
      isFirst,
    )
  const endAll = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end()
      await new Promise(setImmediate)
    }
  }
  return { began, ask, endAll }
}

const isRefused = { name: 'Problem', code: 'unavailable', details: { retryAfterSeconds: 5 } }

describe('a fair queue', () => {
  it('lets members take turns, however much one of them asked for first', async () => {
    const { began, ask, endAll } = works(new FairQueue({ concurrent: 1, maxWaiting: 100, maxWaitingOfOne: 50 }))
    const all = [
      ...Array.from({ length: 40 }, (_, n) => ask('a', `a${n}`)),
      ...['b', 'c', 'b'].map((by, n) => ask(by, `${by}${n}`)),
    ]
    await new Promise(setImmediate)
    await endAll()
    await Promise.all(all)
    assert.deepEqual(began.slice(0, 7), ['a0', 'a1', 'b0', 'c1', 'a2', 'b2', 'a3'])
    assert.equal(began.length, 43)
  })

  it('serves those who go first before all others, and owners in turns among each', async () => {
    const { began, ask, endAll } = works(new FairQueue({ concurrent: 1, maxWaiting: 100, maxWaitingOfOne: 50 }))
    const strangers = ['s', 's', 's', 't'].map((by, n) => ask(by, `${by}${n}`, false))
    const members = ['a', 'a', 'b'].map((by, n) => ask(by, `${by}${n}`))
    await new Promise(setImmediate)
    await endAll()
    await Promise.all([...strangers, ...members])
    assert.deepEqual(began, ['s0', 'a0', 'b2', 'a1', 's1', 't3', 's2'])
  })

  it('is bounded for each and in all, at n and n+1', async () => {
    const { ask, endAll } = works(new FairQueue({ concurrent: 1, maxWaiting: 5, maxWaitingOfOne: 3 }))
    const taken = [ask('a'), ask('a'), ask('a'), ask('a')]
    await assert.rejects(ask('a'), isRefused)
    taken.push(ask('b'), ask('c'))
    await assert.rejects(ask('d'), isRefused)
    await endAll()
    await Promise.all(taken)
    const again = ask('d')
    await new Promise(setImmediate)
    await endAll()
    await again
  })

  it('goes on when a work fails', async () => {
    const queue = new FairQueue({ concurrent: 1, maxWaiting: 5, maxWaitingOfOne: 5 })
    const fail = () => queue.run('a', () => Promise.reject(new Error('no')))
    const settled = await Promise.allSettled([fail(), fail(), queue.run('a', async () => 3)])
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'rejected', 'fulfilled'],
    )
  })

  it('never does more at a time than it may, and all of what it took', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        async (asked, concurrent) => {
          const queue = new FairQueue({ concurrent, maxWaiting: 20, maxWaitingOfOne: 8 })
          let [running, most, done] = [0, 0, 0]
          const results = await Promise.allSettled(
            asked.map((by) =>
              queue.run(by, async () => {
                most = Math.max(most, ++running)
                await new Promise(setImmediate)
                running--
                done++
              }),
            ),
          )
          assert.ok(most <= concurrent)
          assert.equal(done, results.filter(({ status }) => status === 'fulfilled').length)
          assert.ok(done >= Math.min(asked.length, concurrent))
        },
      ),
      { numRuns: 50 },
    )
  })

  it('gives up the work of a client that went while it waited, and goes on with the next', async () => {
    const queue = new FairQueue({ concurrent: 1, maxWaiting: 100, maxWaitingOfOne: 50 })
    const { began, ask, endAll } = works(queue)
    let hasGone = false
    const first = forClient(
      () => hasGone,
      () => ask('a', 'running'),
    )
    const second = forClient(
      () => hasGone,
      () => ask('a', 'waiting'),
    )
    const third = ask('b', 'next')
    await new Promise(setImmediate)
    hasGone = true
    const refused = assert.rejects(second, { name: 'Problem', code: 'unavailable' })
    await endAll()
    await Promise.all([first, refused, third])
    assert.deepEqual(began, ['running', 'next'])
  })
})
