// Cookies: those of a request, and those that the site sets, all with the same protection.
import type { Operation } from '../contract/operation.ts'

const patterns = new Map<string, RegExp>()

function patternOf(name: string): RegExp {
  const pattern = patterns.get(name) ?? new RegExp(`(?:^|; ?)${name}=([^;]*)`)
  patterns.set(name, pattern)
  return pattern
}

/** The value of a cookie whose name holds letters, digits, `_` and `-` alone. */
export const cookieIn = (headers: Headers, name: string): string | undefined =>
  headers.get('cookie')?.match(patternOf(name))?.[1] || undefined

/** An operation for sessions is refused to other sites by the cookie that it needs. */
export const mayCarryCookie = ({ setsCookie, access }: Operation): boolean =>
  setsCookie === true || access.credential === 'session'

/** A cookie's name. On https a browser itself holds a `__Host-` cookie to this host, the whole path and TLS. */
export const cookieNamed = (baseUrl: string, name: string): string =>
  baseUrl.startsWith('https:') ? `__Host-${name}` : name

/** A Set-Cookie value for `cookieNamed`; 0 seconds clear the cookie. */
export function cookieLine(baseUrl: string, name: string, { value, seconds }: { value: string; seconds: number }) {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${cookieNamed(baseUrl, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}
