// What a client says of itself (RFC 7591, 2), before the library checks it: fields nothing here uses are dropped, and what
// is left out is filled in for a public client.
import { isLoopback } from '../../config.ts'

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
]

const MAX_REDIRECT_URIS = 50
const MAX_URI_LENGTH = 2_000

/** `client_secret` is kept where a document must not have one, so that it is refused. */
export function settleMetadata(given: Metadata, alsoKnown: readonly string[] = []): Metadata {
  const known = [...KNOWN, ...alsoKnown].filter((name) => given[name] !== undefined && given[name] !== null)
  const metadata: Metadata = Object.fromEntries(known.map((name) => [name, given[name]]))
  const uris = Array.isArray(metadata['redirect_uris'])
    ? metadata['redirect_uris'].map((uri) => URL.parse(String(uri)))
    : []
  // Loopback redirects match on any port only for a native client (RFC 8252, 7.3); private schemes are native by nature.
  if (uris.some((uri) => uri && isNative(uri))) metadata['application_type'] = 'native'
  metadata['token_endpoint_auth_method'] ??= 'none'
  metadata['grant_types'] ??= ['authorization_code', 'refresh_token']
  metadata['response_types'] ??= ['code']
  return metadata
}

function isNative({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' ? isLoopback(hostname) : protocol !== 'https:'
}

/** What is wrong with the redirect URIs beyond what the library checks (RFC 7591, 3.2.2); undefined when nothing is. */
export function badRedirectUri({ redirect_uris: uris }: Metadata): string | undefined {
  if (uris === undefined) return undefined
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string'))
    return 'redirect_uris must be an array of URIs'
  if (uris.length > MAX_REDIRECT_URIS) return `redirect_uris must have at most ${MAX_REDIRECT_URIS} entries`
  for (const text of uris) {
    const uri = text.length <= MAX_URI_LENGTH ? URL.parse(text) : null
    if (!uri) return 'redirect_uris must only contain valid URIs'
    if (uri.hash || text.includes('#')) return 'redirect_uris must not contain fragments'
    if (uri.username || uri.password) return 'redirect_uris must not contain credentials'
    if (uri.protocol === 'http:' && !isLoopback(uri.hostname)) {
      return 'redirect_uris must use https, a loopback address or a private scheme'
    }
  }
  return undefined
}
