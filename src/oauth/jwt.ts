// Our own JWT access tokens (RFC 9068): verified with our keys, and narrowed to what their grant allows by now. One whose grant is gone is
// good until it expires (interface.md, section 5), unless the account ended that, or its credentials since (identity/credentials.ts).
import type { JWTPayload } from 'jose'
import type { GrantBounds } from '../contract/bounds.ts'
import { scopeNames } from '../contract/scopes.ts'
import { isSignedSince } from '../identity/credentials.ts'
import { isEnded } from '../identity/grant-life-queries.ts'
import * as queries from '../identity/grant-queries.ts'
import type { Dependencies } from '../request/handler.ts'
import { timestamp } from '../runtime/clock.ts'
import { once } from '../runtime/once.ts'
import { parseJson, required } from '../runtime/untyped.ts'
import type { Keys } from './keys/keys.ts'

/** The account of a token, as it is now. */
export type Account = NonNullable<Awaited<ReturnType<typeof queries.findCaller>>>

/** What a JWT says that is good. */
export interface ValidJwt {
  kind: 'jwt'
  account: Account
  clientId: string
  createdAt: string
  expiresAt: string
  audience: string[]
  scope: string
  /** Unknown for a JWT from before they name it. */
  grantId: string | null
  bounds: GrantBounds | undefined
  /** The thumbprint of the key that it is bound to. */
  boundTo: string | null
  /** It has an `act`: then it is good only while its row is there. */
  isHandedOn?: boolean
}

/** Undefined for a token that is not valid, for any reason. */
export type ReadJwt = (token: string, now: string) => Promise<ValidJwt | undefined>

export const isJwt = (token: string): boolean => token.split('.').length === 3

export const boundsIn = (stored: string | null): GrantBounds | undefined =>
  stored === null ? undefined : parseJson<GrantBounds>(stored)

export function jwtReader({ config, db }: Pick<Dependencies, 'config' | 'db'>, keys: () => Promise<Keys>): ReadJwt {
  const verifier = once(async () => {
    const jose = await import('jose')
    return { jose, key: jose.createLocalJWKSet({ keys: [...(await keys()).published] }) }
  })
  return async (token, now) => {
    const { jose, key } = await verifier()
    let payload: JWTPayload
    try {
      const verified = await jose.jwtVerify(token, key, {
        algorithms: ['EdDSA'],
        typ: 'at+jwt',
        issuer: config.issuer,
        audience: config.agentAudience,
        requiredClaims: ['exp', 'iat', 'sub', 'jti', 'scope', 'azp', 'client_id'],
        currentDate: new Date(now),
      })
      payload = verified.payload
    } catch {
      return undefined
    }
    const { sub, scope, azp, gid, client_id: clientId, bounds: issued } = payload
    if (azp !== config.agentClientId || clientId !== config.agentClientId || typeof scope !== 'string') return undefined
    const account = await queries.findCaller(db, { id: required(sub) })
    if (!account) return undefined
    const [createdAt, expiresAt] = [payload.iat, payload.exp].map((second) => timestamp(required(second) * 1000))
    const grantId = typeof gid === 'string' ? gid : null
    const grant = grantId === null ? undefined : await queries.findBounds(db, { id: grantId })
    if (!grant && !isSignedSince(account, required(payload.iat))) return undefined
    if (!grant && grantId !== null && (await isEnded(db, grantId))) return undefined
    return {
      ...{ kind: 'jwt', account, boundTo: keyOf(payload), clientId, audience: [payload.aud ?? []].flat(), grantId },
      ...{ createdAt: required(createdAt), expiresAt: required(expiresAt) },
      // What the account took away since is not in the token, and a token outlives its grant for up to an hour (interface.md, section
      // 5): then what bounded it when it was issued bounds it still.
      scope: grant
        ? scopeNames(scope)
            .filter((name) => scopeNames(grant.scope).includes(name))
            .join(' ')
        : scope,
      bounds: grant ? boundsIn(grant.bounds) : (issued as GrantBounds | undefined),
      isHandedOn: payload['act'] !== undefined,
    }
  }
}

/** RFC 7800, 3.1. A confirmation that is not understood is never taken for none. */
function keyOf({ cnf }: JWTPayload): string | null {
  if (cnf === undefined) return null
  const jkt = typeof cnf === 'object' && cnf !== null && 'jkt' in cnf ? cnf.jkt : undefined
  return typeof jkt === 'string' && jkt !== '' ? jkt : 'unknown'
}
