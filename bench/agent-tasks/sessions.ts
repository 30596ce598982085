// An agent by a script, with one of the lists of tools. Calls and tokens are counted.
import { ask, callTool, dataOf } from '../../test/mcp/caller.ts'
import type { World } from '../../test/world.ts'
import { operationOf, toolNames } from './lists.ts'
import { tokensOf } from './tokens.ts'

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

/** Our tools: an operation without a listed one is found first, once in a session. */
export interface OurSession extends Session {
  tool<T>(name: string, input?: object): Promise<T>
}

/** What an agent sends and gets. */
function sender({ app }: World, token: string) {
  const counts: Counts = { calls: 0, tokens: 0 }
  const send = async (name: string, input: object) => {
    const result = await callTool(app, name, input, { token })
    const shown = result.content.map((block) => block.text ?? JSON.stringify(block)).join('\n')
    counts.calls++
    counts.tokens += tokensOf(JSON.stringify({ name, arguments: input })) + tokensOf(shown)
    if (result.isError) throw new Error(`${name}: ${shown}`)
    return { ...result, shown }
  }
  return { counts, send }
}

const wordsOf = (name: string) => name.replace(/[A-Z]/g, ' $&').replace('.', ' ')

export function ourSession(world: World, token: string, listed: ReadonlySet<string>): OurSession {
  const { counts, send } = sender(world, token)
  const known = new Set<string>()
  const called = async <T>(name: string, input: object) => JSON.parse(dataOf(await send(name, input))) as T
  const op = async <T>(name: string, input: object = {}) => {
    const own = toolNames.get(name)
    if (own && listed.has(own)) return called<T>(own, input)
    if (!known.has(name)) {
      const { structuredContent } = await send('find_operation', { query: wordsOf(name) })
      const found = ((structuredContent?.['operations'] ?? []) as { name: string }[]).map((one) => one.name)
      if (!found.includes(name)) throw new Error(`${name} is not found: ${found}`)
      for (const one of found) known.add(one)
    }
    return called<T>('call_operation', { name, input })
  }
  return { op, tool: (name, input) => op(operationOf(name), input), counts }
}

type Source = (...given: never[]) => Promise<unknown>

/** Two tools: the operations of a task are looked for, then the task is one script. */
export async function scripted(
  world: World,
  token: string,
  { run, helpers }: { run: Source; helpers: readonly Source[] },
) {
  const { counts, send } = sender(world, token)
  const text = scriptOf(run, helpers)
  const known = new Set<string>()
  for (const [, name = ''] of text.matchAll(/api\.(\w+\.\w+)\(/g)) {
    if (known.has(name)) continue
    const { shown } = await send('search_api', { query: wordsOf(name) })
    if (!shown.includes(`api.${name}(`)) throw new Error(`${name} is not found: ${shown}`)
    for (const [, one = ''] of shown.matchAll(/^api\.(\w+\.\w+)\(/gm)) known.add(one)
  }
  const result: unknown = JSON.parse(dataOf(await send('run_script', { script: text })))
  return { result, counts }
}

/** The source of a task, with calls of `api` in place of those of its session. */
function scriptOf(run: Source, helpers: readonly Source[]): string {
  const used = new Set<Source>()
  const collect = (source: string) => {
    for (const helper of helpers) {
      if (used.has(helper) || !new RegExp(`\\b${helper.name}\\(`).test(source)) continue
      collect(helper.toString())
      used.add(helper)
    }
  }
  collect(run.toString())
  const body = run
    .toString()
    .replace(/^(async )?run\b/, '$1function')
    .replace(/^ours\b/, 'function')
  const definitions = [...used].map((helper) => `const ${helper.name} = ${helper}`)
  const constants = body.includes('WORKFLOW') ? [`const WORKFLOW = ${JSON.stringify(WORKFLOW)}`] : []
  return plainOf([...constants, ...definitions, `return (${body})()`].join('\n'))
}

const plainOf = (source: string) =>
  source
    .replace(/\s*\n\s*/g, '\n')
    .replace(/ +/g, ' ')
    .replace(/ (?=[,.()[\]])/g, '')
    .replace(/\b(?:s|session)\.op\s*\(\s*'([\w.]+)'(?:,\s*)?/g, 'api.$1(')
    .replace(/\b(?:s|session)\.tool\s*\(\s*'(\w+)'(?:,\s*)?/g, (_, tool) => `api.${operationOf(tool)}(`)
    .replace(/\(\s*(?:s|session)\s*\)/g, '()')
    .replace(/\b(?:s|session), /g, '')

export const WORKFLOW = {
  filename: 'w.json',
  content: '{"name":"Mine","nodes":[],"connections":[],"automations":{},"unbundledAutomations":{}}',
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
