// Makes responses of results and problems, with the headers that every response carries.
import type { Config } from '../../config/config.ts'
import type { FileAnswer, StreamAnswer } from '../../contract/files.ts'
import { type Area, needsRole, type Operation } from '../../contract/operation.ts'
import type { Problem } from '../../contract/problem.ts'
import { isPrivate } from '../../core/readers.ts'
import { challengeFor, type PresentedToken } from '../../request/credentials.ts'

// What every response carries, in one table for each kind of response. They go into the object that a response is made of:
// Hono's secureHeaders and cors set them afterwards, for 90 us of CPU a request instead of 50 (`npm run bench -- headers`), and
// cors answers OPTIONS before a route is known, without Allow.

const closed = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/** Responses that pages of other sites may not read. */
export const closedHeaders: Readonly<Record<string, string>> = { ...closed, Vary: 'Cookie, Authorization' }

/** Responses that pages of any origin may read, but never with cookies: `*` excludes credentials. */
export const openHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'X-Request-Id, WWW-Authenticate, DPoP-Nonce, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Preference-Applied, Dry-Run, Location, Content-Disposition, ETag, X-Content-SHA256, X-Library-Version',
  ...closedHeaders,
}

/** Pages that are not of the site, such as the API reference. */
const documentHeaders: Readonly<Record<string, string>> = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  ...closed,
}

/** Pages of the site. */
export const pageHeaders: Readonly<Record<string, string>> = {
  ...documentHeaders,
  'Cache-Control': 'private, no-cache',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
}

/** Where the origin is `https`, browsers must stay there (RFC 6797). */
export const transportHeaders = ({ baseUrl }: Pick<Config, 'baseUrl'>): Record<string, string> =>
  baseUrl.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}

/** The value of `Allow` (RFC 9110, 10.2.1). HEAD works wherever GET does, and OPTIONS everywhere. */
export const allowOf = (methods: readonly string[]): string =>
  [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort().join(', ')

/** What a page of another origin may send to an operation. */
export const OPERATION_HEADERS = 'Authorization, Content-Type, DPoP, Idempotency-Key, Prefer'

/** The response to a preflight of CORS (Fetch, 3.2.2). */
export const preflightHeaders = (allow: string, allowedHeaders: string): Record<string, string> => ({
  Allow: allow,
  'Access-Control-Allow-Methods': allow,
  'Access-Control-Allow-Headers': allowedHeaders,
  'Access-Control-Max-Age': '86400',
})

// What every answer of a private instance says to crawlers and caches: nothing is indexed, and no proxy keeps what an account read.

const ROBOTS = 'noindex, nofollow, noarchive'

/** Answers that say it from the beginning. */
const sayIt = new WeakSet<Response>()

/**
 * An answer that no proxy keeps anyway, made with the headers of a private instance. To add one later costs a copy of all of them: a tenth of
 * an answer of the feed (`npm run bench -- private`).
 */
export function saidPrivately(
  answer: (headers: Record<string, string>) => Response,
  config: Pick<Config, 'readers'>,
): Response {
  if (!isPrivate(config)) return answer({})
  const response = answer({ 'X-Robots-Tag': ROBOTS })
  sayIt.add(response)
  return response
}

/** Changes the headers of an answer that has not been sent. Those of a public instance stay as they are. */
export function keepPrivate(response: Response, config: Pick<Config, 'readers'>): void {
  if (!isPrivate(config) || sayIt.has(response)) return
  const { headers } = response
  headers.set('X-Robots-Tag', ROBOTS)
  const caching = headers.get('cache-control')
  if (caching?.includes('public')) headers.set('Cache-Control', ownOnly(caching))
}

const ownOnly = (caching: string) => caching.replace(/\bpublic\b/, 'private')

interface Sending {
  file: FileAnswer
  /** On every answer. */
  headers: Record<string, string>
}

/** The same for a file, which goes past the response. */
export function privateHeaders({ file, headers }: Sending, config: Pick<Config, 'readers'>): Sending {
  if (!isPrivate(config)) return { file, headers }
  const own = { ...file.headers }
  if (own['Cache-Control']) own['Cache-Control'] = ownOnly(own['Cache-Control'])
  return { file: { ...file, headers: own }, headers: { ...headers, 'X-Robots-Tag': ROBOTS } }
}

/** A JSON response. `body` is text already, so that it can be cached. */
export function jsonAnswer(status: number, body: string, headers: Record<string, string>): Response {
  const all: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8', ...headers }
  return new Response(body, { status, headers: all })
}

/** A stream of events: proxies must not buffer it, and nothing caches it. */
export function streamAnswer(
  { method }: Request,
  { contentType, body }: StreamAnswer,
  headers: Record<string, string>,
): Response {
  const own = { 'Content-Type': contentType, 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' }
  if (method !== 'HEAD') return new Response(body, { headers: { ...headers, ...own } })
  void body.cancel()
  return new Response(null, { headers: { ...headers, ...own } })
}

/** An error in the format of the operation's area, with its headers. */
export function refusal(
  problem: Problem,
  { access }: Pick<Operation, 'access'>,
  baseUrl: string,
): { status: number; body: unknown; headers: Record<string, string> } {
  const status = access.area.statusOf(problem.code)
  const body = access.area.render(problem, needsRole(access))
  return { status, body, headers: challengeHeaders(problem, access, baseUrl) }
}

/** An error response without an operation: an unknown path or method. */
export function refusalOf(area: Area, problem: Problem): { status: number; body: string } {
  return { status: area.statusOf(problem.code), body: JSON.stringify(area.render(problem, false)) }
}

/** The challenge of a refusal in the scheme that the token came with, and the nonce for its next proof. */
export function inScheme(
  headers: Record<string, string>,
  { details: { fault, nonce } }: Problem,
  scheme: PresentedToken['scheme'] = 'Bearer',
): Record<string, string> {
  const challenge = headers['WWW-Authenticate']
  const next = fault?.nonce ?? nonce
  return {
    ...headers,
    ...(challenge && { 'WWW-Authenticate': challengeFor(challenge, scheme, fault) }),
    ...(next && { 'DPoP-Nonce': next }),
  }
}

/** RFC 6750, section 3, and RFC 9728, section 5.1: where a token comes from, and what it lacked. */
function challengeHeaders(
  { code, details }: Problem,
  { credential }: Operation['access'],
  baseUrl: string,
): Record<string, string> {
  const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/api"`
  const takesToken = credential === 'required' || credential === 'optional' || details.scope !== undefined
  if (code === 'unauthorized' && takesToken) {
    return { 'WWW-Authenticate': `Bearer ${metadata}${details.scope ? `, scope="${details.scope}"` : ''}` }
  }
  if (code === 'insufficient_scope') {
    return { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${details.scope}", ${metadata}` }
  }
  if (details.maxAgeSeconds !== undefined) {
    const acr = details.acrValues === undefined ? '' : `, acr_values="${details.acrValues}"`
    const stepUp = `error="insufficient_user_authentication", max_age="${details.maxAgeSeconds}"${acr}`
    return { 'WWW-Authenticate': `Bearer ${stepUp}, ${metadata}` }
  }
  if (code === 'outside_bounds') {
    return { 'WWW-Authenticate': `Bearer error="insufficient_authorization_details", ${metadata}` }
  }
  if (details.challenge !== undefined) return { 'Proof-Of-Work': `challenge="${baseUrl}${details.challenge}"` }
  if (details.retryAfterSeconds !== undefined) return { 'Retry-After': String(details.retryAfterSeconds) }
  return {}
}
