// A file that comes from a bucket, into a response.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileResponse } from './send-file.ts'

const PIECE = 64 * 1024
const SIZE = 40 * PIECE + 7
const bytes = Buffer.from(Uint8Array.from({ length: SIZE }, (_, n) => (n * 31 + (n >> 16)) & 255))

type Open = (range?: { start: number; end: number }) => Promise<Readable>

/** Pieces as a bucket sends them; `fail` is called before each but the first. */
const pieces = (from: Buffer, fail?: () => void): Readable =>
  Readable.from(
    (function* () {
      for (let at = 0; at < from.length; at += PIECE) {
        if (at > 0) fail?.()
        yield from.subarray(at, at + PIECE)
      }
    })(),
    { objectMode: false },
  )

async function serve(t: TestContext, open: Open) {
  const faults: unknown[] = []
  const file = { contentType: 'application/zip', size: SIZE, tag: 'abc', headers: {}, source: { open } }
  const server = createServer(async (incoming, outgoing) => {
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
    const request = new Request('http://localhost/', { headers: Object.fromEntries(headers) })
    await fileResponse(request, file, { headers: {}, outgoing, onFault: (fault) => void faults.push(fault) }).catch(
      () => outgoing.writeHead(500).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const ask = async (headers: Record<string, string> = {}) => {
    const [answer] = (await once(get({ port, headers, agent: false }), 'response')) as [IncomingMessage]
    return answer
  }
  return { ask, faults }
}

const until = async (condition: () => boolean) => {
  for (let tries = 0; tries < 200 && !condition(); tries++) await sleep(10)
  assert.ok(condition())
}

describe('a stream that is sent as a response', () => {
  it('arrives byte for byte, whole and in part', async (t) => {
    const { ask, faults } = await serve(t, async (range) =>
      pieces(range ? bytes.subarray(range.start, range.end + 1) : bytes),
    )
    const whole = await ask()
    assert.equal(whole.headers['content-length'], String(SIZE))
    assert.ok((await buffer(whole)).equals(bytes))
    const part = await ask({ range: `bytes=5-${3 * PIECE}` })
    assert.equal(part.statusCode, 206)
    assert.ok((await buffer(part)).equals(bytes.subarray(5, 3 * PIECE + 1)))
    assert.deepEqual(faults, [])
  })

  it('breaks the connection and says why, when it fails on its way', async (t) => {
    const fault = new Error('the bucket is away')
    let left = 20
    const { ask, faults } = await serve(t, async () =>
      pieces(bytes, () => {
        if (left-- === 0) throw fault
      }),
    )
    await assert.rejects(buffer(await ask()), { code: 'ECONNRESET' })
    await until(() => faults.length > 0)
    assert.deepEqual(faults, [fault])
  })

  it('is an error when it cannot be opened', async (t) => {
    const { ask } = await serve(t, () => Promise.reject(new Error('away')))
    assert.equal((await ask()).statusCode, 500)
  })

  it('is closed when the reader goes away, which is no fault', async (t) => {
    const stream = new Readable({ read: () => {} })
    const { ask, faults } = await serve(t, async () => stream)
    stream.push(bytes.subarray(0, PIECE))
    const answer = await ask()
    await once(answer, 'data')
    answer.destroy()
    await until(() => stream.destroyed)
    await sleep(50)
    assert.deepEqual(faults, [])
  })
})
