// Access tokens at the API (RFC 6750, RFC 9449): opaque and personal ones are looked up, JWTs are verified with our own keys
// (behaviour.md, section 1). A token that is bound to a key is valid only with a proof of that key.
import { WIDGET_CLIENT } from '../../contract/own-clients.ts'
import { isScope, scopeNames } from '../../contract/scopes.ts'
import { isPersonalToken } from '../../identity/checked-secret.ts'
import { findSiteOf } from '../../identity/grant-life-queries.ts'
import * as queries from '../../identity/grant-queries.ts'
import { callerOf } from '../../identity/sessions.ts'
import type { FailedProof, PresentedToken } from '../../request/credentials.ts'
import { signerOf } from '../../request/credentials.ts'
import type { Dependencies, HandedOnVia } from '../../request/handler.ts'
import { sha256 } from '../../runtime/hash.ts'
import { showKey } from '../dpop/dpop.ts'
import { type Actor, actorOf, boundsOfToken, handedOnIn } from '../exchange/exchange.ts'
import { boundsIn, isJwt, type ReadJwt, type ValidJwt } from '../jwt.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { findPersonalCaller, PERSONAL_CLIENT } from '../personal-tokens/personal-tokens.ts'

/** A token that is good, as far as the token itself can say. */
export interface ValidToken extends Omit<ValidJwt, 'kind' | 'audience'> {
  kind: 'opaque' | 'jwt' | 'personal'
  /** Of a JWT. */
  audience?: string[]
  /** Who acts for whom, where it was handed on, and what that is to a call. */
  act?: Actor | undefined
  handedOn?: HandedOnVia | undefined
}

/** The account of a token; its role and block are read now. */
const authenticated = ({ account, scope, clientId, grantId, bounds, handedOn }: ValidToken, request: Request) => {
  const scopes = scopeNames(scope).filter(isScope)
  return {
    caller: callerOf(account, { scopes, clientId, grantId, bounds, handedOn, signer: signerOf(request) }),
    blocked: account.blockedAt !== null,
    leaving: account.deletionAt !== null,
  }
}

export type TokenAuthentication = ReturnType<typeof authenticated> & {
  /** The key that was shown, and the nonce for its next proof. */
  key?: string
  nonce?: string | undefined
}

/** Turns a token into an account. */
export type AuthenticateToken = (
  presented: PresentedToken,
  now: string,
) => Promise<TokenAuthentication | FailedProof | undefined>

/** What a token says, without a proof of its key; undefined for one that is not valid, for any reason. */
export type ReadToken = (token: string, now: string) => Promise<ValidToken | undefined>

export function tokenReader({ dependencies, readJwt }: { dependencies: Dependencies; readJwt: ReadJwt }): ReadToken {
  return async (token, now) => {
    const found = await (isPersonalToken(token)
      ? byPersonalToken(dependencies, token, now)
      : isJwt(token)
        ? byJwt(dependencies, token, { now, found: await readJwt(token, now) })
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
    if (scheme === 'Bearer' && !found?.boundTo) return found && authenticated(found, presented.request)
    if (!found) return { fault: { error: 'invalid_token', message: 'The access token is not valid' } }
    const shown = await showKey({ ...dependencies, readProof }, presented, found.boundTo)
    return 'fault' in shown ? shown : { ...authenticated(found, presented.request), ...shown }
  }
}

async function byHash({ db, config }: Dependencies, token: string, now: string): Promise<ValidToken | undefined> {
  const found = await queries.findTokenCaller(db, token, now)
  if (!found || !(await isOfListedSite({ db, config }, found))) return undefined
  const { scope, clientId, grantId, issuedAt: createdAt, expiresAt, keyThumbprint: boundTo } = found
  const helpers = handedOnIn(found)?.helpers
  const more = helpers && {
    act: actorOf(clientId, helpers),
    handedOn: { helpers, grantBounds: boundsIn(found.bounds), tokenHash: sha256(token) },
  }
  const bounds = boundsOfToken(found)
  return { kind: 'opaque', account: found, scope, boundTo, clientId, createdAt, expiresAt, grantId, bounds, ...more }
}

/** Whether the site that a token of the widget is of may still show it; every other token is of none. */
async function isOfListedSite(
  { db, config }: Pick<Dependencies, 'db' | 'config'>,
  { id, clientId }: { id: string; clientId: string },
): Promise<boolean> {
  if (clientId !== WIDGET_CLIENT) return true
  const site = await findSiteOf(db, id)
  return site !== undefined && config.widgetSites.includes(site)
}

/** One that was handed on is good only while it is stored, as an opaque one is: so it ends at once, with those above it. */
async function byJwt(
  dependencies: Dependencies,
  token: string,
  { now, found }: { now: string; found: ValidJwt | undefined },
): Promise<ValidToken | undefined> {
  if (!found?.isHandedOn) return found
  const stored = await byHash(dependencies, token, now)
  return stored && { ...stored, kind: 'jwt', audience: found.audience }
}

async function byPersonalToken(
  dependencies: Dependencies,
  token: string,
  now: string,
): Promise<ValidToken | undefined> {
  const found = await findPersonalCaller(dependencies, token, now)
  if (!found) return undefined
  const { scope, tokenId: grantId, issuedAt: createdAt, expiresAt } = found
  const of = { clientId: PERSONAL_CLIENT, grantId, bounds: boundsIn(found.bounds), createdAt, expiresAt }
  return { kind: 'personal', account: found, scope, boundTo: null, ...of }
}
