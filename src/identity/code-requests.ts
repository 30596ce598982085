// Which browser asked for a mailed code: an id in a cookie, and in the answer for those without cookies. Tries that come with it are counted
// apart from those of others, who cannot touch the code then.

import { cookieLine, cookieNamed } from '../request/cookie.ts'
import type { Context } from '../request/handler.ts'
import { newToken } from '../runtime/ids.ts'
import { parseJson } from '../runtime/untyped.ts'
import { CODE_FAILURES, CODE_SECONDS, OTHERS_FAILURES } from './rules.ts'

const COOKIE = 'guildhall_code'

/** The id of the requests of a browser for codes; undefined for one that never asked. */
export function requestIn({ config, cookie }: Pick<Context, 'config' | 'cookie'>): string | undefined {
  const value = cookie(cookieNamed(config.baseUrl, COOKIE))
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
}

/** The id of this request for a code: that of the browser, or a new one. Its cookie lasts as long as the code. */
export function noteRequest(context: Pick<Context, 'config' | 'cookie' | 'reply'>): string {
  const value = requestIn(context) ?? newToken()
  const line = cookieLine(context.config.baseUrl, COOKIE, { value, seconds: CODE_SECONDS })
  context.reply.append('Set-Cookie', line)
  return value
}

/** Wrong tries of those who did not ask for a code, by their networks, as JSON; null for none. */
type OthersTries = string | null

/** The same with one more; undefined where the network, or all of them together, have had their tries. */
export function withTryOf(tries: OthersTries, network: string): string | undefined {
  const counts = tries === null ? {} : parseJson<Record<string, number>>(tries)
  const own = counts[network] ?? 0
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (own >= CODE_FAILURES || all >= OTHERS_FAILURES) return undefined
  return JSON.stringify({ ...counts, [network]: own + 1 })
}
