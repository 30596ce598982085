// Cookies of a request.
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
