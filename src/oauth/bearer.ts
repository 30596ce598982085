// Bearer tokens at the API (RFC 6750): opaque ones are looked up, JWTs are checked by our own keys (behaviour.md, section 1).
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import type { Role } from '../contract/operation.ts'
import type { Ground } from '../handler.ts'
import { sha256 } from '../platform/hash.ts'
import type { Keys } from './keys.ts'
import * as queries from './queries.ts'
import { isScope, scopeNames } from './scopes.ts'

interface Account {
  id: string
  email: string
  username: string | null
  role: Role
  blockedAt: string | null
  provenAt: string | null
  createdAt: string
}

/** Who a token speaks for; the account's role and block are read now. */
const identified = ({ id, email, username, role, provenAt, createdAt, blockedAt }: Account, scope: string) => ({
  caller: {
    ...{ id, email, username, role, verified: provenAt !== null, createdAt },
    via: { scopes: scopeNames(scope).filter(isScope) },
  },
  blocked: blockedAt !== null,
})

export type Identified = ReturnType<typeof identified>

/** Turns a token into an account; undefined when it is not good, for whatever reason. */
export function bearer(ground: Ground, keys: () => Promise<Keys>) {
  const byJwt = jwtReader(ground, keys)
  return async (token: string, now: string): Promise<Identified | undefined> => {
    if (isJwt(token)) return byJwt(token, now)
    const found = await queries.findTokenCaller(ground.db, sha256(token), now)
    return found && identified(found, found.scope)
  }
}

const isJwt = (token: string) => token.includes('.') && token.split('.').length === 3

function jwtReader({ config, db }: Ground, keys: () => Promise<Keys>) {
  let ready: Promise<{ jose: typeof import('jose'); key: JWTVerifyGetKey }> | undefined
  const open = async () => {
    const jose = await import('jose')
    return { jose, key: jose.createLocalJWKSet({ keys: [...(await keys()).published] }) }
  }
  return async (token: string, now: string): Promise<Identified | undefined> => {
    ready ??= open()
    const { jose, key } = await ready
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
    const { sub, scope, azp, client_id: clientId } = payload
    if (azp !== config.agentClientId || clientId !== config.agentClientId || typeof scope !== 'string') return undefined
    const account = await queries.findCaller(db, sub!)
    return account && identified(account, scope)
  }
}
