// Which tools are listed: by default few, by the wish of the operator or of the client all or two. Every tool can be called all the same.
import assert from 'node:assert/strict'
import { api } from '../../src/api.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { BASE_URL, onEveryEngine, type World } from '../world.ts'
import { ask, callTool, eras, MODERN, post, tokenOf } from './caller.ts'

const toolNames = new Set(
  Object.values(api as Record<string, Record<string, Operation>>).flatMap((contract) =>
    Object.values(contract).flatMap(({ tool }) => (tool ? [tool.name] : [])),
  ),
)

interface Listed {
  tools: { name: string; outputSchema?: object }[]
  cacheScope?: string
}

async function listOf({ app }: World, asking: Parameters<typeof ask>[3] = {}): Promise<Listed> {
  const { messages } = await ask(app, 'tools/list', {}, asking)
  return messages[0]!.result as unknown as Listed
}
const namesOf = async (world: World, asking?: Parameters<typeof ask>[3]) =>
  (await listOf(world, asking)).tools.map(({ name }) => name)

/** By the address in place of the header. */
async function byAddress({ app }: World, query: string): Promise<{ status: number; names: string[] }> {
  const response = await app.fetch(
    new Request(`${BASE_URL}/api/mcp${query}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    }),
  )
  const { result } = (await response.json()) as { result?: Listed }
  return { status: response.status, names: result?.tools.map(({ name }) => name) ?? [] }
}

const TWO = ['find_operation', 'call_operation']

onEveryEngine('the lists of tools', (it) => {
  it('are chosen by a client, by its address or by a header, in both eras', async (world) => {
    for (const era of eras) {
      assert.deepEqual(await namesOf(world, { era, headers: { 'MCP-Tools': 'two' } }), TWO)
      const all = await listOf(world, { era, headers: { 'MCP-Tools': 'all' } })
      assert.deepEqual(new Set(all.tools.map(({ name }) => name)), new Set([...toolNames, ...TWO]))
      assert.ok(all.tools.every(({ outputSchema }) => outputSchema))
      const short = await listOf(world, { era })
      assert.ok(short.tools.every(({ outputSchema }) => !outputSchema))
      // What a header chose is of this client alone.
      if (era === MODERN) assert.deepEqual([all.cacheScope, short.cacheScope], ['private', 'public'])
    }
    assert.deepEqual((await byAddress(world, '?tools=two')).names, TWO)
    assert.equal((await byAddress(world, '?tools=all')).names.length, toolNames.size + 2)
    assert.deepEqual((await byAddress(world, '')).names, await namesOf(world))
  })

  it('and other lists that come whole know no cursor', async ({ app }) => {
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      for (const era of eras) {
        const [wrong, none] = [await ask(app, method, { cursor: 'x' }, { era }), await ask(app, method, {}, { era })]
        assert.equal(wrong.messages[0]!.error?.code, -32602, `${method} ${era}`)
        assert.ok(none.messages[0]!.result, `${method} ${era}`)
      }
    }
  })

  it('are refused by a name that is none, with those that are', async (world) => {
    for (const wish of ['', 'every', 'ALL', 'short,all']) {
      assert.equal((await byAddress(world, `?tools=${wish}`)).status, 400, wish)
    }
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const refused = await post(world.app, message, { 'MCP-Tools': 'every' })
    assert.deepEqual([refused.status, refused.messages[0]!.error!.message], [400, 'tools: must be short, all or two'])
  })

  it('leave out no tool that cannot be called by its name, and by call_operation', async (world) => {
    const { app, alice } = world
    const token = await tokenOf(world, alice)
    const listed = new Set(await namesOf(world))
    const unlisted = [...toolNames].filter((name) => !listed.has(name))
    assert.ok(unlisted.length > 0)
    for (const name of unlisted) {
      // Without arguments it is refused for them, or answers: it is there.
      const [own, called] = [
        await callTool(app, name, {}, { token }),
        await callTool(app, 'call_operation', { name, input: {} }, { token }),
      ]
      assert.deepEqual([called.isError, called.content[0]?.type], [own.isError, own.content[0]?.type], name)
      if (own.isError) assert.equal(called.content[0]!.text, own.content[0]!.text, name)
      assert.doesNotMatch(own.content[0]!.text!, /There is no/)
    }
  })

  it('have no tools of scripts, which cannot be called, where the operator does not allow them', async (world) => {
    const token = await tokenOf(world, world.alice)
    for (const name of ['search_api', 'run_script']) {
      await assert.rejects(callTool(world.app, name, { script: 'return 1' }, { token }), /There is no tool called/)
    }
  })
})

onEveryEngine(
  'the list of the operator',
  (it) => {
    it('is that of a client that does not choose', async (world) => {
      assert.equal((await namesOf(world)).length, toolNames.size + 2)
      assert.deepEqual(await namesOf(world, { headers: { 'MCP-Tools': 'two' } }), TWO)
      assert.equal((await namesOf(world, { headers: { 'MCP-Tools': 'short' } })).length, 25)
    })
  },
  { MCP_TOOLS: 'all' },
)
