// Refusals of the endpoint: the protocol's own errors, without internal details, and nothing is written.
import assert from 'node:assert/strict'
import { request as nodeRequest } from 'node:http'
import { it as alone, describe } from 'node:test'
import { api } from '../../src/api.ts'
import { EXAMPLE_ID } from '../../src/contract/fields.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { sqliteDatabase } from '../databases.ts'
import { BASE_URL, makeWorld, onEveryEngine } from '../world.ts'
import { ask, callTool, eras, LEGACY, MODERN, post, tokenOf } from './caller.ts'
import { serve } from './serve.ts'

const BUG = { title: 'Crash', description: 'On start', severity: 'high' }
const METADATA = `resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/api/mcp"`
/** Every scope of the API, so that a host never has to ask again. */
const FIRST_SCOPES = 'community:read community:write library:read library:write offline_access'
const call = (name: unknown, input?: unknown, more = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: input }, ...more })

onEveryEngine('an MCP call', (it) => {
  it('without a token where one is needed is answered 401, with where to get one', async ({ app, alice }) => {
    for (const era of eras) {
      const { status, headers } = await ask(app, 'tools/call', { name: 'create_bug', arguments: BUG }, { era })
      assert.equal(status, 401)
      assert.equal(headers.get('www-authenticate'), `Bearer scope="${FIRST_SCOPES}", ${METADATA}`)
      const tail = { name: 'call_operation', arguments: { name: 'profile.me', input: {} } }
      assert.equal((await ask(app, 'tools/call', tail, { era })).status, 401)
      const mine = { name: 'list_library_items', arguments: { scope: 'mine' } }
      const refused = await ask(app, 'tools/call', mine, { era })
      assert.equal(refused.status, 401)
      assert.equal(refused.headers.get('www-authenticate'), `Bearer scope="${FIRST_SCOPES}", ${METADATA}`)
    }
    assert.equal((await alice.bugs.list()).total, 0)
  })

  it('without a token names every scope of the API, so that no tool asks for another later', async ({ app }) => {
    const { headers } = await ask(app, 'tools/call', { name: 'what_is_new', arguments: {} })
    const named = /scope="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]?.split(' ') ?? []
    const operations = Object.values(api).flatMap((contract) => Object.values(contract as Record<string, Operation>))
    const needed = new Set(operations.flatMap(({ access: { scope } }) => scope ?? []))
    assert.deepEqual(
      [...needed].filter((scope) => !named.includes(scope)),
      [],
    )
    assert.equal(named.at(-1), 'offline_access')
    // REST names what the operation needs.
    const byRest = await app.fetch(new Request(`${BASE_URL}/api/community/news`))
    assert.match(byRest.headers.get('www-authenticate') ?? '', /scope="community:read"$/)
  })

  it('is answered at the address with a slash at its end as well', async ({ app }) => {
    for (const path of ['/api/mcp/', '/.well-known/oauth-protected-resource/api/mcp/']) {
      const init = path.startsWith('/api')
        ? {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
            body: call('get_feed', {}),
          }
        : {}
      const answer = await app.fetch(new Request(`${BASE_URL}${path}`, init))
      assert.equal(answer.status, 200, path)
      const { result, resource } = (await answer.json()) as { result?: object; resource?: string }
      assert.ok(result ?? resource === `${BASE_URL}/api/mcp`, path)
    }
  })

  it('with a token that lacks the scope is answered 403, with the scope', async (world) => {
    const { app, alice } = world
    const token = await tokenOf(world, alice, 'community:read library:read')
    for (const era of eras) {
      const wanted = { name: 'create_bug', arguments: BUG }
      const { status, headers } = await ask(app, 'tools/call', wanted, { era, token })
      assert.equal(status, 403)
      assert.equal(
        headers.get('www-authenticate'),
        `Bearer error="insufficient_scope", scope="community:read library:read community:write", ${METADATA}`,
      )
      const tail = { name: 'call_operation', arguments: { name: 'bugs.create', input: BUG } }
      const later = await ask(app, 'tools/call', tail, { era, token })
      assert.match(later.headers.get('www-authenticate')!, /scope="community:read library:read community:write"/)
    }
    assert.equal((await alice.bugs.list()).total, 0)
  })

  it('with a token that expired, is invalid or belongs to a blocked account does nothing', async (world) => {
    const { app, alice, bob, admin, clock } = world
    const token = await tokenOf(world, alice, 'community:write')
    const asking = { name: 'create_bug', arguments: BUG }
    for (const made of ['nonsense', 'a.b.c', `${token}x`]) {
      const { status, headers } = await ask(app, 'tools/call', asking, { token: made })
      assert.equal(status, 401)
      assert.match(headers.get('www-authenticate')!, /error="invalid_token"/)
    }
    const ofBlocked = await tokenOf(world, bob, 'community:write')
    await admin.admin.block({ id: (await bob.account()).id, blocked: true })
    assert.equal((await ask(app, 'tools/call', asking, { token: ofBlocked })).status, 401)
    clock.pass(3601)
    assert.equal((await ask(app, 'tools/call', asking, { token })).status, 401)
    assert.equal((await world.anonymous.bugs.list()).total, 0)
  })

  it('with a token that is not good is 401 by any method', async (world) => {
    const { app, alice, clock } = world
    const token = await tokenOf(world, alice, 'community:read')
    const asked: [string, object][] = [
      ['initialize', { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: 't', version: '1' } }],
      ['tools/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['resources/read', { uri: `${BASE_URL}/auth.md` }],
      ['prompts/list', {}],
      ['prompts/get', { name: 'file_bug', arguments: { problem: 'x' } }],
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name: 'review_update' }, argument: { name: 'slug', value: '' } },
      ],
      ['tools/call', { name: 'get_feed', arguments: {} }],
      ['ping', {}],
    ]
    const statuses = async (given: string | undefined) =>
      Promise.all(asked.map(async ([method, params]) => (await ask(app, method, params, { token: given })).status))
    for (const good of [undefined, token]) assert.deepEqual(new Set(await statuses(good)), new Set([200]))
    for (const bad of ['nonsense', `${token}x`]) {
      assert.deepEqual(new Set(await statuses(bad)), new Set([401]))
      const { headers } = await ask(app, 'tools/list', {}, { era: MODERN, token: bad })
      assert.match(headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token", scope=/)
    }
    clock.pass(3_601)
    assert.deepEqual(new Set(await statuses(token)), new Set([401]))
  })

  it("by the site's cookie counts as nobody's", async ({ alice }) => {
    await alice.account()
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
    const init = { method: 'POST', headers, body: call('create_bug', BUG) }
    assert.equal((await alice.request('/api/mcp', init)).status, 401)
    assert.equal((await alice.bugs.list()).total, 0)
  })

  it('of a tool that is not there, or with arguments that are wrong, says so', async (world) => {
    const { app, alice } = world
    const token = await tokenOf(world, alice, 'community:write library:write')
    for (const era of eras) {
      const unknown = await ask(app, 'tools/call', { name: 'drop_tables', arguments: {} }, { era, token })
      assert.equal(unknown.messages[0]!.error!.code, -32602)
      const wrong: [string, object, RegExp][] = [
        ['create_bug', {}, /title/],
        ['create_bug', { ...BUG, severity: 'immense' }, /severity/],
        ['create_bug', { ...BUG, title: 'x'.repeat(101) }, /title/],
        ['create_bug', { ...BUG, title: 'nul\0' }, /title/],
        ['vote_bug', { value: 1 }, /id/],
        ['vote_bug', { id: '../../admin/users', value: 1 }, /There is nothing here/],
        ['vote_bug', { id: 'none', value: 2 }, /value/],
        ['get_library_item', {}, /kind|slug/],
        ['run_org', { id: 'none', files: 'text' }, /files/],
        ['run_org', { id: 'none', files: [{ filename: 'a.md' }] }, /files/],
        ['call_operation', { name: 'bugs.create', input: 'text' }, /input/],
        ['call_operation', { name: '__proto__' }, /operation/],
        ['find_operation', { query: 7 }, /query/],
      ]
      for (const [name, input, reason] of wrong) {
        const result = await callTool(app, name, input, { era, token })
        assert.equal(result.isError, true, name)
        assert.match(result.content[0]!.text!, reason, name)
        assert.doesNotMatch(JSON.stringify(result), /node:|at .*\.ts/, name)
      }
    }
    assert.equal((await alice.bugs.list()).total, 0)
  })

  it('that is refused says what to do next, beside the words of REST', async (world) => {
    const token = await tokenOf(world, world.alice, 'community:read community:write')
    const { id } = await world.bob.bugs.create({ title: 'Of another', description: 'D', severity: 'low' })
    const refusals: readonly [string, object, RegExp, RegExp][] = [
      ['get_bug', { id: EXAMPLE_ID }, /^No such bug$/, /^Look for it first, with search or a list/],
      ['create_bug', { ...BUG, title: '' }, /^title: /, /^Correct what the message names/],
      ['create_bug', { ...BUG, titel: 'x' }, /did you mean title/, /^Correct what the message names/],
      ['find_operation', { query: 'x'.repeat(1_001) }, /^query: must have at most/, /^Correct what the message names/],
      [
        'call_operation',
        { name: 'bugs.explode', input: {} },
        /^There is no operation/,
        /^Correct what the message names/,
      ],
      [
        'call_operation',
        { name: 'bugs.list', input: 'x' },
        /^input: must be an object/,
        /^Correct what the message names/,
      ],
      [
        'call_operation',
        { name: 'bugs.delete', input: { id } },
        /^Forbidden$/,
        /^Do not call it again: tell your user/,
      ],
    ]
    for (const [tool, input, message, next] of refusals) {
      const { isError, content } = await callTool(world.app, tool, input, { token })
      assert.deepEqual([isError, content.length], [true, 2], tool)
      assert.match(content[0]!.text!, message)
      assert.match(content[1]!.text!, next)
    }
  })

  it('that is no message of the protocol is refused in its words', async ({ app }) => {
    const bodies: [string, number][] = [
      ['{', 400],
      ['', 400],
      ['null', 400],
      ['[]', 400],
      ['"text"', 400],
      ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400],
      ['{"jsonrpc":"2.0","id":{},"method":"tools/list"}', 400],
      [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, 400],
    ]
    for (const [body, status] of bodies) {
      const answer = await post(app, body, { 'MCP-Protocol-Version': LEGACY })
      assert.equal(answer.status, status, body.slice(0, 40))
      assert.ok(answer.messages[0]!.error!.code <= -32000, body.slice(0, 40))
      assert.doesNotMatch(JSON.stringify(answer.messages), /node:|\.ts/)
    }
    const unknown = await ask(app, 'tools/destroy')
    assert.equal(unknown.messages[0]!.error!.code, -32601)
    const mismatch = await ask(app, 'tools/list', {}, { era: MODERN, headers: { 'Mcp-Method': 'tools/call' } })
    assert.equal(mismatch.status, 400)
    assert.equal((await post(app, call('get_feed'), { 'Content-Type': 'text/plain' })).status, 415)
  })

  it('in a batch with one that needs a token does nothing at all', async ({ app, alice, anonymous }) => {
    await alice.account()
    const batch = `[${call('get_feed', {})},${call('create_bug', BUG, { id: 8 })}]`
    const version = { 'MCP-Protocol-Version': '2025-03-26' }
    assert.equal((await post(app, batch, version)).status, 401)
    assert.equal((await anonymous.bugs.list()).total, 0)
    const pair = `[${call('get_feed', {})},${call('list_bugs', {}, { id: 8 })}]`
    for (const headers of [version, {}]) {
      const reads = await post(app, pair, headers)
      assert.equal(reads.status, 200)
      assert.deepEqual(reads.messages.map(({ id }) => id).sort(), [7, 8])
    }
    const many = Array.from({ length: 1000 }, (_, id) => call('get_feed', {}, { id }))
    assert.equal((await post(app, `[${many}]`, version)).status, 400)
  })

  it('in a batch is refused in the revisions that have none', async (world) => {
    const { app, alice, anonymous } = world
    const Authorization = `Bearer ${await tokenOf(world, alice, 'community:write')}`
    const batch = `[${call('create_bug', BUG)},${call('get_feed', {}, { id: 8 })}]`
    for (const revision of ['2025-06-18', LEGACY, MODERN]) {
      const { status, messages } = await post(app, batch, { 'MCP-Protocol-Version': revision, Authorization })
      assert.equal(status, 400, revision)
      assert.ok(messages[0]!.error!.code <= -32000, revision)
    }
    assert.equal((await anonymous.bugs.list()).total, 0)
  })

  it('from another site, by another method or too large is refused before it is read', async ({ app }) => {
    const foreign: Record<string, string>[] = [{ Origin: 'https://evil.example' }, { 'Sec-Fetch-Site': 'cross-site' }]
    for (const headers of foreign) {
      assert.equal((await ask(app, 'tools/list', {}, { headers })).status, 403)
    }
    assert.equal((await ask(app, 'tools/list', {}, { headers: { Origin: BASE_URL } })).status, 200)
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await app.fetch(new Request(`${BASE_URL}/api/mcp`, { method }))
      assert.equal(answer.status, 405)
      assert.equal(answer.headers.get('allow'), 'OPTIONS, POST')
    }
    // By what the tool takes: words in an address, a body of JSON, files.
    const limits = { get_feed: 64 * 1024, find_operation: 64 * 1024, create_bug: 260 * 1024, run_org: 4 * 1024 * 1024 }
    for (const [tool, limit] of Object.entries(limits)) {
      const padded = (size: number) => call(tool, { query: 'x' }).padEnd(size)
      assert.notEqual((await post(app, padded(limit))).status, 413, tool)
      assert.equal((await post(app, padded(limit + 1))).status, 413, tool)
    }
  })

  it('with words that are too many, too long for an address, nested too deep or too many at once is refused', async ({
    app,
  }) => {
    const refusalOf = async (name: string, input: object) => {
      const { messages } = await post(app, call(name, input))
      const { isError, content } = messages[0]!.result as { isError?: boolean; content: { text: string }[] }
      return isError ? content[0]!.text : undefined
    }
    assert.equal(await refusalOf('find_operation', { query: 'x'.repeat(200) }), undefined)
    assert.match((await refusalOf('find_operation', { query: 'x'.repeat(201) }))!, /at most 200 characters/)
    assert.match((await refusalOf('get_bug', { id: 'x'.repeat(8 * 1024 + 1) }))!, /id: is too long/)
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    const deep = (depth: number) => call('get_feed', {}).replace('{}', `{"x":${nested(depth)}}`)
    // Three levels are around it.
    assert.deepEqual([(await post(app, deep(61))).status, (await post(app, deep(62))).status], [200, 400])
    const batch = (count: number) => `[${Array(count).fill(call('get_feed', {})).join()}]`
    const early = { 'MCP-Protocol-Version': '2025-03-26' }
    assert.deepEqual(
      [(await post(app, batch(20), early)).status, (await post(app, batch(21), early)).status],
      [200, 400],
    )
  })
})

describe('a client that goes away', () => {
  alone('in the middle of its message leaves nothing behind', async () => {
    const database = await sqliteDatabase()
    const world = await makeWorld(database)
    const token = await tokenOf(world, world.alice, 'community:write')
    const server = await serve(world.app)
    try {
      const body = call('create_bug', BUG)
      const headers = {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${token}`,
        'Content-Length': String(body.length + 100),
      }
      await new Promise<void>((resolve) => {
        const sent = nodeRequest(`${server.url}/api/mcp`, { method: 'POST', headers })
        sent.on('error', () => resolve())
        sent.write(body)
        setTimeout(() => sent.destroy(), 50)
      })
      assert.equal((await world.anonymous.bugs.list()).total, 0)
      assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
    } finally {
      await server.close()
      await database.remove()
    }
  })
})
