// The order of waiting work, and the refusal when the queue is full.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { forClient } from '../runtime/wanted.ts'
import { FairQueue, type QueueOwner } from './queue.ts'

/** Work that ends on command, and the order of starts. */
function works(queue: FairQueue) {
  const began: string[] = []
  const ends: (() => void)[] = []
  const askFor = (by: QueueOwner, name = by.owner) =>
    queue.run(by, async () => {
      began.push(name)
      await new Promise<void>((end) => ends.push(end))
    })
  const ask = (owner: string, name = owner, isFirst = true) => askFor({ owner, isFirst }, name)
  const endAll = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end()
      await new Promise(setImmediate)
    }
  }
  return { began, ask, askFor, endAll }
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

  it('has room for a tenth of a network, however many owners it has, at n and n+1, and for others after that', async () => {
    const { began, askFor, endAll } = works(new FairQueue({ concurrent: 1, maxWaiting: 40, maxWaitingOfOne: 3 }))
    const running = askFor({ owner: 'running', network: '192.0.2' })
    const of = (owner: string) => askFor({ owner, network: '192.0.2' })
    const taken = [of('a'), of('a'), of('b'), of('c')]
    await assert.rejects(of('d'), isRefused)
    await assert.rejects(askFor({ owner: 'd', network: '192.0.2', isFirst: false }), isRefused)
    const others = Array.from({ length: 36 }, (_, n) => askFor({ owner: `o${n}`, network: `10.${n % 9}.0` }))
    await assert.rejects(askFor({ owner: 'last', network: '10.99.0' }), isRefused)
    await new Promise(setImmediate)
    await endAll()
    await Promise.all([running, ...taken, ...others])
    assert.equal(began.length, 41)
    const again = [of('a'), of('a'), of('b'), of('c'), of('d')]
    await assert.rejects(of('e'), isRefused)
    await endAll()
    await Promise.all(again)
  })

  it('gives what this machine asks for all of the room', async () => {
    const { askFor, endAll } = works(new FairQueue({ concurrent: 1, maxWaiting: 20, maxWaitingOfOne: 1 }))
    const taken = Array.from({ length: 21 }, (_, n) => askFor({ owner: `o${n}` }))
    await assert.rejects(askFor({ owner: 'last' }), isRefused)
    await endAll()
    await Promise.all(taken)
  })

  it('goes on when a work fails', async () => {
    const queue = new FairQueue({ concurrent: 1, maxWaiting: 5, maxWaitingOfOne: 5 })
    const fail = () => queue.run({ owner: 'a' }, () => Promise.reject(new Error('no')))
    const settled = await Promise.allSettled([fail(), fail(), queue.run({ owner: 'a' }, async () => 3)])
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
              queue.run({ owner: by }, async () => {
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
