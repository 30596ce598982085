// Clients that authenticate: with a secret that an admin gave them (secret-clients), or
// with a key of their own (private_key_jwt: RFC 7521, 4.2; RFC 7523, 2.2 and 3): the assertion is checked here first, at
// every endpoint, and is good once in all processes, also where the request is refused then. The library checks it once more where it makes
// tokens or checks requests itself, with the keys that were fetched here. The audience is our issuer alone: one that names an endpoint could
// have been made for another server (draft-ietf-oauth-rfc7523bis).
import { addressKey, countTry } from '../budgets/budgets.ts'
import type { ResourceServer } from '../config/signing-key.ts'
import { Problem } from '../contract/problem.ts'
import { isDocumentUrl } from '../identity/client-name.ts'
import { fetchPublicJson, type KeySet, type KeySets, keySetIn, keySets } from '../outgoing/key-sets.ts'
import type { EndpointRequest } from '../request/endpoint.ts'
import type { Dependencies } from '../request/handler.ts'
import { protocolError, RefusalError } from './area.ts'
import { TokenRefusal, unverified, type VerifiedAssertion, verifiedAssertion } from './assertion.ts'
import { type ClientForm, presentedSecret } from './client-form.ts'
import { type Client, findClient } from './clients.ts'
import { insertProof } from './dpop/dpop.ts'
import type { OAuthContext } from './oauth-context.ts'
import { BY_SECRET, CLIENT_ALGORITHMS, PRIVATE_KEY_JWT } from './rules.ts'
import {
  countWrongSecret,
  isAuthenticated,
  type PresentedSecret,
  SECRET_FOR_LIBRARY,
} from './secret-clients/secret-clients.ts'

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
/** What authenticates is made for one request. */
const OF_REQUEST = { longestSeconds: 600, required: ['jti'] } as const
/** Keys of clients are few and small. */
const MAX_KEY_BYTES = 32 * 1024
const MOST_KEY_SETS = 200
/** Assertions of an address: each may have keys fetched, and is remembered. */
const BY_ADDRESS = { tries: 6_000, windowSeconds: 3_600 }

/** The keys of clients at their addresses (`jwks_uri`): any client can choose one, so from public addresses alone. */
export const clientKeySets = (dependencies: Dependencies): KeySets =>
  keySets(dependencies, {
    read: async (address) => keySetIn(await fetchPublicJson(dependencies, address, MAX_KEY_BYTES)),
    most: MOST_KEY_SETS,
  })

type Parts = Pick<OAuthContext, 'dependencies' | 'server' | 'clientKeys'>

export const refusedClient = (description = 'client authentication failed'): RefusalError =>
  new RefusalError(protocolError(401, 'invalid_client', description))

type Authentication = Pick<Client, 'clientAuthMethod'>

/** Whether a client has to authenticate. */
export const hasToAuthenticate = ({ clientAuthMethod }: Authentication): boolean => clientAuthMethod !== 'none'

/** Whether an admin registered it with a secret. */
export const isBySecret = ({ clientAuthMethod }: Authentication): boolean =>
  BY_SECRET.some((method) => method === clientAuthMethod)

const hasKeys = ({ clientAuthMethod }: Authentication): boolean => clientAuthMethod === PRIVATE_KEY_JWT

/**
 * The client whose assertion or secret is in a request, with its id in the form from then on; undefined for a request without one. Throws the
 * refusal where that is not good. A wrong secret is counted.
 */
export async function authenticatedClient(
  parts: Parts,
  { form, headers }: ClientForm,
  received: EndpointRequest,
): Promise<Client | undefined> {
  const shown = presentedSecret(received.request, form)
  if (!shown) return clientByAssertion(parts, form, received)
  const client = await clientBySecret(parts, shown, received.now)
  if (!client) {
    await countWrongSecret(parts.dependencies, received)
    throw refusedClient()
  }
  // The library compares what it was given itself, shown in the form or in the header as the client registered.
  form.set('client_id', client.clientId)
  if (shown.method === 'client_secret_post') form.set('client_secret', SECRET_FOR_LIBRARY)
  else headers['authorization'] = `Basic ${btoa(`${encodeURIComponent(client.clientId)}:${SECRET_FOR_LIBRARY}`)}`
  return client
}

/** The client of a secret that is good, shown in its way; undefined for every other one, also of a client that has none. */
export async function clientBySecret(parts: Parts, shown: PresentedSecret, now: string): Promise<Client | undefined> {
  if (!(await isAuthenticated(parts.dependencies, shown, now))) return undefined
  return findClient((await parts.server()).provider, shown.clientId)
}

async function clientByAssertion(
  parts: Parts,
  form: URLSearchParams,
  { now, address }: Pick<EndpointRequest, 'now' | 'address'>,
): Promise<Client | undefined> {
  const given = assertionIn(form)
  if (given === undefined) return undefined
  const { config, db } = parts.dependencies
  if (config.rateLimits) await countTry(db, { key: `client assertion ${addressKey(address)}`, limit: BY_ADDRESS, now })
  const clientId = (await unverified(given))?.claims.sub
  if (typeof clientId !== 'string' || clientId === '')
    throw refusedClient('client_assertion is no signed JWT with a sub')
  if (form.has('client_id') && form.get('client_id') !== clientId)
    throw new Problem('invalid_request', 'client_id mismatch')
  const client = await findClient((await parts.server()).provider, clientId)
  if (!client || !hasKeys(client)) throw refusedClient()
  await requireAssertion(parts, client, { assertion: given, now })
  form.set('client_id', clientId)
  return client
}

/** Throws for a client that has to authenticate and did not; `authenticated` is the one that did, if one did. */
export function requireAuthenticated(client: Client, authenticated: Client | undefined): void {
  if (hasToAuthenticate(client) && authenticated?.clientId !== client.clientId)
    throw refusedClient(hasKeys(client) ? 'the client registered keys: send a client_assertion' : undefined)
}

/** The same where no client is looked up otherwise. A client whose document cannot be had now is let be: what is called shows a token of it. */
export async function requireAuthenticatedId(
  parts: Parts,
  clientId: string,
  authenticated: Client | undefined,
): Promise<void> {
  if (authenticated || clientId === parts.dependencies.config.agentClientId) return
  const client = await findClient((await parts.server()).provider, clientId)
  if (client) requireAuthenticated(client, authenticated)
  else if (!isDocumentUrl(clientId)) throw refusedClient()
}

/** A request as it is kept. */
export function withoutCredentials(form: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(form)
  for (const name of ['client_assertion', 'client_assertion_type', 'client_secret']) rest.delete(name)
  return rest
}

function assertionIn(form: URLSearchParams): string | undefined {
  if (!form.has('client_assertion') && !form.has('client_assertion_type')) return undefined
  for (const name of ['client_assertion', 'client_assertion_type', 'client_id'])
    if (form.getAll(name).length > 1) throw new Problem('invalid_request', `${name} is there twice`)
  if (form.get('client_assertion_type') !== ASSERTION_TYPE)
    throw new Problem('invalid_request', `client_assertion_type must be ${ASSERTION_TYPE}`)
  return form.get('client_assertion') ?? ''
}

/** Throws unless the client signed the assertion for this server, now, and for the first time. */
async function requireAssertion(
  { dependencies, clientKeys }: Parts,
  client: Client,
  { assertion, now }: { assertion: string; now: string },
): Promise<void> {
  const rules = { ...OF_REQUEST, subject: client.clientId }
  await useAssertion(
    dependencies,
    signedByClient({ dependencies, clientKeys }, client, { token: assertion, rules, now }),
  )
  letLibraryReadKeys(client)
}

/** The library keeps the keys of an address for a minute: a key that it does not know makes it read those that were fetched here. */
function letLibraryReadKeys(client: Client): void {
  if (client.jwksUri !== undefined)
    Reflect.set(Object(Reflect.get(client, 'asymmetricKeyStore')), 'freshUntil', undefined)
}

/** Throws unless the resource server, which has keys, signed the assertion in a form (RFC 7523, 2.2). */
export async function authenticatedServer(
  dependencies: Dependencies,
  { id, jwks }: Pick<ResourceServer, 'id' | 'jwks'>,
  { form, now }: { form: URLSearchParams; now: string },
): Promise<void> {
  const named = { issuer: id, subject: id, audience: dependencies.config.issuer, algorithms: CLIENT_ALGORITHMS, now }
  const keys = async () => keySetIn(jwks)
  await useAssertion(dependencies, verifiedAssertion(assertionIn(form) ?? '', keys, { ...OF_REQUEST, ...named }))
}

/** Uses an assertion up; throws the refusal where it is not good, or was used. */
async function useAssertion({ db }: Dependencies, verifying: Promise<VerifiedAssertion>): Promise<void> {
  const { proof } = await verifying.catch((error: unknown) => {
    throw error instanceof TokenRefusal ? refusedClient(`client_assertion: ${error.message}`) : error
  })
  if (!(await insertProof(db, proof.hash, proof.expiresAt)))
    throw refusedClient('client_assertion: it was used already, and is good once')
}

interface SignedByClient {
  token: string
  rules: { subject?: string; longestSeconds: number; required: readonly string[] }
  now: string
}

/** What a client with keys signed for this server. Throws `TokenRefusal`. */
export function signedByClient(
  { dependencies, clientKeys }: Pick<Parts, 'dependencies' | 'clientKeys'>,
  client: Client,
  { token, rules, now }: SignedByClient,
): Promise<VerifiedAssertion> {
  const algorithm = client.tokenEndpointAuthSigningAlg
  const algorithms = algorithm ? [algorithm] : CLIENT_ALGORITHMS
  const of = { issuer: client.clientId, audience: dependencies.config.issuer, algorithms, now }
  return verifiedAssertion(token, (kid) => keysOf({ dependencies, clientKeys }, client, kid), { ...rules, ...of })
}

async function keysOf(
  { dependencies: { log }, clientKeys }: Pick<Parts, 'dependencies' | 'clientKeys'>,
  { jwks, jwksUri, clientId }: Client,
  kid: string | undefined,
): Promise<KeySet> {
  if (jwksUri === undefined) return keySetIn(jwks ?? { keys: [] })
  return clientKeys.of(jwksUri, kid).catch((error: unknown) => {
    log.info({ err: error, clientId }, 'the keys of a client could not be fetched')
    throw new TokenRefusal('the keys at jwks_uri cannot be fetched right now; try again later')
  })
}
