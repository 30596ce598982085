// Token exchange (RFC 8693): an agent makes a narrower, shorter token for a helper out of its own access token. It belongs to the same
// grant, so it ends with it and its bounds are shared.
import { countTry } from '../../budgets/budgets.ts'
import { BOUNDS_TYPE, bothBounds, boundsAsked, detailsOf, isBoundsAsked } from '../../contract/bounds.ts'
import { type Helper, MAX_DEPTH } from '../../contract/hand-on.ts'
import { Problem } from '../../contract/problem.ts'
import { scopeNames } from '../../contract/scopes.ts'
import type { Transaction } from '../../database/schema.ts'
import { tokenActions } from '../../identity/audit-actions.ts'
import { plainName } from '../../identity/client-name.ts'
import * as queries from '../../identity/grant-queries.ts'
import { recordTokenUse } from '../../identity/grants.ts'
import type { EndpointRequest, EndpointResponse } from '../../request/endpoint.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newId } from '../../runtime/ids.ts'
import { json, nonceHeader, orRefused, protocolError, refusal } from '../area.ts'
import { endOf, hasEnded } from '../bounds.ts'
import { requireAuthenticated } from '../client-authentication.ts'
import { type Client, findClient } from '../clients.ts'
import { type Proof, useProof } from '../dpop/dpop.ts'
import { isJwt } from '../jwt.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { ACCESS_TOKEN_TYPE, JWT_TYPE, resourceOf, TOKEN_EXCHANGE } from '../rules.ts'
import { makeToken } from './made-token.ts'
import { boundsOfToken, handedOnIn, listHandedOn } from './queries.ts'
import { findSubject, readSubject, type Subject } from './subject-token.ts'

/** At most a quarter of an hour, and always shorter than the token that it is made from. */
export const HANDED_ON_SECONDS = 900
/** Open ones of one grant. */
export const MAX_OPEN = 50
const HAND_ONS = { tries: 600, windowSeconds: 3_600 }

/** How long a token lasts that is made now; less than 1 where there is no time left. */
const lifetimeOf = ({ expiresAt }: { expiresAt: string }, now: string): number =>
  Math.min(HANDED_ON_SECONDS, Math.floor((Date.parse(expiresAt) - Date.parse(now)) / 1000) - 1)

/**
 * The scopes that are handed on: those that are asked for, or all but the one of refresh tokens; undefined when one of them is not the
 * caller's own.
 */
function narrowed(own: string, asked: string): string | undefined {
  const mine = scopeNames(own).filter((name) => name !== 'offline_access')
  const wanted = scopeNames(asked)
  const names = wanted.length > 0 ? wanted : mine
  return names.length > 0 && names.every((name) => mine.includes(name)) ? names.join(' ') : undefined
}

interface Exchange {
  received: EndpointRequest
  form: URLSearchParams
  proof: Proof | undefined
  /** The client that authenticated, if one did. */
  authenticated: Client | undefined
}

interface HandOnRequest extends Exchange {
  client: Client
  /** The token that is handed on, as it was before the transaction. */
  parent: Subject
  /** What signs a JWT, where one is asked for. */
  signing: Parameters<typeof makeToken>[1]
}

const ONCE = [
  ...['subject_token', 'subject_token_type', 'requested_token_type', 'scope', 'dpop_jkt', 'client_id'],
  ...['authorization_details', 'helper_name'],
]

/** Throws where a parameter is missing, twice there or not supported (RFC 8693, 2.1). */
function checkForm(form: URLSearchParams): void {
  for (const name of ONCE) if (form.getAll(name).length > 1) throw refusal('invalid_request', `${name} is there twice`)
  if (!form.get('subject_token')) throw refusal('invalid_request', 'subject_token is missing')
  const types = isJwt(form.get('subject_token') ?? '') ? [ACCESS_TOKEN_TYPE, JWT_TYPE] : [ACCESS_TOKEN_TYPE]
  if (!types.includes(form.get('subject_token_type') ?? ''))
    throw refusal('invalid_request', `subject_token_type must be ${types.join(' or ')}`)
  if (![null, ACCESS_TOKEN_TYPE].includes(form.get('requested_token_type')))
    throw refusal('invalid_request', `requested_token_type must be ${ACCESS_TOKEN_TYPE}`)
  if (!isBoundsAsked(form.get('authorization_details') ?? '[]'))
    throw refusal('invalid_authorization_details', `authorization_details must be a list of at most one ${BOUNDS_TYPE}`)
  if (form.has('actor_token') || form.has('actor_token_type'))
    throw refusal('invalid_request', 'actor_token is not supported: the client itself is the actor')
}

const unusable = () =>
  refusal('invalid_request', 'subject_token is not an access token of this client that can be handed on')

/** The account let the client in for a time. */
const ended = () => refusal('invalid_grant', 'the time for which the account let this client in has passed')

/** The response to an exchange. */
export function exchangeToken(parts: OAuthContext, exchange: Exchange): Promise<EndpointResponse> {
  const { db, config } = parts.dependencies
  return orRefused(async () => {
    const { form, received } = exchange
    checkForm(form)
    const { provider } = await parts.server()
    const client = await findClient(provider, form.get('client_id') ?? '')
    if (!client) return protocolError(401, 'invalid_client', 'client authentication failed')
    requireAuthenticated(client, exchange.authenticated)
    if (!client.grantTypeAllowed(TOKEN_EXCHANGE))
      throw refusal('unauthorized_client', `The client did not register for ${TOKEN_EXCHANGE}`)
    const wanted = ['resource', 'audience'].map((name) => resourceOf(form.getAll(name), client.clientId, config))
    if (wanted.includes('refused')) throw refusal('invalid_target', 'a token is not handed on for this resource')
    const signing = wanted.includes('agent') ? { config, keys: await parts.keys() } : undefined
    const parent = await readSubject(parts, form.get('subject_token') ?? '', received.now)
    if (parent?.clientId !== client.clientId) throw unusable()
    if (hasEnded(parent, received.now)) throw ended()
    if (parent.expiresAt <= received.now) throw unusable()
    if (config.rateLimits) await countTry(db, { key: `hand-on ${parent.grantId}`, limit: HAND_ONS, now: received.now })
    const asked = { ...exchange, client, parent, signing }
    return db.transaction().execute((transaction) => handOn(transaction, parts, asked))
  })
}

async function handOn(
  db: Transaction,
  { dependencies }: OAuthContext,
  asked: HandOnRequest,
): Promise<EndpointResponse> {
  const { received, form, proof, client, parent: seen } = asked
  const { now } = received
  // Locks are taken in one order everywhere: account, grant, token.
  if (!(await queries.findUserToIssueTo(db, seen.userId))) throw unusable()
  await queries.holdGrantOf(db, seen)
  const parent = await findSubject(db, seen, now)
  if (!parent) throw unusable()
  if (hasEnded(parent, now)) throw ended()
  const { helper, above, bounds } = helperOf(parent, form, now)
  const lifetime = lifetimeOf({ expiresAt: endOf(parent.expiresAt, bounds) }, now)
  if (lifetime < 1) throw unusable()
  const key = keyOf(asked)
  if (proof) await useProof(db, dependencies.clock, { context: client.clientId, jti: proof.jti })
  const scope = narrowed(parent.scope, form.get('scope') ?? '')
  if (scope === undefined) throw refusal('invalid_scope', 'a helper gets no scope that the token itself lacks')
  await requireRoom(db, parent.grantId, now)
  const { grantId, userId, clientId } = parent
  const helpers = [...above.helpers, helper]
  const handedOn = { id: helper.id, helpers, from: [...above.from, parent.hash] }
  const made = { userId, clientId, grantId, scope, helpers, bounds, key, now, lifetimeSeconds: lifetime }
  const { token, expiresAt } = await makeToken(made, asked.signing)
  await queries.insertToken(db, {
    ...{ hash: sha256(token), kind: 'access', grantId, userId, clientId, scope, payload: JSON.stringify({ handedOn }) },
    ...{ createdAt: now, consumedAt: null, response: null, responseFor: null, expiresAt },
    keyThumbprint: key,
  })
  const use = { grantId, userId, clientId, scope, action: tokenActions['hand-on'], forSeconds: lifetime }
  await recordTokenUse(db, received, use)
  const answer = {
    access_token: token,
    issued_token_type: ACCESS_TOKEN_TYPE,
    token_type: key === null ? 'Bearer' : 'DPoP',
    expires_in: lifetime,
    scope,
    ...(bounds && { authorization_details: detailsOf(bounds, now) }),
  }
  return json(200, answer, { 'Cache-Control': 'no-store', Pragma: 'no-cache', ...nonceHeader(proof?.nonce) })
}

/**
 * The helper that gets the token, those above it, and what it may do at most: what is asked for it, never more than what binds any of them.
 */
function helperOf(parent: Subject, form: URLSearchParams, now: string) {
  const above = handedOnIn(parent) ?? { from: [], helpers: [] }
  if (above.from.length >= MAX_DEPTH)
    throw refusal('invalid_request', `a token is handed on at most ${MAX_DEPTH} times`)
  const asked = boundsAsked(form.get('authorization_details') ?? '[]', now)
  const helper: Helper = { id: newId(), name: plainName(form.get('helper_name')) ?? null, bounds: asked }
  return { helper, above, bounds: bothBounds(boundsOfToken(parent), asked) }
}

/**
 * The key that the new token is bound to: the helper's, which the agent names (`dpop_jkt`), or the one that is proven. A token that is
 * bound is handed on only with a proof of its own key, so a stolen one cannot be made into one of the thief's key.
 */
function keyOf({ form, proof, client, parent }: HandOnRequest): string | null {
  if (parent.keyThumbprint !== null && proof?.key !== parent.keyThumbprint)
    throw refusal('invalid_dpop_proof', 'The token is bound to a key: prove that key')
  const named = form.get('dpop_jkt')
  if (named !== null && !/^[\w-]{43}$/.test(named)) throw refusal('invalid_request', 'dpop_jkt is not a thumbprint')
  const key = named ?? proof?.key ?? null
  if (key === null && client.dpopBoundAccessTokens)
    throw refusal('invalid_dpop_proof', 'The client registered for tokens with a key')
  return key
}

async function requireRoom(db: Transaction, grantId: string, now: string): Promise<void> {
  const open = await listHandedOn(db, { grantId, now })
  if (open.length < MAX_OPEN) return
  const soonest = Math.min(...open.map(({ expiresAt }) => Date.parse(expiresAt)))
  const retryAfterSeconds = Math.max(1, Math.ceil((soonest - Date.parse(now)) / 1000))
  throw new Problem('rate_limited', `At most ${MAX_OPEN} tokens of a grant are handed on at once`, {
    retryAfterSeconds,
  })
}
