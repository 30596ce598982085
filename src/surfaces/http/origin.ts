// Where a request comes from: its network address, and whether a browser sent it from another site.
import { isIP, isIPv4, isIPv6 } from 'node:net'
import type { Config } from '../../config/config.ts'
import type { Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { isLoopback } from '../../runtime/addresses.ts'

/**
 * Whether a write with a cookie must be refused (behaviour.md, section 1): `Sec-Fetch-Site` says another site sent it, or,
 * in browsers without that header, `Origin` does. Neither header means no browser.
 */
export function isCrossSite(headers: Headers, baseUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  const origin = headers.get('origin')
  return origin !== null && !isOurs(origin, baseUrl)
}

/** Nothing that another site sends acts for whom the cookie is of, or changes whom it is of (behaviour.md, section 1). */
export function requireOwnSite(
  { headers }: Request,
  { method, setsCookie }: Operation,
  { sessionToken, baseUrl }: { sessionToken: string | undefined; baseUrl: string },
): void {
  if (method === 'GET' || !(sessionToken || setsCookie)) return
  if (isCrossSite(headers, baseUrl)) throw new Problem('forbidden', 'This request came from another site')
}

/** On loopback the names localhost, 127.0.0.1 and [::1] with our port are one origin. */
function isOurs(origin: string, baseUrl: string): boolean {
  if (origin === baseUrl) return true
  const theirs = URL.parse(origin)
  const ours = new URL(baseUrl)
  return (
    theirs !== null &&
    theirs.protocol === ours.protocol &&
    theirs.port === ours.port &&
    isLoopback(theirs.hostname) &&
    isLoopback(ours.hostname)
  )
}

/**
 * The address a limit is held against. Each trusted proxy appends the address it was called from to X-Forwarded-For; what
 * stands before those entries was written by the caller and counts for nothing. Some proxies append the port, too. An entry that
 * is no address is not believed: then the proxy that wrote it counts.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trustProxy: Config['trustProxy']): string {
  if (trustProxy === 0 || !forwardedFor) return peer
  const trusted = forwardedFor.split(',').slice(-trustProxy)
  for (const entry of trusted) {
    const address = addressIn(entry.trim())
    if (address !== undefined) return address
  }
  return peer
}

/** The address in `ip`, `ip:port`, `[v6]` or `[v6]:port`; undefined for anything else. */
function addressIn(entry: string): string | undefined {
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry) ?? []
  if (bracketed !== undefined) return isIPv6(bracketed) ? bracketed : undefined
  if (isIP(entry)) return entry
  const [, v4] = /^([\d.]+):\d{1,5}$/.exec(entry) ?? []
  return v4 !== undefined && isIPv4(v4) ? v4 : undefined
}
