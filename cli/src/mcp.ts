// mcp: a server on the standard input and output for MCP clients that start programs. Each message goes to the server's own endpoint
// with the kept credentials, and what it answers comes back: tools, resources and limits are those of the server.
import { StringDecoder } from 'node:string_decoder'
import { GuildhallError } from '../../client/src/errors.ts'
import { eventsOf } from '../../client/src/events.ts'
import type { FetchResponse } from '../../client/src/fetch-response.ts'
import { respond, textOf } from '../../client/src/fetching.ts'
import { nodePlatform } from '../../client/src/platform-node.ts'
import { fixedCredentials, storedCredentials } from '../../client/src/tokens.ts'
import type { Context } from './command.ts'
import { failureOf } from './failure.ts'
import { jsonText } from './text.ts'
import { NotSignedInError, RefusedError } from './usage.ts'

/** Characters; the server takes less. */
const MAX_MESSAGE = 32 * 1024 * 1024

/** JSON-RPC 2.0, 5.1; the second is free for implementations. */
const PARSE_ERROR = -32700
const FAILED = -32000

interface Message {
  id?: string | number | null
  method?: string
  params?: Record<string, unknown>
  result?: { protocolVersion?: unknown }
}

/** Messages of JSON-RPC, one on each line (MCP, transports, stdio). */
async function* linesOf(context: Context): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of context.stdin) {
    const lines = (rest + decoder.write(Buffer.from(chunk as Uint8Array))).split('\n')
    rest = lines.pop() as string
    if (rest.length > MAX_MESSAGE) throw new RefusedError('too_large', 'A message is longer than 32 MiB')
    yield* lines.filter((line) => line.trim() !== '')
  }
  if (rest.trim() !== '') yield rest
}

/** Runs until the input ends. */
export async function mcp(context: Context): Promise<void> {
  const remote = await remoteOf(context)
  const running = new Set<Promise<void>>()
  const calls = new Map<Message['id'], AbortController>()
  const stop = () => context.stdin.destroy()
  context.signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const line of linesOf(context)) {
      const answering = forward({ context, remote, calls }, line).finally(() => running.delete(answering))
      running.add(answering)
    }
    await Promise.all(running)
  } catch (error) {
    if (!context.signal.aborted) throw error
  } finally {
    context.signal.removeEventListener('abort', stop)
  }
}

interface Remote {
  send(body: string, message: Message, signal: AbortSignal): Promise<FetchResponse>
  /** Remembers the revision that the server chose. */
  agree(answer: unknown): void
}

interface Connection {
  context: Context
  remote: Remote
  /** The calls that run, by the ids of their messages. */
  calls: Map<Message['id'], AbortController>
}

async function forward({ context, remote, calls }: Connection, line: string): Promise<void> {
  const message = parsed(line)
  const write = async (value: unknown) => context.write(`${jsonText(value, 0)}\n`)
  if (message === undefined)
    return write({ jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message: 'This is no JSON' } })
  // The endpoint keeps nothing between requests: to cancel a call is to end its request.
  if (message.method === 'notifications/cancelled')
    return calls.get(message.params?.['requestId'] as Message['id'])?.abort(new Error('Cancelled'))
  const call = new AbortController()
  const stop = () => call.abort(context.signal.reason)
  context.signal.addEventListener('abort', stop, { once: true })
  if (message.id !== undefined && message.method !== undefined) calls.set(message.id, call)
  try {
    const response = await remote.send(line, message, call.signal)
    for await (const answer of answersOf(response, call.signal)) {
      if (message.method === 'initialize') remote.agree(answer)
      await write(answer)
    }
  } catch (error) {
    // Who cancels a call expects no answer.
    if (call.signal.aborted || message.id === undefined) return
    const { message: reason, code } = failureOf(error)
    const said = { code: FAILED, message: reason, data: { code } }
    await write({ jsonrpc: '2.0', id: message.id, error: said })
  } finally {
    calls.delete(message.id)
    context.signal.removeEventListener('abort', stop)
  }
}

function parsed(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Message) : undefined
  } catch {
    return undefined
  }
}

/** The messages of an answer: one in JSON, a stream of them, or none. */
async function* answersOf(response: FetchResponse, signal: AbortSignal): AsyncGenerator<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream') && response.body) {
    for await (const { data } of eventsOf(response.body, signal)) if (data !== '') yield JSON.parse(data)
    return
  }
  const text = await textOf(response, signal)
  const answer = text === '' ? undefined : (parsed(text) as (Message & { jsonrpc?: unknown }) | undefined)
  // What the endpoint refuses in JSON-RPC is an answer too; a proxy and a missing credential speak otherwise.
  if (answer !== undefined && (Array.isArray(answer) || answer.jsonrpc === '2.0')) yield answer
  else if (!response.ok) throw response.status === 401 ? new NotSignedInError() : new GuildhallError(response, text)
}

/** Sends messages with the kept credentials, which are renewed when they have to be. */
async function remoteOf({ url, tokens, fetch }: Context): Promise<Remote> {
  const address = await url()
  const retry = { platform: nodePlatform, retries: 3, maxWaitSeconds: 30 }
  const isOwn = (await tokens.read())?.url === address
  const credentials = isOwn ? storedCredentials(tokens, { url: address, fetch, retry }) : fixedCredentials(undefined)
  let agreed: string | undefined
  const answered: Remote['send'] = async (body, message, signal) => {
    const send = (token: string | undefined) =>
      respond(fetch, `${address}/api/mcp`, {
        method: 'POST',
        body,
        signal,
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headersOf(message, agreed),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        },
      })
    const token = await credentials.get(signal)
    let response = await send(token)
    const renewed = response.status === 401 && token !== undefined ? await credentials.renew(token, signal) : undefined
    if (renewed !== undefined) {
      await response.body?.cancel()
      response = await send(renewed)
    }
    return response
  }
  const agree = (answer: unknown) => {
    const version = (answer as Message).result?.protocolVersion
    if (typeof version === 'string') agreed = version
  }
  return { send: answered, agree }
}

const VERSION = 'io.modelcontextprotocol/protocolVersion'

/** What HTTP says of a message beside it: the revision, and since 2026-07-28 the method and the name. */
function headersOf({ method, params }: Message, agreed: string | undefined): Record<string, string> {
  const meta = params?.['_meta'] as Record<string, unknown> | undefined
  const version = meta?.[VERSION]
  if (typeof version !== 'string') return agreed === undefined ? {} : { 'MCP-Protocol-Version': agreed }
  const name = params?.['name'] ?? params?.['uri']
  return {
    'MCP-Protocol-Version': version,
    ...(method !== undefined && { 'Mcp-Method': method }),
    ...(typeof name === 'string' && { 'Mcp-Name': encoded(name) }),
  }
}

/** A value that a header can carry: as it is, or in base64 between marks. */
const encoded = (text: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
