// The grant of RFC 7523, 2.1: a client that authenticated, with its key or its secret, shows an assertion for a token of an account. Either an identity provider
// of the operator signed it for this client (identity-assertion.ts), or the client itself did, for an account that lets it stay (own-assertion.ts).
import { addressKey, countTry } from '../../budgets/budgets.ts'
import { BOUNDS_TYPE, boundsAsked, type GrantBounds, isBoundsAsked } from '../../contract/bounds.ts'
import { Problem } from '../../contract/problem.ts'
import { isScope, scopeNames } from '../../contract/scopes.ts'
import type { Transaction } from '../../database/schema.ts'
import { tokenActions } from '../../identity/audit-actions.ts'
import { insertUsedProof } from '../../identity/code-queries.ts'
import * as queries from '../../identity/grant-queries.ts'
import { recordTokenUse } from '../../identity/grants.ts'
import type { EndpointRequest, EndpointResponse } from '../../request/endpoint.ts'
import { after } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newToken } from '../../runtime/ids.ts'
import { orRefused, refusal, tokenReply } from '../area.ts'
import type { Asserted } from '../assertion.ts'
import { TokenRefusal, unverified } from '../assertion.ts'
import { endWith, withDetails } from '../bounds.ts'
import { isBySecret, refusedClient } from '../client-authentication.ts'
import type { Client } from '../clients.ts'
import { type Proof, useProof } from '../dpop/dpop.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { ACCESS_SECONDS, DEFAULT_SCOPE, JWT_BEARER, resourceOf } from '../rules.ts'
import { holdSecretClient } from '../secret-clients/secret-clients.ts'
import { identityAssertions } from './identity-assertion.ts'
import { ownAssertions } from './own-assertion.ts'

const BY_ADDRESS = { tries: 3_000, windowSeconds: 3_600 }
const BY_CLIENT = { tries: 3_000, windowSeconds: 3_600 }
const BY_SUBJECT = { tries: 60, windowSeconds: 3_600 }

export interface AssertionExchange {
  received: EndpointRequest
  form: URLSearchParams
  proof: Proof | undefined
  /** The client that authenticated, if one did. */
  authenticated: Client | undefined
}

const ONCE = ['assertion', 'scope', 'resource', 'client_id', 'authorization_details']

/** Answers exchanges of assertions. */
export function assertionExchange(parts: OAuthContext) {
  const { config, db } = parts.dependencies
  const readIdentity = identityAssertions(parts)
  const readOwn = ownAssertions(parts)
  return (exchange: AssertionExchange): Promise<EndpointResponse> =>
    orRefused(async () => {
      const { received, form, authenticated: client } = exchange
      const { now, address } = received
      const token = requireForm(form)
      if (!client)
        throw refusedClient('this grant is for clients that authenticate: send a client_assertion or a secret')
      if (!client.grantTypeAllowed(JWT_BEARER))
        throw refusal('unauthorized_client', `The client did not register for ${JWT_BEARER}`)
      if (resourceOf(form.getAll('resource'), client.clientId, config) !== 'ordinary')
        throw refusal('invalid_target', 'the resource is not for this client')
      if (config.rateLimits) {
        await countTry(db, { key: `assertion ${addressKey(address)}`, limit: BY_ADDRESS, now })
        await countTry(db, { key: `assertion of ${client.clientId}`, limit: BY_CLIENT, now })
      }
      const isOwn = (await unverified(token))?.claims.iss === client.clientId
      const asserted = await (isOwn ? readOwn : readIdentity)({ client, received }, token).catch(refusedAssertion)
      if (config.rateLimits)
        await countTry(db, { key: `assertion ${client.clientId} ${asserted.claims.sub}`, limit: BY_SUBJECT, now })
      return await db
        .transaction()
        .execute((transaction) => issue(transaction, parts, { ...exchange, client, asserted }))
        .catch(refusedAccount)
    })
}

/** Throws where a parameter is missing or twice there. */
function requireForm(form: URLSearchParams): string {
  for (const name of ONCE) if (form.getAll(name).length > 1) throw refusal('invalid_request', `${name} is there twice`)
  return form.get('assertion') || raise(refusal('invalid_request', 'assertion is missing'))
}

function raise(error: Error): never {
  throw error
}

function refusedAssertion(error: unknown): never {
  throw error instanceof TokenRefusal ? refusal('invalid_grant', `assertion: ${error.message}`) : error
}

/** What the account may not, by the rules for people, in the words of the protocol. */
function refusedAccount(error: unknown): never {
  const isRefusal = error instanceof Problem && ['blocked', 'forbidden', 'conflict'].includes(error.code)
  throw isRefusal ? refusal('invalid_grant', error.message) : error
}

interface Issue extends AssertionExchange {
  client: Client
  asserted: Asserted
}

async function issue(db: Transaction, { dependencies }: OAuthContext, asked: Issue): Promise<EndpointResponse> {
  const { received, form, proof, client, asserted } = asked
  const { now } = received
  const { clock } = dependencies
  // If it has ended since, it gets nothing: locks are taken in one order everywhere, the app first.
  if (isBySecret(client) && !(await holdSecretClient(db, client.clientId))) throw refusedClient()
  if (!(await insertUsedProof(db, asserted.proof)))
    throw refusal('invalid_grant', 'assertion: it was used already, and is good once')
  if (!proof && client.dpopBoundAccessTokens)
    throw refusal('invalid_dpop_proof', 'The client registered for tokens with a key')
  if (proof) await useProof(db, clock, { context: client.clientId, jti: proof.jti })
  const wanted = { scope: scopeIn(form, asserted), bounds: boundsIn(form, asserted, now) }
  const grant = await asserted.open(db, wanted)
  const { id: grantId, userId, clientId } = grant
  const scope = within(scopeNames(wanted.scope), grant.scope)
  const token = newToken()
  const of = { grantId, userId, clientId, scope }
  await queries.insertToken(db, {
    ...{ ...of, hash: sha256(token), kind: 'access', payload: null, createdAt: now, consumedAt: null },
    ...{ response: null, responseFor: null, expiresAt: endWith(after(now, ACCESS_SECONDS), grant) },
    keyThumbprint: proof?.key ?? null,
  })
  await recordTokenUse(db, received, { ...of, action: tokenActions.issue, forSeconds: ACCESS_SECONDS })
  const answer = { access_token: token, token_type: proof ? 'DPoP' : 'Bearer', expires_in: ACCESS_SECONDS, scope }
  return tokenReply(withDetails(JSON.stringify(answer), grant, now), proof?.nonce)
}

/** What is asked for, or else all that may be: never more than that, and never to stay, as another assertion does that. */
function scopeIn(form: URLSearchParams, { scope }: Asserted): string {
  const asked = scopeNames(form.get('scope') ?? '')
  return within(asked.length > 0 ? asked : scopeNames(scope ?? DEFAULT_SCOPE), scope)
}

function within(names: readonly string[], most: string | undefined): string {
  const all = most === undefined ? undefined : scopeNames(most)
  const left = names.filter((name) => isScope(name) && name !== 'offline_access' && (!all || all.includes(name)))
  if (left.length === 0) throw refusal('invalid_scope', 'none of the requested scopes can be had with this assertion')
  return left.join(' ')
}

/** The bounds that the assertion names, or else those that the client asks for (RFC 9396). */
function boundsIn(form: URLSearchParams, { bounds }: Asserted, now: string): GrantBounds | undefined {
  const asked = form.get('authorization_details')
  const text = bounds ?? asked
  if ((bounds !== undefined && asked !== null) || (text !== null && !isBoundsAsked(text)))
    throw refusal(
      'invalid_authorization_details',
      `send a list of at most one ${BOUNDS_TYPE}, where the assertion has none`,
    )
  return text === null ? undefined : boundsAsked(text, now)
}
