// Arguments that a tool does not have: an error that names the nearest one, before anything is done. REST ignores them.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { api } from '../../src/api.ts'
import { isRepeatable, type Operation } from '../../src/contract/operation.ts'
import { onEveryEngine } from '../world.ts'
import { ask, callTool, eras, post, tokenOf } from './caller.ts'

const bug = { title: 'Crash', description: 'On start', severity: 'high' }

onEveryEngine('an argument that a tool does not have', (it) => {
  it('is an error that names the nearest one, and nothing is written', async (world) => {
    const { app, alice, db } = world
    const token = await tokenOf(world, alice)
    const input = { title: 'T', body: 'B' }
    const file = { filename: 'w.json', content: '{}' }
    const wrong: [string, object, RegExp][] = [
      ['create_post', { ...input, dry_run: true }, /^dry_run: there is no such argument; did you mean dryRun\?$/],
      ['create_post', { ...input, DRYRUN: true }, /did you mean dryRun\?/],
      ['create_post', { ...input, idempotency_key: 'k' }, /did you mean idempotencyKey\?/],
      ['create_post', { ...input, idempotencKey: 'k' }, /did you mean idempotencyKey\?/],
      ['create_bug', { ...bug, tilte: 'x' }, /^tilte: .*did you mean title\?$/],
      ['list_bugs', { staus: 'open' }, /did you mean status\?/],
      ['list_bugs', { perPage: 2 }, /did you mean per_page\?/],
      ['list_bugs', { dryRun: true }, /^dryRun: there is no such argument; it takes sort, /],
      ['get_me', { verbose: true }, /^verbose: .*it takes none$/],
      ['find_operation', { query: 'x', limit: 3 }, /^limit: .*it takes query$/],
      ['call_operation', { name: 'posts.create', input, dry_run: true }, /did you mean dryRun\?/],
      [
        'call_operation',
        { name: 'posts.create', input: { ...input, dryRun: true } },
        /^input\.dryRun: .*beside input$/,
      ],
      ['call_operation', { name: 'posts.create', input: { ...input, bdoy: 1 } }, /^input\.bdoy: .*mean body\?/],
      ['run_org', { id: 'x', files: [{ ...file, contents: '' }] }, /^files\[0\]\.contents: .*mean content\?$/],
      ['publish_library_item', { kind: 'workflow', file, visability: 'public' }, /mean visibility\?/],
      ['get_bug', { id: 'x', [`${'y'.repeat(500)}\u200b`]: 1 }, /^y{60}…: there is no such argument; it takes id$/],
      ['get_bug', { id: 'x', a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, /^(?!.*f:)a: .*; e: .*$/],
    ]
    for (const [name, given, reason] of wrong) {
      for (const era of eras) {
        const { isError, content } = await callTool(app, name, given, { token, era })
        assert.equal(isError, true, JSON.stringify(given))
        assert.match(content[0]?.text ?? '', reason)
      }
    }
    for (const table of ['bug', 'post', 'libraryItem'] as const)
      assert.deepEqual(await db.selectFrom(table).select('id').execute(), [])
  })

  it('is ignored by REST, and _meta is one of every tool', async (world) => {
    const { app, alice } = world
    const token = await tokenOf(world, alice)
    const request = new Request(`${world.dependencies.config.baseUrl}/api/community/posts`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ title: 'By REST', body: 'B', dry_run: true }),
    })
    assert.equal((await app.fetch(request)).status, 201)
    const made = await callTool(app, 'create_post', { title: 'By MCP', body: 'B', _meta: { a: 1 } }, { token })
    assert.equal(made.structuredContent?.['title'], 'By MCP')
    const called = { name: 'posts.create', input: { title: 'Called', body: 'B', _meta: {} }, _meta: {} }
    assert.equal((await callTool(app, 'call_operation', called, { token })).isError, undefined)
    assert.equal((await alice.posts.list()).total, 3)
  })

  it('is none of what schemas name: what names are data stays what it is', async (world) => {
    const { app, alice } = world
    const token = await tokenOf(world, alice)
    const orgJson = readFileSync('test/fixtures/org-minimal.json', 'utf8')
    assert.equal((await callTool(app, 'create_org', { orgJson }, { token })).isError, undefined)
    const { messages } = await ask(app, 'tools/list')
    const { tools } = messages[0]!.result as unknown as {
      tools: { name: string; inputSchema: { properties: object } }[]
    }
    const operations = Object.values(api).flatMap((contract) => Object.values(contract as Record<string, Operation>))
    for (const { name, inputSchema } of tools) {
      const writes = operations.some((one) => one.tool?.name === name && isRepeatable(one)) || name === 'call_operation'
      const names = Object.keys(inputSchema.properties)
      assert.deepEqual([names.includes('idempotencyKey'), names.includes('dryRun')], [writes, writes], name)
    }
  })

  it('is an error of a prompt as well', async ({ app }) => {
    const params = { name: 'file_bug', arguments: { hapened: 'x' } }
    const { messages } = await ask(app, 'prompts/get', params)
    assert.equal(messages[0]!.error?.code, -32602)
    assert.match(messages[0]!.error?.message ?? '', /hapened: there is no such argument/)
  })

  it('is told of after the token that is missing', async ({ app }) => {
    const body = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'create_post', arguments: { dry_run: true } },
    })
    assert.equal((await post(app, body)).status, 401)
  })
})
