// Makes responses of results and problems.
import type { StreamAnswer } from '../../contract/files.ts'
import { type Area, needsRole, type Operation } from '../../contract/operation.ts'
import type { Problem } from '../../contract/problem.ts'
import { challengeFor, type PresentedToken } from '../../request/credentials.ts'

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
