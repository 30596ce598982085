// A plain call of a tool takes a short way past the library of the protocol. What it is answered is the same, byte for byte, and all that is
// unusual goes to the library. The answers of every tool that reads are compared in same-answers.test.ts.
import assert from 'node:assert/strict'
import { it as alone, describe } from 'node:test'
import { directMessage } from '../../src/surfaces/mcp/direct.ts'
import type { ToolDefinition } from '../../src/surfaces/mcp/schema.ts'
import type { Toolbox } from '../../src/surfaces/mcp/toolbox.ts'
import { workflowFile } from '../library.ts'
import { onEveryEngine, type World } from '../world.ts'
import {
  type Asking,
  ask,
  bothAnswers,
  eras,
  headersOf,
  LEGACY,
  MODERN,
  requireSame,
  tokenOf,
  written,
} from './caller.ts'

const BUG = {
  title: 'Crash',
  description: 'It stops\u200b on <!-- start --> [here](https://bad.example) 👩‍🚀',
  severity: 'high',
}

async function namesOf({ app }: World): Promise<string[]> {
  const { messages } = await ask(app, 'tools/list', {}, { headers: { 'MCP-Tools': 'all' } })
  return (messages[0]!.result as unknown as { tools: ToolDefinition[] }).tools.map(({ name }) => name)
}

/** A call of a tool for reading as a message, changed by a test. */
function feed(era: string, change: (message: Record<string, unknown>) => unknown = (message) => message): string {
  const [body] = written('tools/call', { name: 'get_feed', arguments: {} }, { era })
  return JSON.stringify(change(JSON.parse(body)))
}

const headersFor = (era: string): Record<string, string> =>
  written('tools/call', { name: 'get_feed', arguments: {} }, { era })[1]

const withParams = (change: object) => (message: Record<string, unknown>) => ({
  ...message,
  params: { ...(message['params'] as object), ...change },
})

/** What is wrong with a message, or unusual. */
const unusual: Record<string, (message: Record<string, unknown>) => unknown> = {
  'no version of JSON-RPC': ({ jsonrpc: _, ...message }) => message,
  'another version of JSON-RPC': (message) => ({ ...message, jsonrpc: '1.0' }),
  'a field more': (message) => ({ ...message, more: 1 }),
  'no id': ({ id: _, ...message }) => message,
  'no id that is one': (message) => ({ ...message, id: null }),
  'a fraction as id': (message) => ({ ...message, id: 1.5 }),
  'a text as id': (message) => ({ ...message, id: 'a "text"\n' }),
  'no method': ({ method: _, ...message }) => message,
  'an unknown method': (message) => ({ ...message, method: 'tools/other' }),
  'no parameters': ({ params: _, ...message }) => message,
  'a list of parameters': (message) => ({ ...message, params: [] }),
  'an unknown tool': withParams({ name: 'get_nothing' }),
  'a tool of the prototype': withParams({ name: 'constructor' }),
  'no name': withParams({ name: 1 }),
  'arguments that are a list': withParams({ arguments: [] }),
  'arguments that are a text': withParams({ arguments: 'all' }),
  'arguments that are null': withParams({ arguments: null }),
  'a task of the older protocol': withParams({ task: { ttl: 1_000 } }),
  'an answer to a question': withParams({ inputResponses: {}, requestState: 'x' }),
  'no envelope': ({ params, ...message }) => ({ ...message, params: { ...(params as object), _meta: undefined } }),
  'an envelope that is a text': withParams({ _meta: 'x' }),
  'an envelope of another revision': withParams({ _meta: { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' } }),
  'an envelope with half of it': withParams({ _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN } }),
  'a wish for progress': withParams({ _meta: { progressToken: 'p' } }),
  'a batch': (message) => [message],
  'an empty batch': () => [],
  'a text': () => 'tools/call',
  'a response': () => ({ jsonrpc: '2.0', id: 1, result: {} }),
  'a notification': () => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
}

const unusualHeaders: Record<string, Record<string, string>> = {
  'no stream in Accept': { Accept: 'application/json' },
  'no JSON in Accept': { Accept: 'text/event-stream' },
  'anything in Accept': { Accept: '*/*' },
  'an unknown revision': { 'MCP-Protocol-Version': '2031-01-01' },
  'another revision': { 'MCP-Protocol-Version': '2025-06-18' },
  'the newer revision': { 'MCP-Protocol-Version': MODERN },
  'the older revision': { 'MCP-Protocol-Version': LEGACY },
  'a session': { 'MCP-Session-Id': 'none' },
  'another method': { 'Mcp-Method': 'tools/list' },
  'another name': { 'Mcp-Name': 'create_bug' },
  'an encoded name': { 'Mcp-Name': '=?base64?Z2V0X2ZlZWQ=?=' },
  'a list that there is not': { 'MCP-Tools': 'none' },
}

const isDirect = (body: string, headers: Headers) => {
  const toolbox = { has: (name: string) => name === 'get_feed', callOf: () => undefined } as unknown as Toolbox
  return directMessage(JSON.parse(body), headers, toolbox) !== undefined
}

describe('a message', () => {
  alone('takes the short way where it is plain, and only then', () => {
    for (const era of eras) {
      const headers = headersFor(era)
      assert.equal(isDirect(feed(era), headersOf(headers)), true, era)
      assert.equal(isDirect(feed(era), headersOf(headers, true)), false, era)
      for (const [title, change] of Object.entries(unusual)) {
        // Another id is not unusual, and the older protocol has no envelope.
        const isPlain = title === 'a text as id' || (era === LEGACY && title === 'no envelope')
        assert.equal(isDirect(feed(era, change), headersOf(headers)), isPlain, `${era}: ${title}`)
      }
    }
  })
})

onEveryEngine('a message that the short way takes or leaves', (it) => {
  it('is answered as the library answers it, whatever is wrong with it', async ({ app }) => {
    for (const era of eras) {
      for (const [title, change] of Object.entries(unusual)) {
        const { own, byLibrary } = await bothAnswers(app, feed(era, change), headersFor(era))
        assert.deepEqual(own, byLibrary, `${era}: ${title}`)
      }
      for (const [title, headers] of Object.entries(unusualHeaders)) {
        const { own, byLibrary } = await bothAnswers(app, feed(era), { ...headersFor(era), ...headers })
        assert.deepEqual(own, byLibrary, `${era}: ${title}`)
      }
      for (const name of ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']) {
        const { [name]: _, ...headers } = headersFor(era)
        const { own, byLibrary } = await bothAnswers(app, feed(era), headers)
        assert.deepEqual(own, byLibrary, `${era}: without ${name}`)
      }
      const proto = feed(era).replace('"arguments":{}', '"arguments":{"__proto__":{"sort":"popular"}}')
      for (const body of [proto, feed(era).slice(1), '']) {
        const { own, byLibrary } = await bothAnswers(app, body, headersFor(era))
        assert.deepEqual(own, byLibrary, `${era}: ${body}`)
      }
    }
  })

  it('is answered alike where it asks for lists, in every way, and for what the server can do', async ({ app }) => {
    const lists: Asking[] = [{}, ...['short', 'all', 'two'].map((list) => ({ headers: { 'MCP-Tools': list } }))]
    const texts = new Set<string>()
    for (const era of eras) {
      for (const method of ['tools/list', 'server/discover']) {
        for (const asking of lists) {
          for (const id of [1, 'a "text"\n']) {
            const [body, headers] = written(method, {}, { era, ...asking })
            const { own, byLibrary } = await bothAnswers(app, JSON.stringify({ ...JSON.parse(body), id }), headers)
            const again = await bothAnswers(app, JSON.stringify({ ...JSON.parse(body), id }), headers)
            assert.deepEqual([own, again.own], [byLibrary, byLibrary], `${era}: ${method}`)
            texts.add(own.text)
          }
        }
      }
    }
    // A list without a wish is the short one, but may be kept by others in the newer protocol.
    assert.ok(texts.size >= 18, `${texts.size} different answers`)
  })

  it('is answered alike by every tool, with no arguments, wrong ones, and a token', async (world) => {
    const { app, alice } = world
    const token = await tokenOf(world, alice)
    world.clock.stop()
    const names = await namesOf(world)
    assert.ok(names.length > 25)
    for (const era of eras) {
      for (const name of names) {
        for (const input of [{}, { nonsense: '<b>\u200b' }, { id: 1, number: 'x', dryRun: 'yes' }]) {
          for (const asking of [{ era }, { era, token }]) await requireSame(app, name, input, asking)
        }
      }
    }
  })

  it('is answered alike where a write is tried, made once, or refused', async (world) => {
    const { app, alice, bob } = world
    const token = await tokenOf(world, alice)
    const { id } = await bob.bugs.create({ ...BUG, severity: 'high' })
    const item = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    world.clock.stop()
    for (const era of eras) {
      for (const capabilities of [{}, { extensions: { 'io.modelcontextprotocol/tasks': {} } }]) {
        const asking = { era, token, capabilities }
        await requireSame(app, 'vote_bug', { id, value: 1, dryRun: true }, asking)
        const once = { ...BUG, idempotencyKey: `key-${era}` }
        await ask(app, 'tools/call', { name: 'create_bug', arguments: once }, asking)
        await requireSame(app, 'create_bug', once, asking)
        await requireSame(app, 'create_bug', { ...once, title: 'Another' }, asking)
        await requireSame(app, 'vote_bug', { id: 'no-such-bug', value: 1 }, asking)
        await requireSame(app, 'call_operation', { name: 'bugs.get', input: { id } }, asking)
        await requireSame(app, 'call_operation', { name: 'bugs.nothing', input: {} }, asking)
        await requireSame(app, 'call_operation', { name: 'library.download', input: { id: item.id } }, asking)
        await requireSame(app, 'find_operation', { query: 'labels' }, asking)
        await requireSame(app, 'get_feed', { maxTokens: 200 }, asking)
      }
    }
  })
})
