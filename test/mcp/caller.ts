// An MCP client by hand: messages as they go over the wire, in either era, so that what is wrong can be sent as well.
import assert from 'node:assert/strict'
import type { Guildhall } from '../../src/app.ts'
import { AGENT, oauthClient } from '../oauth.ts'
import { BASE_URL, type Person, type World } from '../world.ts'

export const LEGACY = '2025-11-25'
export const MODERN = '2026-07-28'
export const eras = [LEGACY, MODERN]

export interface Result {
  isError?: boolean
  content: { type: string; text?: string; uri?: string; name?: string; _meta?: object; annotations?: object }[]
  structuredContent?: Record<string, unknown>
}

export interface Answer {
  status: number
  headers: Headers
  /** The messages of the answer, the last of them the response. */
  messages: {
    id?: unknown
    method?: string
    params?: object
    result?: Result
    error?: { code: number; message: string }
  }[]
}

export interface Asking {
  era?: string
  token?: string | undefined
  headers?: Record<string, string>
  progressToken?: string
  /** What the client is capable of, in the era that says so in each request. */
  capabilities?: object
}

/** The message as its era wants it, with the headers that go with it. */
function dressed(
  method: string,
  params: Record<string, unknown>,
  { era = LEGACY, progressToken, capabilities = {} }: Asking,
) {
  const modern = era === MODERN
  const meta = {
    ...(progressToken && { progressToken }),
    ...(modern && {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    }),
  }
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }
  const named = params['taskId'] ?? (method.startsWith('events/') ? undefined : (params['name'] ?? params['uri']))
  const headers: Record<string, string> = {
    'MCP-Protocol-Version': era,
    ...(modern && { 'Mcp-Method': method, ...(named !== undefined && { 'Mcp-Name': String(named) }) }),
  }
  return { message, headers }
}

const PLAIN = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

function requestWith(body: string, headers: Record<string, string>): Request {
  const all = { ...PLAIN, ...headers }
  return new Request(`${BASE_URL}/api/mcp`, { method: 'POST', headers: all, body })
}

/** Sends any text to the endpoint. */
export async function post(app: Guildhall, body: string, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await app.fetch(requestWith(body, headers))
  const text = await response.text()
  const events = text.matchAll(/^data: (\{.*\})$/gm)
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const messages = isStream ? [...events].map(([, data]) => JSON.parse(data!)) : text ? [JSON.parse(text)].flat() : []
  return { status: response.status, headers: response.headers, messages }
}

function sent(method: string, params: object, asking: Asking): [body: string, headers: Record<string, string>] {
  const { message, headers } = dressed(method, { ...params }, asking)
  const authorization: Record<string, string> = asking.token ? { Authorization: `Bearer ${asking.token}` } : {}
  return [JSON.stringify(message), { ...headers, ...authorization, ...asking.headers }]
}

export const ask = (app: Guildhall, method: string, params: object = {}, asking: Asking = {}): Promise<Answer> =>
  post(app, ...sent(method, params, asking))

/** The same as a request, for a response that is read by the test. */
export const requestTo = (method: string, params: object, asking: Asking): Request =>
  requestWith(...sent(method, params, asking))

/** What is another in every answer: the lines around data, and the moment at which something was counted. */
const MOVING = /(?<=data )[0-9a-f]{16}(?= ---)|(?<=countedAt\\?":\\?")[^"\\]+/g

/** What goes over the wire, without the id of the request. */
async function wireAnswer(app: Guildhall, body: string, headers: Record<string, string>) {
  const response = await app.fetch(requestWith(body, headers))
  const { 'x-request-id': _, ...told } = Object.fromEntries(response.headers)
  const text = (await response.text()).replaceAll(MOVING, '')
  return { status: response.status, headers: told, text }
}

/** Of this Content-Type it is not known that it is JSON before the library has read it. */
const BY_LIBRARY = { 'Content-Type': 'application/json;charset=utf-8' }

/** What a message is answered as it is, and by the library of the protocol, which answers all that is unusual. */
export async function bothAnswers(app: Guildhall, body: string, headers: Record<string, string> = {}) {
  const byLibrary = await wireAnswer(app, body, { ...headers, ...BY_LIBRARY })
  return { own: await wireAnswer(app, body, headers), byLibrary }
}

/** Fails where a call of a tool is answered in another way than by the library. */
export async function requireSame(app: Guildhall, name: string, input: object, asking: Asking): Promise<void> {
  const { own, byLibrary } = await bothAnswers(app, ...sent('tools/call', { name, arguments: input }, asking))
  assert.equal(own.text, byLibrary.text)
  assert.deepEqual(own, byLibrary, `${name} ${JSON.stringify(input)}`)
}

/** A message as a client sends it: its body and its headers. */
export const written = sent

/** The headers that a message of a client has in the end. */
export const headersOf = (headers: Record<string, string>, byLibrary = false): Headers =>
  new Headers({ ...PLAIN, ...headers, ...(byLibrary && BY_LIBRARY) })

/** Calls a tool and gives its result. */
export async function callTool(app: Guildhall, name: string, input: object = {}, asking: Asking = {}): Promise<Result> {
  const { status, messages } = await ask(app, 'tools/call', { name, arguments: input }, asking)
  const { result, error } = messages.at(-1) ?? {}
  if (!result) throw new Error(`${name}: ${status} ${JSON.stringify(error ?? messages)}`)
  return result
}

/** The text in a result that members may have written, without what stands around it. */
export function dataOf({ content }: Result): string {
  const block = content.find((one) => one.type === 'text' && one._meta && 'guildhall/untrusted' in one._meta)
  if (block?.text === undefined) throw new Error(`There is no data in ${JSON.stringify(content)}`)
  return block.text
}

/** An answer as its text has it: agents pay for each word, and have `url`. */
export const withoutHref = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value) => (name === 'href' ? undefined : value)))

const EVERY_SCOPE = 'community:read community:write library:read library:write'

/** A token that this person consented to. */
export async function tokenOf(world: World, person: Person, scope = EVERY_SCOPE): Promise<string> {
  await person.account()
  const { access_token } = await oauthClient(world).signIn(person, { clientId: AGENT, scope })
  return access_token
}
