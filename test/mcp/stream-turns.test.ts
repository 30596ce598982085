// The turns of streams: they take a part of the time of a process at most, and every stream has its own.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '../../src/runtime/log.ts'
import { StreamTurns, type TurningStream } from '../../src/surfaces/mcp/stream-turns.ts'

const holder = { kind: 'events', accountId: 'a', address: '192.0.2.1', mostOfAccount: 100 } as const

function streamOf(serve: () => Promise<boolean>, watches = 1): TurningStream {
  return { holder, watches, serve, close() {} }
}

it('take at most a part of the time, one stream after the other', async () => {
  const turns = new StreamTurns({ log: openLog('silent') })
  const served = Array.from({ length: 6 }, () => 0)
  const streams = served.map((_, at) =>
    streamOf(async () => {
      served[at] = (served[at] ?? 0) + 1
      await sleep(50)
      return true
    }),
  )
  for (const stream of streams) assert.equal(turns.begin(stream), undefined)
  const begun = performance.now()
  await sleep(2_000)
  for (const stream of streams) turns.end(stream)
  const passed = performance.now() - begun
  const all = served.reduce((sum, one) => sum + one)
  // Of 50 ms each, two begin in the 80 ms of a turn.
  assert.ok(all <= 2 * (passed / 250 + 1), `${all} in ${passed} ms`)
  assert.ok(all >= 6 && Math.max(...served) - Math.min(...served) <= 1, String(served))
})

it('go on at once with a stream that has more', async () => {
  const turns = new StreamTurns({ log: openLog('silent') })
  let [more, others] = [0, 0]
  const streams = [streamOf(async () => ++more < 20), streamOf(async () => ++others < 0)]
  for (const stream of streams) turns.begin(stream)
  await sleep(400)
  for (const stream of streams) turns.end(stream)
  assert.ok(more >= 20 && others >= 1, `${more}, ${others}`)
})

it('begin with another stream where one failed', async () => {
  const turns = new StreamTurns({ log: openLog('silent') })
  let others = 0
  const streams = [streamOf(() => Promise.reject(new Error('It broke'))), streamOf(async () => ++others < 0)]
  for (const stream of streams) turns.begin(stream)
  await sleep(800)
  for (const stream of streams) turns.end(stream)
  assert.ok(others >= 1)
})

it('end when the server stops, and no other begins', () => {
  const turns = new StreamTurns({ log: openLog('silent') })
  let isClosed = false
  const stream = {
    ...streamOf(async () => false),
    close() {
      isClosed = true
    },
  }
  turns.begin(stream)
  turns.close()
  assert.ok(isClosed)
  assert.equal(turns.begin(streamOf(async () => false)), 'closed')
  turns.end(stream)
})

it('watch at most 200 things in a network, at n and n + 1', () => {
  const turns = new StreamTurns({ log: openLog('silent') })
  const [most, one] = [streamOf(async () => false, 200), streamOf(async () => false)]
  assert.equal(turns.begin(most), undefined)
  assert.equal(turns.begin(one), 'full')
  turns.end(most)
  assert.equal(turns.begin(one), undefined)
  turns.end(one)
})
