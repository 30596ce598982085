// What every response carries, in one table for each kind of response. They go into the object that a response is made of:
// Hono's secureHeaders and cors set them afterwards, for 90 us of CPU a request instead of 50 (`npm run bench -- headers`), and
// cors answers OPTIONS before a route is known, without Allow.
import type { Config } from '../../config/config.ts'

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
export const documentHeaders: Readonly<Record<string, string>> = {
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
