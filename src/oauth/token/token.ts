// The token endpoint (RFC 6749, 3.2): each exchange is one transaction, and a retry of a refresh gets the stored response.

import { hash } from 'node:crypto'
import { record } from '../../audit/audit.ts'
import { locksRows } from '../../database/engine.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { findAgentName } from '../../identity/agent-queries.ts'
import { grantActions, tokenActions } from '../../identity/audit-actions.ts'
import { recordEvent, warnOfNetwork, warnOfReuse, wasQuiet } from '../../identity/grant-life.ts'
import * as queries from '../../identity/grant-queries.ts'
import { recordTokenUse, userAgentOf } from '../../identity/grants.ts'
import type { EndpointRequest, EndpointResponse, Serve } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { sha256 } from '../../runtime/hash.ts'
import { seal, unseal } from '../../runtime/seal.ts'
import { parseJson, required } from '../../runtime/untyped.ts'
import { json, nonceHeader, orRefused, protocolError, RefusalError, tokenReply } from '../area.ts'
import { assertionExchange } from '../assertions/assertions.ts'
import { hasEnded, withDetails } from '../bounds.ts'
import { isOfRun, runExchange } from '../ci/ci.ts'
import { authenticatedClient } from '../client-authentication.ts'
import { challenged, formIn, requireForm } from '../client-form.ts'
import { knowClient } from '../clients.ts'
import { exchangeDeviceCode } from '../device/device.ts'
import { type Proof, useProof } from '../dpop/dpop.ts'
import { exchangeToken } from '../exchange/exchange.ts'
import type { AuthorizationServer, OAuthContext } from '../oauth-context.ts'
import {
  ACCESS_SECONDS,
  DEVICE_GRANT,
  JWT_BEARER,
  normalizeResource,
  REFRESH_SECONDS,
  RETRY_SECONDS,
  resourceOf,
  TOKEN_EXCHANGE,
} from '../rules.ts'
import { within } from '../storage.ts'
import { workloadExchange } from '../workloads/workloads.ts'

export { revokeEndpoint } from './revoke.ts'

/** The code or refresh token in the request. */
interface PresentedGrant {
  kind: 'code' | 'refresh'
  value: string
  hash: string
  /** Part of the key of its response; undefined for a refused resource, which has no response. */
  key: string | undefined
}

interface Exchange {
  dependencies: Dependencies
  received: EndpointRequest
  form: URLSearchParams
  /** The request headers that the library sees. */
  headers: Record<string, string>
  /** The key that the request proves, if it proves one (RFC 9449, 5). */
  proof: Proof | undefined
  presented: PresentedGrant | undefined
}

export function tokenEndpoint(parts: OAuthContext): Serve {
  const { dependencies, server, readProof } = parts
  const exchangeRun = runExchange(parts)
  const exchangeWorkload = workloadExchange(parts)
  const exchangeOfAssertion = assertionExchange(parts)
  const serve: Serve = async (received) => {
    requireForm(received.request)
    const { form, headers } = formIn(received)
    const authenticated = await authenticatedClient(parts, { form, headers }, received)
    const proof = await readProof(received.request)
    const presented = presentedIn(form, [proof?.key, authenticated?.clientId], dependencies)
    const exchange = { dependencies, received, form, headers, proof, presented }
    if (presented?.kind === 'refresh') {
      // Looked up without a transaction first: a stored response is cheap to return.
      const used = await queries.findToken(dependencies.db, { kind: 'refresh', hash: presented.hash })
      const again = await answerAgain(dependencies.db, used, exchange)
      if (again) return again
    }
    // A run or a program of a member, which are no clients: the resource of a run is an item.
    const isOfOther = form.has('workload') || (await isOfRun(form, dependencies.config.issuer))
    if (form.get('grant_type') === TOKEN_EXCHANGE && isOfOther)
      return (form.has('workload') ? exchangeWorkload : exchangeRun)({ received, form, proof })
    normalizeResource(form, dependencies.config)
    const { call, provider } = await server()
    await knowClient(provider, form.get('client_id'))
    if (form.get('grant_type') === DEVICE_GRANT) {
      return challenged(
        await exchangeDeviceCode(parts, { received, form, headers, proof, authenticated }),
        dependencies.config,
      )
    }
    if (form.get('grant_type') === JWT_BEARER) return exchangeOfAssertion({ received, form, proof, authenticated })
    if (form.get('grant_type') === TOKEN_EXCHANGE) {
      return challenged(await exchangeToken(parts, { received, form, proof, authenticated }), dependencies.config)
    }
    return challenged(await exchangeInTransaction(call, exchange), dependencies.config)
  }
  return async (received) => challenged(await orRefused(() => serve(received)), dependencies.config)
}

function presentedIn(
  form: URLSearchParams,
  shown: readonly (string | undefined)[],
  { config }: Dependencies,
): PresentedGrant | undefined {
  const kind = ({ authorization_code: 'code', refresh_token: 'refresh' } as const)[form.get('grant_type') ?? '']
  const value = kind && form.get(kind === 'code' ? 'code' : 'refresh_token')
  if (!value) return undefined
  const clientId = form.get('client_id') ?? ''
  const resource = resourceOf(form.getAll('resource'), clientId, config)
  // A retry must match in all of these: client, resource, scope, the key if one was used, and that the client authenticated if it did.
  const request = [clientId, resource, form.get('scope') ?? '', ...shown.filter((name) => name !== undefined)]
  // Apart from each other: a text from the form may hold any sign.
  const key = resource === 'refused' ? undefined : sha256(JSON.stringify(request))
  return { kind, value, hash: sha256(value), key }
}

/**
 * The key that encrypts the response to a refresh, so the database alone reveals nothing. The token is 256 random bits: one hash of it
 * makes a key, and the label keeps that key apart from the hash that is stored.
 */
const sealingKey = (token: string) => hash('sha256', `guildhall refresh answer\n${token}`, 'buffer')

/**
 * The stored response of a used refresh token, for the same request within the retry window (interface.md, section 5): with the same
 * key, if the first request used one, and with a new proof.
 */
async function answerAgain(db: Db, token: queries.Token | undefined, exchange: Exchange) {
  const { dependencies, received, form, presented, proof } = exchange
  if (!token?.response || !isRetry(token, received.now) || token.responseFor !== required(presented).key)
    return undefined
  if (proof) await useProof(db, dependencies.clock, { context: form.get('client_id') ?? '', jti: proof.jti })
  const { grantId, userId, clientId } = token
  const from = { now: received.now, address: received.address, userAgent: userAgentOf(received) }
  await recordEvent(db, from, { grantId, userId, clientId, kind: 'retried' })
  return tokenReply(unseal(sealingKey(required(presented).value), token.response), proof?.nonce)
}

const isRetry = ({ consumedAt }: queries.Token, now: string) =>
  consumedAt !== null && Date.parse(now) - Date.parse(consumedAt) <= RETRY_SECONDS * 1000

const exchangeInTransaction = (call: AuthorizationServer['call'], exchange: Exchange): Promise<EndpointResponse> =>
  orRefused(() =>
    exchange.dependencies.db
      .transaction()
      .execute((transaction) => within(transaction, () => exchangeOnce(transaction, call, exchange))),
  )

async function exchangeOnce(db: Transaction, call: AuthorizationServer['call'], exchange: Exchange) {
  const { received, form, headers, presented, proof } = exchange
  const token = presented && (await lockToken(db, presented))
  // Before anything looks at whether the token is used up: a refused resource has no consequences.
  if (token && !presented.key && token.clientId === form.get('client_id')) {
    return protocolError(400, 'invalid_target', 'the resource is not for this client')
  }
  if (token && presented.kind === 'refresh') {
    // Another request may have used it while this one waited for the lock.
    const again = await answerAgain(db, token, exchange)
    if (again) return again
    // Neither a retry nor a theft: the same token with different parameters (behaviour.md, section 5).
    if (isRetry(token, received.now) && token.clientId === form.get('client_id')) {
      return protocolError(400, 'invalid_grant', 'refresh token already used')
    }
  }
  if (token && hasEnded(token, received.now)) {
    return protocolError(400, 'invalid_grant', 'the time for which the account let this client in has passed')
  }
  if (token && presented.kind === 'code' && !takesRedirect(token, form)) {
    return protocolError(400, 'invalid_request', 'redirect_uri is missing: the authorization request named one')
  }
  const { status, text } = await call({ method: 'POST', path: '/oauth2/token', headers, body: form.toString() })
  if (status === 200 && token) {
    const told = withDetails(text, token, received.now)
    await remember(db, exchange, { token, text: told })
    return tokenReply(told, proof?.nonce)
  }
  const refusal = parseJson<{ error: string; error_description?: string }>(text)
  const reply = json(status, refusal, nonceHeader(proof?.nonce))
  // A second use must be recorded. Every other refusal is rolled back, including the use of the token.
  if (refusal.error !== 'invalid_grant' || !token?.consumedAt) throw new RefusalError(reply)
  await recordReuse(exchange.dependencies, db, { received, token })
  return reply
}

/** Whether the redirect URI is there, or may be missing because the authorization request left it out (RFC 6749, 4.1.3). */
function takesRedirect({ payload }: queries.Token, form: URLSearchParams): boolean {
  if (form.get('redirect_uri')) return true
  const { redirectOmitted, redirectUri } = parseJson<Record<string, string | undefined>>(payload ?? '{}')
  if (redirectOmitted) form.set('redirect_uri', redirectUri ?? '')
  return redirectOmitted !== undefined
}

/** The token row, locked until the transaction ends. */
async function lockToken(db: Transaction, { kind, hash }: PresentedGrant): Promise<queries.FoundToken | undefined> {
  const token = await queries.findToken(db, { kind, hash })
  if (!token || !locksRows(db)) return token
  await queries.holdGrantOf(db, token)
  return queries.findToken(db, { kind, hash })
}

async function remember(
  db: Transaction,
  { dependencies, received, presented }: Exchange,
  { token, text }: { token: queries.Token; text: string },
): Promise<void> {
  const { refresh_token: refreshToken, scope } = parseJson<{ refresh_token?: string; scope: string }>(text)
  const { kind, grantId, userId, clientId } = token
  if (kind === 'refresh') {
    const { hash, value, key } = required(presented)
    await queries.updateResponse(db, { hash, response: seal(sealingKey(value), text), responseFor: required(key) })
  }
  const action = kind === 'refresh' ? tokenActions.refresh : tokenActions.issue
  if (kind === 'refresh' && wasQuiet(token.createdAt, received.now)) {
    const from = { now: received.now, address: received.address, userAgent: userAgentOf(received) }
    const of = { grantId, userId, clientId, kind: 'refreshed', clientName: await findAgentName(db, clientId) } as const
    await warnOfNetwork(dependencies, db, { received: from, of })
  }
  await recordTokenUse(db, received, {
    ...{ grantId, userId, clientId },
    action,
    scope,
    forSeconds: refreshToken ? REFRESH_SECONDS : ACCESS_SECONDS,
  })
}

/** Notes that a token was used again. The library has ended its grant by then, which ends every token of it (storage.ts, `revokeByGrantId`). */
async function recordReuse(
  { outbox, config }: Dependencies,
  db: Db,
  { received, token }: { received: EndpointRequest; token: queries.Token },
): Promise<void> {
  const { kind, grantId, userId, clientId } = token
  if (await queries.findGrant(db, { id: grantId })) return
  const { now, address } = received
  const detail = { clientId, reason: `${kind} used twice` }
  await record(db, now, { action: grantActions.end, actorId: userId, targetId: grantId, detail, address })
  const from = { now, address, userAgent: userAgentOf(received) }
  const of = { grantId, userId, clientId, kind: 'reused' } as const
  await recordEvent(db, from, of)
  await warnOfReuse({ outbox, config }, db, {
    received: from,
    of: { ...of, clientName: await findAgentName(db, clientId) },
  })
}
