// The short way of a message that is nothing but a call of a tool, or asks for the list of tools or for what the server can do. The library would make a
// server, a transport and some twenty schemas for it, and check twice what we wrote ourselves. The answer is the same, byte for byte
// (test/mcp/direct.test.ts). What is unusual in any way goes to the library: it alone says what is wrong with a message.
import {
  CLIENT_CAPABILITIES_META_KEY,
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import { RUN } from './scripts/definitions.ts'
import { TASKS_EXTENSION } from './tasks.ts'
import type { Toolbox } from './toolbox.ts'
import { type Arguments, isRecord } from './tools.ts'
import { jsonOfResult } from './written.ts'

const MODERN = '2026-07-28'
const METHODS: ReadonlySet<unknown> = new Set(['tools/call', 'tools/list', 'server/discover'])
const NAMES = {
  message: new Set(['jsonrpc', 'id', 'method', 'params']),
  call: new Set(['name', 'arguments', '_meta']),
  asking: new Set(['_meta']),
}

export interface DirectMessage {
  id: string | number
  method: 'tools/call' | 'tools/list' | 'server/discover'
  era: 'legacy' | 'modern'
  /** Of a call. */
  name: string
  input: Arguments
}

/** What a message asks for; undefined where the library answers. */
export function directMessage(message: unknown, headers: Headers, toolbox: Toolbox): DirectMessage | undefined {
  if (!isPlain(message) || headers.get('content-type') !== 'application/json') return undefined
  const accept = headers.get('accept')
  if (!accept?.includes('application/json') || !accept.includes('text/event-stream')) return undefined
  const { id, method, params = {} } = message
  const isCall = method === 'tools/call'
  if (!isRecord(params) || !hasOnly(params, isCall ? NAMES.call : NAMES.asking)) return undefined
  const era = eraOf(message, params['_meta'], headers)
  if (!era || (era === 'legacy' && method === 'server/discover')) return undefined
  const { name = '', arguments: input = {} } = params
  const asked = { id, method, era, name, input } as DirectMessage
  if (!isCall) return asked
  if (typeof name !== 'string' || !isRecord(input) || Object.hasOwn(input, '__proto__')) return undefined
  if (era === 'modern' && headers.get('mcp-name') !== name) return undefined
  // A script ends with its client; and a write may become a task.
  if (name === RUN || !toolbox.has(name)) return undefined
  const isRead = () => toolbox.callOf(name, input)?.bound.operation.method === 'GET'
  return takesTasks(params['_meta']) && !isRead() ? undefined : asked
}

interface PlainMessage extends Arguments {
  id: string | number
  method: DirectMessage['method']
  params?: unknown
}

const isPlain = (message: unknown): message is PlainMessage =>
  isRecord(message) &&
  METHODS.has(message['method']) &&
  message['jsonrpc'] === '2.0' &&
  (typeof message['id'] === 'string' || Number.isSafeInteger(message['id'])) &&
  hasOnly(message, NAMES.message)

const hasOnly = (value: Arguments, names: ReadonlySet<string>) => Object.keys(value).every((name) => names.has(name))

/** The era of a message and its headers where they agree and have nothing unusual. */
function eraOf({ method }: PlainMessage, meta: unknown, headers: Headers): DirectMessage['era'] | undefined {
  const version = headers.get('mcp-protocol-version') ?? ''
  if (version !== MODERN) {
    const isBare = meta === undefined || (isRecord(meta) && Object.keys(meta).length === 0)
    return isBare && SUPPORTED_PROTOCOL_VERSIONS.includes(version) ? 'legacy' : undefined
  }
  const isNamed = headers.get('mcp-method') === method
  return isNamed && isRecord(meta) && meta[PROTOCOL_VERSION_META_KEY] === MODERN && isGood(meta) ? 'modern' : undefined
}

/** What the library thinks of what clients say of themselves, which is the same in all their requests. */
const judged = new Map<string, boolean>()
const MOST_JUDGED = 200
const LONGEST_JUDGED = 2_000

function isGood(meta: Arguments): boolean {
  // Who asks for progress gets a stream.
  if (Object.hasOwn(meta, 'progressToken')) return false
  const key = JSON.stringify(meta)
  const known = judged.get(key)
  if (known !== undefined) return known
  if (key.length > LONGEST_JUDGED) return false
  const body = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: meta } }
  const good = classifyInboundRequest({ httpMethod: 'POST', protocolVersionHeader: MODERN, body }).kind === 'modern'
  for (const oldest of judged.keys()) {
    if (judged.size < MOST_JUDGED) break
    judged.delete(oldest)
  }
  judged.set(key, good)
  return good
}

function takesTasks(meta: unknown): boolean {
  const capabilities = isRecord(meta) ? meta[CLIENT_CAPABILITIES_META_KEY] : undefined
  const extensions = isRecord(capabilities) ? capabilities['extensions'] : undefined
  return isRecord(extensions) && extensions[TASKS_EXTENSION] !== undefined
}

/** The answer with a result, which is JSON already. */
const answerWith = (result: string, id: DirectMessage['id']) =>
  `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`

/** The answer to a call. */
export async function answerCall(
  { id, era }: DirectMessage,
  call: () => Promise<object>,
  serverInfo: () => object,
): Promise<string> {
  try {
    const result = await call()
    if (era === 'legacy') return answerWith(jsonOfResult(result), id)
    const marks = { resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: serverInfo() } }
    return answerWith(jsonOfResult(result, marks), id)
  } catch (error) {
    return refusalWith(error, id)
  }
}

const INTERNAL = -32603

function refusalWith(error: unknown, id: DirectMessage['id']): string {
  const { code, message = 'Internal error', data }: Arguments = Object(error)
  const told = { code: Number.isSafeInteger(code) ? code : INTERNAL, message, ...(data !== undefined && { data }) }
  return JSON.stringify({ jsonrpc: '2.0', id, error: told })
}

/** Answers that differ in their id alone are made by the library once. */
export class KeptAnswers {
  readonly #results = new Map<string, string>()

  /** @param ask asks the library */
  async answer({ id }: DirectMessage, key: string, ask: () => Promise<Response>): Promise<Response | string> {
    const kept = this.#results.get(key)
    if (kept !== undefined) return answerWith(kept, id)
    const response = await ask()
    const text = await response.clone().text()
    const [before, after] = answerWith('\n', id).split('\n') as [string, string]
    if (response.status === 200 && text.startsWith(before) && text.endsWith(after)) {
      this.#results.set(key, text.slice(before.length, -after.length))
    }
    return response
  }
}
