// Mounts endpoints: the body is read up to a limit, other sites are kept out where they have no business, and every answer
// carries what all answers carry.
import type { Hono, Context as HonoContext } from 'hono'
import { Problem } from '../../contract/problem.ts'
import type { Endpoint, Reply, Visit } from '../../endpoint.ts'
import type { Ground } from '../../handler.ts'
import { timestamp } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { apiHeaders, internalProblem, STRICT_TRANSPORT } from './answer.ts'
import { readText } from './body.ts'
import type { Env } from './http.ts'
import { isCrossSite } from './origin.ts'

const BODY_LIMIT = 48 * 1024

export interface EndpointOptions {
  ground: Ground
  cookieName: string
  /** Where requests are counted for the metrics. */
  observe(operation: string, status: number): void
}

export function mountEndpoints(app: Hono<Env>, endpoints: readonly Endpoint[], options: EndpointOptions): void {
  const cookie = new RegExp(`(?:^|; ?)${options.cookieName}=([^;]*)`)
  for (const endpoint of endpoints) app.all(endpoint.path, (c) => serve(c, endpoint, options, cookie))
}

async function serve(c: HonoContext<Env>, endpoint: Endpoint, options: EndpointOptions, cookie: RegExp) {
  const id = newId()
  const { ground } = options
  const request = c.req.raw
  let reply: Reply
  try {
    reply = await call(c, endpoint, ground, cookie)
  } catch (error) {
    if (!(error instanceof Problem))
      ground.log.error({ err: error, requestId: id, path: endpoint.path }, 'request failed')
    reply = endpoint.refuse(error instanceof Problem ? error : internalProblem(id))
    const { details } = error as Partial<Problem>
    if (details?.retryAfterSeconds !== undefined) {
      reply = { ...reply, headers: { ...plain(reply.headers), 'Retry-After': String(details.retryAfterSeconds) } }
    }
  }
  options.observe(`${request.method} ${endpoint.path}`, reply.status)
  return answer(reply, endpoint, id, ground.config.baseUrl)
}

const plain = (headers: HeadersInit | undefined) => Object.fromEntries(new Headers(headers))

const allowed = ({ methods }: Endpoint) =>
  [...Object.keys(methods), ...(methods.GET ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ')

async function call(c: HonoContext<Env>, endpoint: Endpoint, ground: Ground, cookie: RegExp): Promise<Reply> {
  const request = c.req.raw
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const allow = allowed(endpoint)
  if (method === 'OPTIONS') return { status: 204, headers: preflight(endpoint, allow), body: null }
  const run = method === 'GET' ? endpoint.methods.GET : method === 'POST' ? endpoint.methods.POST : undefined
  if (!run) {
    const reply = endpoint.refuse(new Problem('method_not_allowed', `${endpoint.path} takes ${allow}`))
    return { ...reply, headers: { ...plain(reply.headers), Allow: allow } }
  }
  if (method === 'POST' && endpoint.otherSites === 'keep out' && isCrossSite(request.headers, ground.config.baseUrl)) {
    throw new Problem('forbidden', 'This request came from another site')
  }
  const visit: Visit = {
    request,
    url: new URL(request.url),
    body: method === 'POST' ? await readText(request, BODY_LIMIT) : '',
    now: timestamp(ground.clock.now()),
    address: c.env?.address ?? '127.0.0.1',
    sessionToken: request.headers.get('cookie')?.match(cookie)?.[1] || undefined,
  }
  return run(visit)
}

function preflight({ otherSites }: Endpoint, allow: string): Record<string, string> {
  if (otherSites !== 'read') return { Allow: allow }
  return {
    Allow: allow,
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, MCP-Protocol-Version',
    'Access-Control-Max-Age': '86400',
  }
}

function answer(
  { status, headers: own, body }: Reply,
  { otherSites }: Endpoint,
  id: string,
  baseUrl: string,
): Response {
  const headers = new Headers(apiHeaders)
  headers.set('X-Request-Id', id)
  headers.set('Cache-Control', 'no-store')
  if (baseUrl.startsWith('https:')) headers.set('Strict-Transport-Security', STRICT_TRANSPORT)
  if (otherSites !== 'read') {
    headers.delete('Access-Control-Allow-Origin')
    headers.delete('Access-Control-Expose-Headers')
  }
  for (const [name, value] of new Headers(own)) {
    if (name === 'set-cookie') headers.append(name, value)
    else headers.set(name, value)
  }
  return new Response(body, { status, headers })
}
