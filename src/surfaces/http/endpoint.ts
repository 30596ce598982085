// Mounts endpoints: the body is read up to a limit, other sites are kept out where they have no business, and every answer
// carries what all answers carry.
import type { Hono, Context as HonoContext } from 'hono'
import { rateLimitHeaders } from '../../budgets/rules.ts'
import { Problem } from '../../contract/problem.ts'
import { problemOf } from '../../core/fault.ts'
import { cookieIn } from '../../request/credentials.ts'
import type { Endpoint, EndpointResponse, View } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { isJson, readText, requireFormText, requireJsonText } from './body.ts'
import { isCrossSite } from './origin.ts'
import type { Env } from './pipeline.ts'
import { nameRequest } from './pipeline.ts'
import { allowOf, closedHeaders, openHeaders, preflightHeaders, transportHeaders } from './response.ts'

const BODY_LIMIT = 48 * 1024

export interface EndpointOptions {
  dependencies: Dependencies
  cookieName: string
  /** The pages of the site (site/view.ts); without it a reply is its text. */
  renderView?: RenderView | undefined
}

export type RenderView = (
  view: View,
  asked: { request: Request; id: string },
) => Promise<Pick<EndpointResponse, 'headers' | 'body'>>

export function mountEndpoints(app: Hono<Env>, endpoints: readonly Endpoint[], options: EndpointOptions): void {
  for (const endpoint of endpoints) {
    const headers = {
      ...(endpoint.otherSites === 'read' ? openHeaders : closedHeaders),
      'Cache-Control': 'no-store',
      ...transportHeaders(options.dependencies.config),
    }
    const mounted = { ...options, endpoint, headers, allow: allowOf(Object.keys(endpoint.methods)) }
    app.all(endpoint.path, (c) => serve(c, mounted))
  }
}

interface MountedEndpoint extends EndpointOptions {
  endpoint: Endpoint
  /** On every answer. */
  headers: Readonly<Record<string, string>>
  allow: string
}

async function serve(c: HonoContext<Env>, mounted: MountedEndpoint): Promise<Response> {
  const id = c.env.requestId
  nameRequest(c.env, `${c.req.method} ${mounted.endpoint.path}`, mounted.endpoint.path)
  let reply: EndpointResponse
  try {
    reply = await call(c, mounted)
  } catch (error) {
    reply = refusal(error, id, mounted)
  }
  reply = await rendered(c.req.raw, reply, { id, ...mounted })
  const headers = { ...mounted.headers, ...reply.headers, 'X-Request-Id': id }
  const response = new Response(reply.body, { status: reply.status, headers })
  for (const cookie of reply.cookies ?? []) response.headers.append('Set-Cookie', cookie)
  return response
}

/** The reply with its page; where that fails, its text is better than nothing. */
async function rendered(
  request: Request,
  reply: EndpointResponse,
  { id, endpoint, dependencies, renderView }: MountedEndpoint & { id: string },
): Promise<EndpointResponse> {
  if (!reply.view || !renderView) return reply
  try {
    const { headers, body } = await renderView(reply.view, { request, id })
    return { ...reply, headers: { ...reply.headers, ...headers }, body }
  } catch (error) {
    problemOf(error, dependencies, { requestId: id, operation: endpoint.path })
    return { ...reply, status: 500 }
  }
}

function refusal(error: unknown, id: string, { endpoint, dependencies }: MountedEndpoint): EndpointResponse {
  const problem = problemOf(error, dependencies, { requestId: id, operation: endpoint.path })
  const reply = endpoint.refuse(problem)
  const { retryAfterSeconds, nonce, standings = [] } = problem.details
  const headers = {
    ...reply.headers,
    ...(retryAfterSeconds !== undefined && {
      'Retry-After': String(retryAfterSeconds),
      ...rateLimitHeaders(standings),
    }),
    ...(nonce !== undefined && { 'DPoP-Nonce': nonce }),
  }
  return { ...reply, headers }
}

async function call(
  c: HonoContext<Env>,
  { endpoint, dependencies, cookieName, allow }: MountedEndpoint,
): Promise<EndpointResponse> {
  const request = c.req.raw
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (method === 'OPTIONS') return { status: 204, headers: preflight(endpoint, allow), body: null }
  const run = new Map(Object.entries(endpoint.methods)).get(method)
  if (!run) {
    const reply = endpoint.refuse(new Problem('method_not_allowed', `${endpoint.path} takes ${allow}`))
    return { ...reply, headers: { ...reply.headers, Allow: allow } }
  }
  if (
    method !== 'GET' &&
    endpoint.otherSites === 'keep out' &&
    isCrossSite(request.headers, dependencies.config.baseUrl)
  ) {
    throw new Problem('forbidden', 'This request came from another site')
  }
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const body = hasBody ? await readText(request, endpoint.bodyLimit ?? BODY_LIMIT) : ''
  if (isJson(request.headers)) requireJsonText(body)
  else requireFormText(body)
  const reply = await run({
    request,
    get url() {
      return new URL(request.url)
    },
    body,
    now: timestamp(dependencies.clock.now()),
    address: c.env.address ?? '127.0.0.1',
    sessionToken: cookieIn(request.headers, cookieName),
  })
  // Whom a cookie is of may not be changed by another site (behaviour.md, section 1).
  if (reply.cookies?.length && endpoint.otherSites !== 'keep out') throw new Error(`${endpoint.path} sets cookies`)
  return reply
}

const preflight = ({ otherSites }: Endpoint, allow: string): Record<string, string> =>
  otherSites === 'read'
    ? preflightHeaders(allow, 'Authorization, Content-Type, DPoP, MCP-Protocol-Version')
    : { Allow: allow }
