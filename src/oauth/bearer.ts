// Access tokens at the API (RFC 6750, RFC 9449): opaque and personal ones are looked up, JWTs are verified with our own keys
// (behaviour.md, section 1). A token that is bound to a key is valid only with a proof of that key.
import type { JWTPayload } from 'jose'
import type { GrantBounds } from '../contract/bounds.ts'
import type { KeyFault } from '../contract/problem.ts'
import { isScope, scopeNames } from '../contract/scopes.ts'
import * as queries from '../identity/grant-queries.ts'
import { isPersonalToken } from '../identity/personal-token.ts'
import { callerOf } from '../identity/sessions.ts'
import type { PresentedToken } from '../request/credentials.ts'
import type { Dependencies } from '../request/handler.ts'
import { timestamp } from '../runtime/clock.ts'
import { once } from '../runtime/once.ts'
import { parseJson, required } from '../runtime/untyped.ts'
import { showKey } from './dpop/dpop.ts'
import { type Actor, handedOnIn } from './exchange/exchange.ts'
import type { OAuthContext } from './oauth-context.ts'
import { findPersonalCaller, PERSONAL_CLIENT } from './personal-tokens/personal-tokens.ts'

type Account = NonNullable<Awaited<ReturnType<typeof queries.findCaller>>>

/** A token that is good, as far as the token itself can say. */
export interface Found {
  kind: 'opaque' | 'jwt' | 'personal'
  account: Account
  clientId: string
  createdAt: string
  expiresAt: string
  /** Of a JWT. */
  audience?: string[]
  /** Who handed it on. */
  act?: Actor | undefined
  scope: string
  /** Unknown for a JWT from before they name it. */
  grantId: string | null
  /** What the grant may do at most. */
  bounds: GrantBounds | undefined
  /** The thumbprint of the key that it is bound to. */
  boundTo: string | null
}

/** The account of a token; its role and block are read now. */
const authenticated = ({ account, scope, clientId, grantId, bounds }: Found) => ({
  caller: callerOf(account, { scopes: scopeNames(scope).filter(isScope), clientId, grantId, bounds }),
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

/** What a token says, without a proof of its key; undefined for one that is not valid, for any reason. */
export type ReadToken = (token: string, now: string) => Promise<Found | undefined>

export function tokenReader({ dependencies, keys }: Pick<OAuthContext, 'dependencies' | 'keys'>): ReadToken {
  const byJwt = jwtReader(dependencies, keys)
  return async (token, now) => {
    const found = await (isPersonalToken(token)
      ? byPersonalToken(dependencies, token, now)
      : isJwt(token)
        ? byJwt(token, now)
        : byHash(dependencies, token, now))
    // The account let it in for a time.
    return found?.bounds?.until && found.bounds.until <= now ? undefined : found
  }
}

/** Undefined for a token that is not valid, for any reason. */
export function bearer({ dependencies, readProof }: OAuthContext, read: ReadToken): AuthenticateToken {
  return async (presented, now) => {
    const { token, scheme } = presented
    const found = await read(token, now)
    if (scheme === 'Bearer' && !found?.boundTo) return found && authenticated(found)
    if (!found) return { fault: { error: 'invalid_token', message: 'The access token is not valid' } }
    const shown = await showKey({ ...dependencies, readProof }, presented, found.boundTo)
    return 'fault' in shown ? shown : { ...authenticated(found), ...shown }
  }
}

const boundsIn = (stored: string | null): GrantBounds | undefined =>
  stored === null ? undefined : parseJson<GrantBounds>(stored)

const isJwt = (token: string) => token.includes('.') && token.split('.').length === 3

async function byHash({ db }: Dependencies, token: string, now: string): Promise<Found | undefined> {
  const found = await queries.findTokenCaller(db, token, now)
  if (!found) return undefined
  const { scope, clientId, grantId, issuedAt: createdAt, expiresAt, keyThumbprint: boundTo } = found
  const more = { grantId, bounds: boundsIn(found.bounds), act: handedOnIn(found)?.act }
  return { kind: 'opaque', account: found, scope, boundTo, clientId, createdAt, expiresAt, ...more }
}

async function byPersonalToken(dependencies: Dependencies, token: string, now: string): Promise<Found | undefined> {
  const found = await findPersonalCaller(dependencies, token, now)
  if (!found) return undefined
  const { scope, tokenId: grantId, issuedAt: createdAt, expiresAt } = found
  const of = { clientId: PERSONAL_CLIENT, grantId, bounds: boundsIn(found.bounds), createdAt, expiresAt }
  return { kind: 'personal', account: found, scope, boundTo: null, ...of }
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
    const { sub, scope, azp, gid, client_id: clientId, bounds: issued } = payload
    if (azp !== config.agentClientId || clientId !== config.agentClientId || typeof scope !== 'string') return undefined
    const account = await queries.findCaller(db, { id: required(sub) })
    if (!account) return undefined
    const [createdAt, expiresAt] = [payload.iat, payload.exp].map((second) => timestamp(required(second) * 1000))
    const grantId = typeof gid === 'string' ? gid : null
    const grant = grantId === null ? undefined : await queries.findBounds(db, { id: grantId })
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
    }
  }
}

/** RFC 7800, 3.1. A confirmation that is not understood is never taken for none. */
function keyOf({ cnf }: JWTPayload): string | null {
  if (cnf === undefined) return null
  const jkt = typeof cnf === 'object' && cnf !== null && 'jkt' in cnf ? cnf.jkt : undefined
  return typeof jkt === 'string' && jkt !== '' ? jkt : 'unknown'
}
