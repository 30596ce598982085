// A client that closes its connection: what it asked to read is given up, and what it asked to write is made.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { createNodeServer } from '../src/surfaces/http/listen.ts'
import { sqliteDatabase } from './databases.ts'
import { memberOf } from './processes.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld } from './world.ts'

/** A server whose requests with credentials wait for `open` before anything else. */
async function openServer(t: TestContext) {
  const database = await sqliteDatabase()
  const arrived = Promise.withResolvers<void>()
  const { promise, resolve: open } = Promise.withResolvers<void>()
  let isGated = false
  const caughtUp = () => {
    if (isGated) arrived.resolve()
    return isGated ? promise : undefined
  }
  const world = await makeWorld({ ...database, caughtUp }, { BLOB_URL: `file:${await temporaryDirectory(t)}` })
  const { cookie } = await memberOf(world)
  const answered: [operation: string, status: number][] = []
  const done = Promise.withResolvers<void>()
  const observe = (operation: string, status: number) => {
    answered.push([operation, status])
    done.resolve()
  }
  const server = createNodeServer({ app: world.app.fetch, config: world.dependencies.config, observe })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.close().closeAllConnections()
    await database.remove()
  })
  /** Sends a request, closes the connection once it has arrived, and resolves when the server is done with it. */
  const sendAndGo = async (lines: string[], body = '') => {
    isGated = true
    const connected = once(server, 'connection')
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    const all = [...lines, 'Host: localhost:3000', `Cookie: ${cookie}`, `Content-Length: ${body.length}`]
    client.write(`${all.join('\r\n')}\r\n\r\n${body}`)
    const [socket] = (await connected) as [Socket]
    await arrived.promise
    const closed = once(socket, 'close')
    client.destroy()
    await closed
    open()
    await done.promise
    return answered
  }
  return { world, sendAndGo }
}

describe('a client that has gone', () => {
  it('gets nothing read', async (t) => {
    const { sendAndGo } = await openServer(t)
    assert.deepEqual(await sendAndGo(['GET /api/community/bugs HTTP/1.1']), [['bugs.list', 503]])
  })

  it('has written what it sent', async (t) => {
    const { world, sendAndGo } = await openServer(t)
    const body = JSON.stringify({ title: 'Sent', description: 'And not waited for', severity: 'low' })
    const lines = ['POST /api/community/bugs HTTP/1.1', 'Content-Type: application/json']
    assert.deepEqual(await sendAndGo(lines, body), [['bugs.create', 201]])
    const bugs = await world.db.selectFrom('bug').select('title').execute()
    assert.deepEqual(bugs, [{ title: 'Sent' }])
  })
})
