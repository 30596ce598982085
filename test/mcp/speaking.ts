// MCP as tests speak it: plain messages to the endpoint, in either era of the protocol.
import assert from 'node:assert/strict'
import { oauthClient } from '../oauth.ts'
import type { Person, World } from '../world.ts'

export const eras = ['2025-11-25', '2026-07-28'] as const
type Era = (typeof eras)[number]

interface ToolResult {
  content: { type: string; text?: string; uri?: string; name?: string; resource?: { text?: string } }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

interface Message {
  result?: ToolResult
  error?: { code: number; message: string }
}

interface Speech {
  token?: string | undefined
  era?: Era
  headers?: Record<string, string>
}

/** A request as a client of this era sends it. */
function messageOf(method: string, params: Record<string, unknown>, era: Era): Record<string, unknown> {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': era,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const { _meta, ...rest } = params
  const meta = era === '2026-07-28' ? { ...(_meta as object), ...envelope } : _meta
  return { jsonrpc: '2.0', id: 1, method, params: { ...rest, ...(meta !== undefined && { _meta: meta }) } }
}

/** Sends any body at all. */
async function post({ app, ground }: World, body: unknown, speech: Speech = {}): Promise<Response> {
  const { token, era = '2025-11-25', headers } = speech
  return app.fetch(
    new Request(`${ground.config.baseUrl}/api/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': era,
        ...(token && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  )
}

function send(world: World, method: string, params: Record<string, unknown>, speech: Speech = {}) {
  const { era = '2025-11-25', headers } = speech
  const name = params['name']
  const standard = { 'Mcp-Method': method, ...(typeof name === 'string' && { 'Mcp-Name': name }) }
  const all = era === '2026-07-28' ? { ...standard, ...headers } : { ...headers }
  return post(world, messageOf(method, params, era), { ...speech, headers: all })
}

/** What a tool says, when the protocol has nothing against the call. */
export async function useTool(
  world: World,
  name: string,
  { input = {}, ...speech }: Speech & { input?: Record<string, unknown> } = {},
): Promise<ToolResult> {
  const response = await send(world, 'tools/call', { name, arguments: input }, speech)
  const text = await response.text()
  assert.equal(response.status, 200, text)
  const { result } = JSON.parse(text) as Message
  assert.ok(result, text)
  return result
}

const EVERY_SCOPE = 'community:read community:write library:read library:write'

/** A token that this person consented to. */
export async function tokenOf(world: World, person: Person, scope: string = EVERY_SCOPE): Promise<string> {
  const client = oauthClient(world)
  const { access_token } = await client.signIn(person, { clientId: await client.register(), scope })
  return access_token
}
