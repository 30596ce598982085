// What bad input gets from MCP: the protocol's own errors, never a stack trace, and nothing written.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { createNodeServer, stopServer } from '../../src/surfaces/http/listen.ts'
import { onEveryEngine, type World } from '../world.ts'
import { EVERY_SCOPE, eras, type Message, messageOf, post, send, tokenOf, useTool } from './speaking.ts'

const crash = { title: 'Crash', description: 'It stops', severity: 'low' }
const filing = { name: 'create_bug', arguments: crash }

async function nothingWritten(world: World): Promise<void> {
  assert.equal((await world.stranger.bugs.list()).total, 0)
}

/** A refusal of the protocol: a JSON-RPC error that tells nothing of the inside. */
async function refused(response: Response, status: number): Promise<{ code: number; message: string }> {
  const text = await response.text()
  assert.equal(response.status, status, text)
  assert.doesNotMatch(text, /node_modules|\.ts:\d|at async|Error:/)
  const { error } = JSON.parse(text) as Message
  assert.ok(error, text)
  return error
}

onEveryEngine('MCP without a credential that will do', (it) => {
  it('answers 401 with where a token comes from and the scope it needs, and writes nothing', async (world) => {
    for (const era of eras) {
      for (const token of [undefined, 'nonsense', 'a.b.c']) {
        const response = await send(world, 'tools/call', filing, { token, era })
        assert.equal(response.status, 401)
        const asked = response.headers.get('www-authenticate')!
        assert.match(asked, /^Bearer /)
        assert.match(asked, /scope="community:write"/)
        const metadata = asked.match(/resource_metadata="([^"]*)"/)![1]!
        const document = (await (await world.app.fetch(new Request(metadata))).json()) as { resource: string }
        assert.equal(document.resource, `${world.ground.config.baseUrl}/api/mcp`)
        assert.equal(/error="invalid_token"/.test(asked), token !== undefined)
      }
    }
    await nothingWritten(world)
  })

  it('answers 403 with the scope that is missing', async (world) => {
    const token = await tokenOf(world, world.alice, 'community:read library:read')
    for (const era of eras) {
      const response = await send(world, 'tools/call', filing, { token, era })
      assert.equal(response.status, 403)
      assert.match(response.headers.get('www-authenticate')!, /error="insufficient_scope".*scope="community:write"/)
    }
    await nothingWritten(world)
  })

  it('takes an expired token for none, and the token of a blocked account for blocked', async (world) => {
    const token = await tokenOf(world, world.alice)
    world.clock.pass(30 * 24 * 3600)
    assert.equal((await send(world, 'tools/call', filing, { token })).status, 401)
    assert.equal((await useTool(world, 'list_bugs', { token })).isError, undefined)
    const another = await tokenOf(world, world.bob)
    const { id } = await world.bob.account()
    await world.db.updateTable('user').set({ blockedAt: new Date().toISOString() }).where('id', '=', id).execute()
    const result = await useTool(world, 'create_bug', { input: crash, token: another })
    assert.equal(result.isError, true)
    assert.equal(result.content[0]!.text, 'Account blocked')
    await nothingWritten(world)
  })

  it('says the same through call_operation, and where a part of an open operation needs somebody', async (world) => {
    const params = { name: 'call_operation', arguments: { name: 'bugs.create', input: crash } }
    assert.equal((await send(world, 'tools/call', params)).status, 401)
    const mine = { name: 'list_library_items', arguments: { scope: 'mine' } }
    assert.equal((await send(world, 'tools/call', mine)).status, 401)
    const token = await tokenOf(world, world.alice, EVERY_SCOPE)
    assert.equal((await send(world, 'tools/call', mine, { token })).status, 200)
    await nothingWritten(world)
  })

  it("counts the site's cookie for nothing", async (world) => {
    const params = messageOf('tools/call', filing, '2025-11-25')
    const response = await world.alice.request('/api/mcp', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify(params),
    })
    assert.equal(response.status, 401)
    await nothingWritten(world)
  })
})

onEveryEngine('MCP given nonsense', (it) => {
  it('refuses an unknown tool and an unknown method in the words of the protocol', async (world) => {
    for (const era of eras) {
      const unknown = await send(world, 'tools/call', { name: '__proto__', arguments: {} }, { era })
      assert.equal((await refused(unknown, unknown.status)).code, -32602)
      const method = await send(world, 'tools/destroy', {}, { era })
      assert.equal((await refused(method, method.status)).code, -32601)
    }
  })

  it('makes wrong arguments a result that says what is wrong, and writes nothing', async (world) => {
    const token = await tokenOf(world, world.alice)
    for (const input of [{}, { title: 1 }, { ...crash, severity: 'none' }, { ...crash, title: 'x'.repeat(101) }]) {
      for (const era of eras) {
        const { isError, content } = await useTool(world, 'create_bug', { input, token, era })
        assert.equal(isError, true)
        assert.match(content[0]!.text!, /^(title|description|severity): /)
      }
    }
    for (const files of [undefined, 'text', [], [{ filename: 'a.md' }], [{ filename: '../../a.exe', content: 'x' }]]) {
      const { isError } = await useTool(world, 'run_org', { input: { id: 'nothing', files }, token })
      assert.equal(isError, true)
    }
    for (const input of [[], 'text', 1]) {
      const { isError } = await useTool(world, 'call_operation', { input: { name: 'bugs.create', input }, token })
      assert.equal(isError, true)
    }
    await nothingWritten(world)
  })

  it('refuses what is no message', async (world) => {
    for (const body of [
      '',
      '{',
      'null',
      '1',
      '[]',
      '"text"',
      '{}',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      '['.repeat(50_000),
    ]) {
      const response = await post(world, body)
      assert.equal(response.status, 400, body.slice(0, 40))
      await refused(response, 400)
    }
  })

  it('does nothing of a batch that holds a call its sender may not make', async (world) => {
    const calls = [1, 2].map((id) => ({ ...messageOf('tools/call', filing, '2025-11-25'), id }))
    const response = await post(world, calls, { era: '2025-11-25' })
    assert.ok([400, 401].includes(response.status))
    await nothingWritten(world)
  })

  it('reads no more than its limit', async (world) => {
    const token = await tokenOf(world, world.alice)
    const message = messageOf(
      'tools/call',
      { ...filing, arguments: { ...crash, description: 'x'.repeat(5_000_000) } },
      '2025-11-25',
    )
    await refused(await post(world, message, { token }), 413)
    await nothingWritten(world)
  })

  it('refuses other sites, and every method but POST', async (world) => {
    const token = await tokenOf(world, world.alice)
    const foreign: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ]
    for (const headers of foreign) {
      await refused(await send(world, 'tools/call', filing, { token, headers }), 403)
    }
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      const response = await world.app.fetch(new Request(`${world.ground.config.baseUrl}/api/mcp`, { method }))
      assert.equal(response.headers.get('allow'), 'OPTIONS, POST')
      await refused(response, 405)
    }
    await nothingWritten(world)
  })

  it('forgets a request whose connection breaks before all of it is there', async (world) => {
    const token = await tokenOf(world, world.alice)
    const errors: unknown[] = []
    const server = createNodeServer({
      app: (request, surroundings) => world.app.fetch(request, surroundings),
      config: { trustProxy: 0 },
      dataVersion: undefined,
      observe() {},
    })
    const failed = (error: unknown) => errors.push(error)
    process.on('unhandledRejection', failed)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const body = JSON.stringify(messageOf('tools/call', filing, '2025-11-25'))
    for (const part of [0, 1, body.length - 1]) {
      const socket = connect(port, '127.0.0.1')
      socket.write(
        `POST /api/mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, part)}`,
      )
      await new Promise((resolve) => setTimeout(resolve, 50))
      socket.destroy()
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
    await stopServer(server, 100)
    process.off('unhandledRejection', failed)
    assert.deepEqual(errors, [])
    await nothingWritten(world)
  })
})
