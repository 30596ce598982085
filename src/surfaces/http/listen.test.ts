// Readers of answers: those that stand still are let go, those that are slow are not.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createNodeServer } from './listen.ts'

const BYTES = 24 * 1024 * 1024
const STALLED = 1_500

/** A server of one long answer, and a connection that has asked for it and reads nothing yet. */
async function ask(t: TestContext): Promise<{ client: Socket; atServer: Socket }> {
  const app = () => new Response(new Uint8Array(BYTES))
  const config = { readers: 'everyone' as const, trustProxy: 0, name: 'Guildhall', baseUrl: 'http://localhost:3000' }
  const server = createNodeServer({ app, config, observe() {}, stalledMilliseconds: STALLED })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close().closeAllConnections())
  const connected = once(server, 'connection')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  t.after(() => client.destroy())
  client.pause().write('GET /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const [atServer] = (await connected) as [Socket]
  return { client, atServer }
}

describe('an answer', () => {
  it('that nobody reads is given up', async (t) => {
    const { atServer } = await ask(t)
    await once(atServer, 'close', { signal: AbortSignal.timeout(10 * STALLED) })
  })

  it('that is read slowly arrives whole', async (t) => {
    const { client } = await ask(t)
    const begun = Date.now()
    let read = 0
    for await (const chunk of client) {
      read += chunk.length
      await setTimeout(10)
    }
    assert.ok(read > BYTES)
    assert.ok(Date.now() - begun > 2 * STALLED)
  })
})
