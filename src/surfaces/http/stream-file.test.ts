// Streaming of files to a client.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type FileHandle, open, truncate, writeFile } from 'node:fs/promises'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryDirectory } from '../../../test/temporary.ts'
import { streamFile } from './send-file.ts'

const PIECE = 256 * 1024

/** Bytes that differ from those of another seed, and from those 256 KB on. */
function bytesOf(length: number, seed = 1): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  for (let n = 0; n < length; n++) bytes[n] = (n * 31 + seed * 7 + (n >> 18)) & 255
  return bytes
}

/** Serves a file at each path; what went wrong with one, and the handles that were opened, are kept. */
async function serveFiles(t: TestContext, files: Record<string, Buffer>) {
  const directory = await temporaryDirectory(t)
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(directory, name), bytes)
  const handles: FileHandle[] = []
  const faults: unknown[] = []
  const server = createServer(async ({ url, headers }, response) => {
    const name = url!.slice(1)
    const size = files[name]!.length
    const [start, end] = (headers.range ?? `0-${size - 1}`).split('-').map(Number) as [number, number]
    const file = await open(join(directory, name))
    handles.push(file)
    response.writeHead(200, { 'Content-Length': end - start + 1 })
    await streamFile(file, { start, end }, response).catch((fault: unknown) => faults.push(fault))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const ask = async (name: string, headers: Record<string, string> = {}) => {
    const [answer] = (await once(get({ port, path: `/${name}`, headers }), 'response')) as [IncomingMessage]
    return answer
  }
  return { ask, handles, faults, directory }
}

const until = async (condition: () => boolean) => {
  for (let tries = 0; tries < 200 && !condition(); tries++) await sleep(10)
  assert.ok(condition())
}

describe('a file that is poured into an answer', () => {
  it('arrives byte for byte, at any length and from any range', async (t) => {
    const lengths = [1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 5 * PIECE + 7]
    const files = Object.fromEntries(lengths.map((length) => [String(length), bytesOf(length)]))
    const { ask, handles } = await serveFiles(t, files)
    for (const length of lengths)
      assert.ok((await buffer(await ask(String(length)))).equals(bytesOf(length)), String(length))
    const whole = bytesOf(5 * PIECE + 7)
    for (const [start, end] of [
      [0, 0],
      [3, PIECE + 2],
      [PIECE, 3 * PIECE - 1],
      [whole.length - 1, whole.length - 1],
    ] as const) {
      const part = await buffer(await ask(String(whole.length), { range: `${start}-${end}` }))
      assert.ok(part.equals(whole.subarray(start, end + 1)), `${start}-${end}`)
    }
    await until(() => handles.every(({ fd }) => fd === -1))
  })

  it('is never mixed with another, however many are on their way and however slowly they are read', async (t) => {
    const names = Array.from({ length: 12 }, (_, n) => String(n))
    const { ask } = await serveFiles(t, Object.fromEntries(names.map((name, n) => [name, bytesOf(1_500_000, n)])))
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        names.map(async (name, n) => {
          const answer = await ask(name)
          const pieces: Buffer[] = []
          for await (const piece of answer) {
            pieces.push(piece as Buffer)
            if (n % 3 === 0) await sleep(1)
          }
          assert.ok(Buffer.concat(pieces).equals(bytesOf(1_500_000, n)), name)
        }),
      )
    }
  })

  it('is closed when its reader goes away', async (t) => {
    const { ask, handles, faults } = await serveFiles(t, { large: bytesOf(20_000_000) })
    const answer = await ask('large')
    await once(answer, 'readable')
    answer.destroy()
    await until(() => handles.length === 1 && handles[0]!.fd === -1)
    assert.deepEqual(faults, [])
  })

  it('breaks the connection when it turns out shorter, and says why', async (t) => {
    const { ask, handles, faults, directory } = await serveFiles(t, { cut: bytesOf(2_000_000) })
    await truncate(join(directory, 'cut'), 1_000_000)
    await assert.rejects(buffer(await ask('cut')), /aborted|reset/)
    await until(() => handles[0]!.fd === -1 && faults.length > 0)
    assert.match(String(faults[0]), /ends too early/)
  })
})
