// Where MCP is served and what every request to it must be: from no other site, within the limit, and a POST.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Hono } from 'hono'
import type { Config } from '../../config/config.ts'
import { Problem, statusOf } from '../../contract/problem.ts'
import { MAX_MESSAGE_BYTES } from '../../contract/sizes.ts'
import { problemOf } from '../../core/fault.ts'
import { readText } from '../http/body.ts'
import { isCrossSite } from '../http/origin.ts'
import type { Env } from '../http/pipeline.ts'
import { openHeaders, preflightHeaders, saidPrivately, transportHeaders } from '../http/response.ts'
import type { McpSurface } from './mcp.ts'

const ALLOW = 'OPTIONS, POST'

/** JSON-RPC's own codes for what goes wrong before a message is understood. */
const INVALID_REQUEST = -32600
const INTERNAL = -32603

/** Mounts the endpoint. The library behind it is loaded at the first request. `close` ends its streams, when the server stops. */
export function mountMcp(app: Hono<Env>, surface: McpSurface): { close(): void } {
  const { config } = surface.core.dependencies
  const headers = { ...openHeaders, 'Cache-Control': 'no-store', ...transportHeaders(config) }
  // Streams go on in the background: what they do is of no request.
  const outside = AsyncLocalStorage.snapshot()
  let isClosed = false
  let loading: ReturnType<typeof load> | undefined
  const load = async () => {
    const [{ createMcp }, { Subscriptions }, { EventStreams }, { StreamTurns }] = await Promise.all([
      import('./mcp.ts'),
      import('./subscriptions.ts'),
      import('./event-streams.ts'),
      import('./stream-turns.ts'),
    ])
    const { dependencies } = surface.core
    const turns = new StreamTurns(dependencies, outside)
    if (isClosed) turns.close()
    const open = {
      subscriptions: new Subscriptions(dependencies, turns),
      streams: new EventStreams(dependencies, turns),
    }
    return { turns, answer: createMcp(surface, open) }
  }
  const answer = async (c: Context<Env>): Promise<Response | string> => {
    const { raw } = c.req
    if (isCrossSite(raw.headers, config.baseUrl)) return refusal(403, 'This request came from another site')
    if (raw.method === 'OPTIONS') return new Response(null, { status: 204, headers: preflight })
    if (raw.method !== 'POST') return refusal(405, 'MCP is spoken by POST', { headers: { Allow: ALLOW } })
    loading ??= load()
    return (await loading).answer(c, await readText(raw, MAX_MESSAGE_BYTES))
  }
  const serve = async (c: Context<Env>): Promise<Response> => {
    const id = c.env.requestId
    c.env.operation = 'mcp'
    const answered = await answer(c).catch((error: unknown) => {
      if (error instanceof Problem) return refusal(error.code === 'too_large' ? 413 : 400, error.message)
      const problem = problemOf(error, surface.core.dependencies, { requestId: id, operation: 'mcp' })
      const { retryAfterSeconds } = problem.details
      const headers: Record<string, string> =
        retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
      return refusal(statusOf[problem.code], problem.message, { headers, code: INTERNAL })
    })
    return answerOf(answered, { ...headers, 'X-Request-Id': id }, config)
  }
  // Some clients add a slash to the address they are given.
  for (const path of ['/api/mcp', '/api/mcp/']) app.all(path, serve)
  return {
    close() {
      isClosed = true
      void loading?.then(({ turns }) => turns.close())
    },
  }
}

/** An answer with its headers. Those of a text are in one object, which the server of Node takes as it is. */
function answerOf(answered: Response | string, headers: Record<string, string>, config: Config): Response {
  if (typeof answered === 'string') {
    const own = { 'Content-Type': 'application/json', ...headers }
    return saidPrivately((more) => new Response(answered, { headers: { ...own, ...more } }), config)
  }
  // Into the answer as it is: to make another of it would cost as much as the rest.
  for (const [name, value] of Object.entries(headers)) answered.headers.set(name, value)
  return answered
}

const preflight = preflightHeaders(
  ALLOW,
  'Authorization, Content-Type, DPoP, MCP-Protocol-Version, Mcp-Method, Mcp-Name',
)

interface RefusalOptions {
  headers?: Record<string, string>
  code?: number
}

function refusal(status: number, message: string, { headers = {}, code = INVALID_REQUEST }: RefusalOptions = {}) {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers })
}
