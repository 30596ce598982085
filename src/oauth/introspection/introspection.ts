// The introspection endpoint (RFC 7662), for resource servers of the operator: services that take our access tokens and ask what they
// are good for. The token is read as the API reads it; what the API would refuse is inactive, and nothing more is said of it.

import { countTry } from '../../budgets/budgets.ts'
import type { ResourceServer } from '../../config/signing-key.ts'
import { PUBLISHING_CLIENT, WIDGET_CLIENT } from '../../contract/own-clients.ts'
import { strengthClaims } from '../../contract/sign-in-strength.ts'
import { findSignInOf } from '../../identity/grant-life-queries.ts'
import type { EndpointRequest, EndpointResponse, Serve } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { sameHash, sha256 } from '../../runtime/hash.ts'
import { json, orRefused, protocolError, RefusalError } from '../area.ts'
import { unverified } from '../assertion.ts'
import type { ReadToken, ValidToken } from '../bearer/bearer.ts'
import { endOf } from '../bounds.ts'
import { authenticatedClient, authenticatedServer, clientBySecret, refusedClient } from '../client-authentication.ts'
import { basicCredentials, challenged, presentedSecret, requireForm } from '../client-form.ts'
import type { Client } from '../clients.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { countWrongSecret } from '../secret-clients/secret-clients.ts'

/** A busy service asks once for each token, not for each request. */
const ASKS = { tries: 60_000, windowSeconds: 3_600 }

const NO_STORE = { 'Cache-Control': 'no-store' }

/** Who asks: a resource server, which sees the tokens of all, or a client that authenticates, which sees its own. */
type Introspector = Pick<ResourceServer, 'id' | 'personalTokens'> & { clientId?: string }

export function introspectionEndpoint(parts: OAuthContext, read: ReadToken): Serve {
  const { dependencies } = parts
  const { config, db } = dependencies
  const serve: Serve = async (received) => {
    requireForm(received.request)
    const form = new URLSearchParams(received.body)
    const introspector = form.has('client_assertion')
      ? await introspectorByAssertion(parts, received, form)
      : (resourceServerOf(received, form, config.resourceServers) ?? (await appBySecret(parts, received, form)))
    if (!introspector) throw refusedClient()
    const [token, ...more] = form.getAll('token')
    if (!token || more.length > 0) return protocolError(400, 'invalid_request', 'Send one token')
    if (config.rateLimits) await countTry(db, { key: `introspect ${introspector.id}`, limit: ASKS, now: received.now })
    const found = await read(token, received.now)
    if (!found || !isShown(found, introspector)) return json(200, { active: false }, NO_STORE)
    return json(200, { ...told(found, config), ...(await signInOf(db, found, received.now)) }, NO_STORE)
  }
  return (received) =>
    orRefused(() => serve(received)).then((reply) =>
      reply.status === 401 ? refused(dependencies, received, reply) : reply,
    )
}

/** A resource server with keys by its signature (RFC 7523, 2.2), or a client with keys; never with a second credential. */
async function introspectorByAssertion(parts: OAuthContext, received: EndpointRequest, form: URLSearchParams) {
  const { request, now } = received
  if (request.headers.has('authorization') || form.has('client_secret')) return undefined
  const named = (await unverified(form.get('client_assertion') ?? ''))?.claims.sub
  const server = parts.dependencies.config.resourceServers.find(({ id, jwks }) => jwks && id === named)
  if (!server) {
    return ofClient(await authenticatedClient(parts, { form, headers: {} }, received))
  }
  await authenticatedServer(parts.dependencies, server, { form, now })
  return server
}

const ofClient = (client: Client | undefined): Introspector | undefined =>
  client && { id: `client ${client.clientId}`, clientId: client.clientId, personalTokens: false }

/** An app with a secret. A wrong one is counted with the refusal. */
async function appBySecret(
  parts: OAuthContext,
  { request, now }: EndpointRequest,
  form: URLSearchParams,
): Promise<Introspector | undefined> {
  if (request.headers.has('authorization') && form.has('client_secret')) return undefined
  const shown = presentedSecret(request, form)
  return shown && ofClient(await clientBySecret(parts, shown, now))
}

/** A token that publishes one item, or is of the widget, is good here alone. Blocked accounts and those that are being deleted act no more, also where a JWT is still good (interface.md, section 5). */
const isShown = (
  { account, kind, clientId }: ValidToken,
  { personalTokens, clientId: own = clientId }: Introspector,
): boolean =>
  clientId !== PUBLISHING_CLIENT &&
  clientId !== WIDGET_CLIENT &&
  clientId === own &&
  account.blockedAt === null &&
  account.deletionAt === null &&
  (kind !== 'personal' || personalTokens)

const seconds = (moment: string) => Math.floor(Date.parse(moment) / 1000)

/** RFC 7662, 2.2; the key by RFC 9449, 6.2, and who hands it on by RFC 8693, 4.1. */
function told(
  { account, scope, clientId, createdAt, expiresAt, bounds, boundTo, audience, act }: ValidToken,
  { issuer, baseUrl }: Dependencies['config'],
) {
  return {
    active: true,
    scope,
    client_id: clientId,
    sub: account.id,
    ...(account.username && { username: account.username }),
    token_type: boundTo === null ? 'Bearer' : 'DPoP',
    iat: seconds(createdAt),
    exp: seconds(endOf(expiresAt, bounds)),
    iss: issuer,
    aud: audience ?? [`${baseUrl}/api`],
    ...(boundTo !== null && { cnf: { jkt: boundTo } }),
    ...(act && { act }),
  }
}

/** When and how the person signed in for a token (RFC 9470, 6.2); nothing of that where an issuer vouched for them, and once the session has ended. */
async function signInOf(db: Dependencies['db'], { grantId }: ValidToken, now: string) {
  if (grantId === null) return {}
  const { signedInAt, acr } = await findSignInOf(db, { grantId, now })
  return { ...(signedInAt !== undefined && { auth_time: seconds(signedInAt) }), ...strengthClaims(acr) }
}

/** The server by its id and secret, in Basic credentials or in the form (RFC 6749, 2.3.1); never both. */
function resourceServerOf(
  { request }: EndpointRequest,
  form: URLSearchParams,
  servers: readonly ResourceServer[],
): ResourceServer | undefined {
  const authorization = request.headers.get('authorization')
  const inForm = form.get('client_secret')
  if (authorization !== null && inForm !== null) return undefined
  const { id, secret } =
    authorization === null
      ? { id: form.get('client_id'), secret: inForm }
      : (basicCredentials(authorization) ?? { id: null, secret: null })
  // All are compared, so that the time tells of none.
  return servers.filter(
    (server) =>
      server.secret !== undefined && sameHash(sha256(server.secret), sha256(secret ?? '')) && server.id === id,
  )[0]
}

/** The resource server of a request to another endpoint, which shows its secret there and may have a stream of signals. @throws RefusalError */
export async function receiverOf(dependencies: Dependencies, received: EndpointRequest): Promise<ResourceServer> {
  const server = resourceServerOf(received, new URLSearchParams(), dependencies.config.resourceServers)
  if (!server) throw new RefusalError(await refused(dependencies, received, refusedClient().reply))
  if (!server.signals)
    throw new RefusalError(protocolError(403, 'access_denied', 'This service may have no stream of signals'))
  return server
}

async function refused(
  dependencies: Dependencies,
  received: EndpointRequest,
  reply: EndpointResponse,
): Promise<EndpointResponse> {
  await countWrongSecret(dependencies, received)
  return challenged(reply, dependencies.config)
}
