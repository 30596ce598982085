// Access tokens at the API (RFC 6750, RFC 9449): opaque ones are looked up, JWTs are verified with our own keys (behaviour.md,
// section 1). A token that is bound to a key is valid only with a proof of that key.
import type { JWTPayload } from 'jose'
import type { KeyFault } from '../contract/problem.ts'
import { isScope, scopeNames } from '../contract/scopes.ts'
import * as queries from '../identity/grant-queries.ts'
import { callerOf } from '../identity/sessions.ts'
import type { PresentedToken } from '../request/credentials.ts'
import type { Dependencies } from '../request/handler.ts'
import { once } from '../runtime/once.ts'
import { required } from '../runtime/untyped.ts'
import { showKey } from './dpop/dpop.ts'
import type { OAuthContext } from './oauth-context.ts'

type Account = NonNullable<Awaited<ReturnType<typeof queries.findCaller>>>

/** A token that is good, as far as the token itself can say. */
interface Found {
  account: Account
  scope: string
  /** The thumbprint of the key that it is bound to. */
  boundTo: string | null
}

/** The account of a token; its role and block are read now. */
const authenticated = ({ account, scope }: Found) => ({
  caller: callerOf(account, { scopes: scopeNames(scope).filter(isScope) }),
  blocked: account.blockedAt !== null,
  leaving: account.deletionAt !== null,
})

export type Authenticated = ReturnType<typeof authenticated> & {
  /** The key that was shown, and the nonce for its next proof. */
  key?: string
  nonce?: string | undefined
}

/** A token or proof that is not valid, with the reason for the client. */
export interface Unproven {
  caller?: undefined
  fault: KeyFault
}

/** Turns a token into an account. */
export type AuthenticateToken = (
  presented: PresentedToken,
  now: string,
) => Promise<Authenticated | Unproven | undefined>

/** Undefined for a token that is not valid, for any reason. */
export function bearer({ dependencies, keys, readProof }: OAuthContext): AuthenticateToken {
  const byJwt = jwtReader(dependencies, keys)
  return async (presented, now) => {
    const { token, scheme } = presented
    const found = isJwt(token) ? await byJwt(token, now) : await byHash(dependencies, token, now)
    if (scheme === 'Bearer' && !found?.boundTo) return found && authenticated(found)
    if (!found) return { fault: { error: 'invalid_token', message: 'The access token is not valid' } }
    const shown = await showKey({ ...dependencies, readProof }, presented, found.boundTo)
    return 'fault' in shown ? shown : { ...authenticated(found), ...shown }
  }
}

const isJwt = (token: string) => token.includes('.') && token.split('.').length === 3

async function byHash({ db }: Dependencies, token: string, now: string): Promise<Found | undefined> {
  const found = await queries.findTokenCaller(db, token, now)
  return found && { account: found, scope: found.scope, boundTo: found.keyThumbprint }
}

function jwtReader({ config, db }: Dependencies, keys: OAuthContext['keys']) {
  const verifier = once(async () => {
    const jose = await import('jose')
    return { jose, key: jose.createLocalJWKSet({ keys: [...(await keys()).published] }) }
  })
  return async (token: string, now: string): Promise<Found | undefined> => {
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
    const { sub, scope, azp, client_id: clientId } = payload
    if (azp !== config.agentClientId || clientId !== config.agentClientId || typeof scope !== 'string') return undefined
    const account = await queries.findCaller(db, { id: required(sub) })
    return account && { account, scope, boundTo: keyOf(payload) }
  }
}

/** RFC 7800, 3.1. A confirmation that is not understood is never taken for none. */
function keyOf({ cnf }: JWTPayload): string | null {
  if (cnf === undefined) return null
  const jkt = typeof cnf === 'object' && cnf !== null && 'jkt' in cnf ? cnf.jkt : undefined
  return typeof jkt === 'string' && jkt !== '' ? jkt : 'unknown'
}
