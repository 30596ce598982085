// An agent by a script, in two ways: with our tools, and with one tool for each operation of REST. Calls and tokens are counted; a token is
// three characters, as everywhere.
import { api } from '../../src/api.ts'
import { bind } from '../../src/core/bind.ts'
import { tokensOf } from './tokens.ts'
import { inputSchemaOf, outputSchemaOf } from '../../src/surfaces/mcp/schema.ts'
import { toolboxOf } from '../../src/surfaces/mcp/toolbox.ts'
import { descriptionOf, offered } from '../../src/surfaces/mcp/tools.ts'
import { ask, callTool, dataOf } from '../../test/mcp/caller.ts'
import type { World } from '../../test/world.ts'

export interface Counts {
  calls: number
  /** Of what the agent sends and gets. */
  tokens: number
}

export interface Session {
  /** Calls an operation by the tool that it has. */
  op<T>(name: string, input?: object): Promise<T>
  counts: Counts
}

/** Our tools: an operation without one is found first, once in a session. */
export interface OurSession extends Session {
  tool<T>(name: string, input?: object): Promise<T>
}

const nothing = () => undefined
const handlers = new Proxy({}, { get: () => new Proxy({}, { get: () => nothing }) })
const operations = bind(api, handlers as never)
const tools = new Map(operations.map(({ name, operation }) => [name, operation.tool?.name]))

/** What a list of tools costs an agent before it does anything. */
export const listTokens = {
  ours: tokensOf(JSON.stringify(toolboxOf(operations).lists.short)),
  plain: tokensOf(
    JSON.stringify(
      offered(operations).map(({ name, operation }) => ({
        name: name.replace('.', '_'),
        description: descriptionOf(operation),
        inputSchema: inputSchemaOf(operation),
        outputSchema: outputSchemaOf(operation),
      })),
    ),
  ),
}

export function ourSession({ app }: World, token: string): OurSession {
  const counts: Counts = { calls: 0, tokens: 0 }
  const known = new Set<string>()
  const send = async (name: string, input: object) => {
    const result = await callTool(app, name, input, { token })
    const shown = result.content.map((block) => block.text ?? JSON.stringify(block)).join('\n')
    counts.calls++
    counts.tokens += tokensOf(JSON.stringify({ name, arguments: input })) + tokensOf(shown)
    if (result.isError) throw new Error(`${name}: ${shown}`)
    return result
  }
  const tool = async <T>(name: string, input: object = {}) => JSON.parse(dataOf(await send(name, input))) as T
  const op = async <T>(name: string, input: object = {}) => {
    const own = tools.get(name)
    if (own) return tool<T>(own, input)
    if (!known.has(name)) {
      const { structuredContent } = await send('find_operation', {
        query: name.replace(/[A-Z]/g, ' $&').replace('.', ' '),
      })
      const found = ((structuredContent?.['operations'] ?? []) as { name: string }[]).map((one) => one.name)
      if (!found.includes(name)) throw new Error(`${name} is not found: ${found}`)
      for (const one of found) known.add(one)
    }
    return tool<T>('call_operation', { name, input })
  }
  return { op, tool, counts }
}

/** One tool for each operation: the same call, and the answer of REST as it is. */
export function plainSession({ app }: World, token: string): Session {
  const counts: Counts = { calls: 0, tokens: 0 }
  return {
    counts,
    async op<T>(name: string, input: object = {}) {
      const { messages } = await ask(
        app,
        'tools/call',
        { name: 'call_operation', arguments: { name, input } },
        { token },
      )
      const { result } = messages.at(-1) ?? {}
      if (!result || result.isError) throw new Error(`${name}: ${JSON.stringify(messages.at(-1))}`)
      const answer = JSON.stringify(JSON.parse(dataOf(result)))
      counts.calls++
      counts.tokens += tokensOf(JSON.stringify({ name: name.replace('.', '_'), arguments: input })) + tokensOf(answer)
      return JSON.parse(answer) as T
    },
  }
}
