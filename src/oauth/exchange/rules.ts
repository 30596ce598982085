// Rules of handing a token on (RFC 8693), without input or output.
import { scopeNames } from '../../contract/scopes.ts'

export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'
/** Of an access token that is a JWT, which may be called by its form as well (RFC 8693, 3). */
export const JWT_TYPE = 'urn:ietf:params:oauth:token-type:jwt'

/** At most a quarter of an hour, and always shorter than the token that it is made from. */
export const HANDED_ON_SECONDS = 900
/** A helper may hand its token on once more; that one is the last. */
export const MAX_DEPTH = 2
/** Open ones of one grant. */
export const MAX_OPEN = 50
export const HAND_ONS = { tries: 600, windowSeconds: 3_600 }

/** How long a token lasts that is made now; less than 1 where there is no time left. */
export const lifetimeOf = ({ expiresAt }: { expiresAt: string }, now: string): number =>
  Math.min(HANDED_ON_SECONDS, Math.floor((Date.parse(expiresAt) - Date.parse(now)) / 1000) - 1)

/**
 * The scopes that are handed on: those that are asked for, or all but the one of refresh tokens; undefined when one of them is not the
 * caller's own.
 */
export function narrowed(own: string, asked: string): string | undefined {
  const mine = scopeNames(own).filter((name) => name !== 'offline_access')
  const wanted = scopeNames(asked)
  const names = wanted.length > 0 ? wanted : mine
  return names.length > 0 && names.every((name) => mine.includes(name)) ? names.join(' ') : undefined
}
