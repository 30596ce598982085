// A form that is refused while it is still arriving: its sender must get to see why, instead of a broken connection.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it, type TestContext } from 'node:test'
import { serve } from '@hono/node-server'
import { type MultipartError, readMultipart } from './multipart.ts'

const limits = { files: 1, fileSize: 100_000, fields: 0, fieldSize: 0 }

async function statusFor(body: Readable | ReadableStream<Uint8Array> | null, contentType = ''): Promise<number> {
  const onFile = async (_: string, stream: Readable) => void (await buffer(stream))
  const reading = readMultipart(body, { contentType, limits, onFile })
  return reading.then(
    () => 200,
    ({ code }: MultipartError) => (code === 'too_large' ? 413 : 400),
  )
}

/** Sends a file of so many bytes, in pieces, to the end or to the first answer; gives the status. */
async function send(t: TestContext, server: Server, bytes: number): Promise<number> {
  t.after(() => server.close().closeAllConnections())
  if (!server.listening) await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = request({ port, method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b' } })
  client.on('error', () => {})
  Readable.from(form(bytes)).pipe(client)
  const [response] = await once(client, 'response')
  response.resume()
  return response.statusCode
}

function* form(bytes: number) {
  yield '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
  for (let left = bytes; left > 0; left -= 50_000) yield Buffer.alloc(Math.min(left, 50_000))
  yield '\r\n--b--\r\n'
}

describe('a form that is refused on the way', () => {
  it('is answered over a Node request', async (t) => {
    const server = createServer(async (incoming, response) => {
      response.writeHead(await statusFor(incoming, incoming.headers['content-type'])).end()
    }).listen(0, '127.0.0.1')
    assert.equal(await send(t, server, 100_000), 200)
    assert.equal(await send(t, server, 100_001), 413)
    assert.equal(await send(t, server, 20_000_000), 413)
  })

  it('is answered over a web request', async (t) => {
    const fetch = async ({ body, headers }: Request) =>
      new Response(null, { status: await statusFor(body, headers.get('content-type') ?? '') })
    const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }) as Server
    assert.equal(await send(t, server, 100_000), 200)
    assert.equal(await send(t, server, 100_001), 413)
    assert.equal(await send(t, server, 20_000_000), 413)
  })
})
