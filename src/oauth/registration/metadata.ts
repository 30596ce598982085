// Client metadata (RFC 7591, 2), normalized before the library checks it: unused fields are dropped, missing ones get the defaults of
// a public client, and unsupported values are replaced by supported ones. The response shows the result.

import { z } from 'zod'
import { allScopes, isScope, scopeNames } from '../../contract/scopes.ts'
import { plainName } from '../../identity/client-name.ts'
import { assertReachable, NO_PUBLIC_ADDRESS, publicInternet } from '../../outgoing/guarded-request.ts'
import { isLoopback } from '../../runtime/addresses.ts'
import { badRedirectUri } from '../redirects.ts'
import { CLIENT_ALGORITHMS, DEVICE_GRANT, JWT_BEARER, PRIVATE_KEY_JWT, TOKEN_EXCHANGE } from '../rules.ts'

type Metadata = Record<string, unknown>

const KNOWN = [
  'client_id',
  'redirect_uris',
  'token_endpoint_auth_method',
  'grant_types',
  'response_types',
  'application_type',
  'client_name',
  'client_uri',
  'logo_uri',
  'tos_uri',
  'policy_uri',
  'contacts',
  'scope',
  'id_token_signed_response_alg',
  'dpop_bound_access_tokens',
]
/** Of a client that authenticates with a key of its own (RFC 7523, 2.2). */
const KEYS = ['jwks', 'jwks_uri', 'token_endpoint_auth_signing_alg']

/** All that a client can say of itself, in bytes of JSON. */
export const METADATA_BYTES = 4_096

/** What a client gets that names none. */
const DEFAULT_GRANTS = ['authorization_code', 'refresh_token']
const GRANT_TYPES = [...DEFAULT_GRANTS, DEVICE_GRANT, TOKEN_EXCHANGE, JWT_BEARER]
const ID_TOKEN_ALGORITHMS: unknown[] = ['RS256', 'EdDSA']

/** The metadata of a client that registers. One that can keep a secret needs none here: it is a public one, or it has keys. */
export const normalizeMetadata = (given: Metadata): Metadata =>
  hasKeys(given)
    ? { ...settle(given, [...KNOWN, ...KEYS]), token_endpoint_auth_method: PRIVATE_KEY_JWT }
    : { ...settle(given, KNOWN), token_endpoint_auth_method: 'none' }

/** Whether a client authenticates with keys, and says which. */
const hasKeys = (given: Metadata): boolean =>
  given['token_endpoint_auth_method'] === PRIVATE_KEY_JWT &&
  KEYS.some((name) => given[name] != null && name !== KEYS[2])

const MAX_KEYS = 10
const https = z.url({ protocol: /^https$/ }).max(2_000)
/** The library looks at the rest. */
const PublicKey = z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']), d: z.undefined().optional() })
const KeyMetadata = z.object({
  jwks: z.object({ keys: z.array(PublicKey).min(1).max(MAX_KEYS) }).nullish(),
  jwks_uri: https.nullish(),
  token_endpoint_auth_signing_alg: z.enum(CLIENT_ALGORITHMS).nullish(),
})

/** What is wrong with the keys of a client, beyond the checks of the library; undefined where nothing is. */
export function badKeys(given: Metadata): string | undefined {
  if (!hasKeys(given)) return undefined
  const { success, data } = KeyMetadata.safeParse(given)
  if (!success)
    return `jwks must have 1 to ${MAX_KEYS} public keys, or jwks_uri be an https URL; token_endpoint_auth_signing_alg is one of ${CLIENT_ALGORITHMS.join(', ')}`
  if (data.jwks && data.jwks_uri) return 'jwks and jwks_uri exclude each other'
  return data.jwks_uri && !isPublicHost(data.jwks_uri) ? `jwks_uri: ${NO_PUBLIC_ADDRESS}` : undefined
}

/** Names are looked up when the keys are fetched. */
function isPublicHost(url: string): boolean {
  try {
    assertReachable(new URL(url), publicInternet)
    return true
  } catch {
    return false
  }
}

/** The metadata in a client's document. Throws when a field is not allowed there; `schemes` are redirect schemes that the operator allows. */
export function normalizeDocument(given: Metadata, schemes: readonly string[]): Metadata {
  const bad = badRedirectUri(given['redirect_uris'], schemes) ?? badKeys(given)
  if (bad) throw new Error(bad)
  // Kept although a document must not have one, so that the library refuses it.
  const metadata = settle(given, [...KNOWN, ...(hasKeys(given) ? KEYS : []), 'client_secret'])
  if (isTooLarge(metadata)) throw new Error(`A client has at most ${METADATA_BYTES} bytes of metadata`)
  metadata['token_endpoint_auth_method'] ??= 'none'
  return metadata
}

export const isTooLarge = (metadata: unknown): boolean => Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES

function settle(given: Metadata, known: readonly string[]): Metadata {
  const present = known.filter((name) => given[name] !== undefined && given[name] !== null)
  const metadata: Metadata = Object.fromEntries(present.map((name) => [name, given[name]]))
  const uris = Array.isArray(metadata['redirect_uris'])
    ? metadata['redirect_uris'].map((uri) => URL.parse(String(uri)))
    : []
  // Loopback redirects match on any port only for a native client (RFC 8252, 7.3); private schemes are native by nature.
  if (uris.some((uri) => uri && isNative(uri))) metadata['application_type'] = 'native'
  metadata['grant_types'] = offeredGrants(metadata['grant_types'])
  const types = metadata['response_types']
  // One that is not offered at all stays, and is refused.
  if (types === undefined || (Array.isArray(types) && types.includes('code'))) metadata['response_types'] = ['code']
  const name = metadata['client_name']
  if (typeof name === 'string') metadata['client_name'] = plainName(name)
  const scope = metadata['scope']
  if (typeof scope === 'string') metadata['scope'] = offeredScopes(scope)
  if (!ID_TOKEN_ALGORITHMS.includes(metadata['id_token_signed_response_alg'])) {
    delete metadata['id_token_signed_response_alg']
  }
  return metadata
}

function isNative({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' ? isLoopback(hostname) : protocol !== 'https:'
}

/** The supported values. If none is supported, returns the requested ones, so that the client is refused. */
function offeredGrants(wanted: unknown): unknown {
  if (wanted === undefined) return DEFAULT_GRANTS
  if (!Array.isArray(wanted)) return wanted
  const offered = wanted.filter((type) => GRANT_TYPES.some((known) => known === type))
  if (offered.length === 0) return wanted.length === 0 ? DEFAULT_GRANTS : wanted
  return GRANT_TYPES.filter((type) => type === 'authorization_code' || offered.includes(type))
}

/** The names that exist; all of them where none is named that does, since a person decides in the end. */
function offeredScopes(wanted: string): string {
  const offered = scopeNames(wanted).filter(isScope)
  return (offered.length > 0 ? offered : allScopes).join(' ')
}
