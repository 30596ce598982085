// The external provider (OpenID Connect Core; RFC 6749 with PKCE, RFC 9207), by oauth4webapi, which is certified. It checks state, issuer, nonce,
// audience and signature; what it returns is who signed in there.
import type { Config } from '../../config/config.ts'
import { Email } from '../../contract/fields.ts'
import { Problem } from '../../contract/problem.ts'
import { oneLine } from '../../contract/storable.ts'
import { cut } from '../../formats/text.ts'
import { operatorFetch } from '../../outgoing/operator-fetch.ts'
import type { Dependencies } from '../../request/handler.ts'

type Library = typeof import('oauth4webapi')
type Metadata = import('oauth4webapi').AuthorizationServer

export interface Provider extends NonNullable<Config['external']> {}

/** What begins a sign-in and must come back with it. */
export interface Pending {
  state: string
  nonce: string
  verifier: string
}

export interface ExternalAccount {
  issuer: string
  subject: string
  /** Only one that the provider verified. */
  email: string | undefined
  name: string | undefined
}

const METADATA_MILLISECONDS = 3_600_000
const SCOPE = 'openid email profile'

interface Known {
  metadata: Metadata
  readAt: number
  keys: Record<never, never>
}

/** For each process and its settings. */
const known = new WeakMap<Provider, Known>()

export const callbackAddress = ({ baseUrl }: Pick<Config, 'baseUrl'>): string => `${baseUrl}/sign-in/external`

/** How the library sends: to addresses of the operator's provider. http is for a provider on this machine. */
function sending(library: Library, { issuer }: Provider) {
  const allowsHttp = issuer.startsWith('http:')
  const send = (address: string, init: { method: string; headers: Record<string, string>; body?: unknown }) =>
    operatorFetch(
      address,
      {
        method: init.method === 'POST' ? 'POST' : 'GET',
        headers: init.headers,
        body: init.body === undefined || init.body === null ? undefined : String(init.body),
      },
      allowsHttp,
    )
  return { [library.customFetch]: send, [library.allowInsecureRequests]: allowsHttp }
}

async function knownOf(library: Library, provider: Provider): Promise<Known> {
  const before = known.get(provider)
  if (before && performance.now() - before.readAt < METADATA_MILLISECONDS) return before
  const issuer = new URL(provider.issuer)
  const response = await library.discoveryRequest(issuer, sending(library, provider))
  const metadata = await library.processDiscoveryResponse(issuer, response)
  const read = { metadata, readAt: performance.now(), keys: {} }
  known.set(provider, read)
  return read
}

/** What went wrong at the provider, for the caller; the log has the reason, which can name its addresses. */
async function orProblem<T>({ log }: Pick<Dependencies, 'log'>, { name }: Provider, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Problem) throw error
    log.warn({ err: error }, 'a sign-in at the external provider failed')
    throw new Problem('unauthorized', `The sign-in with ${name} did not succeed; start again`)
  }
}

/** A new sign-in: what to remember, and where to send the browser. */
export function beginAt(dependencies: Dependencies, provider: Provider): Promise<{ pending: Pending; url: string }> {
  return orProblem(dependencies, provider, async () => {
    const library = await import('oauth4webapi')
    const { metadata } = await knownOf(library, provider)
    if (!metadata.authorization_endpoint) throw new Error('The provider has no authorization endpoint')
    const pending = {
      state: library.generateRandomState(),
      nonce: library.generateRandomNonce(),
      verifier: library.generateRandomCodeVerifier(),
    }
    const url = new URL(metadata.authorization_endpoint)
    const query = {
      client_id: provider.clientId,
      redirect_uri: callbackAddress(dependencies.config),
      response_type: 'code',
      scope: SCOPE,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return { pending, url: url.href }
  })
}

/** Who signed in at the provider; `query` is what the browser came back with. */
export function finishAt(
  dependencies: Dependencies,
  provider: Provider,
  { pending, query }: { pending: Pending; query: URLSearchParams },
): Promise<ExternalAccount> {
  return orProblem(dependencies, provider, async () => {
    const library = await import('oauth4webapi')
    const { metadata, keys } = await knownOf(library, provider)
    const client = { client_id: provider.clientId }
    const options = { ...sending(library, provider), [library.jwksCache]: keys }
    const parameters = library.validateAuthResponse(metadata, client, query, pending.state)
    const response = await library.authorizationCodeGrantRequest(
      ...([metadata, client, authentication(library, provider, metadata), parameters] as const),
      ...([callbackAddress(dependencies.config), pending.verifier, options] as const),
    )
    const checks = { expectedNonce: pending.nonce, requireIdToken: true }
    const tokens = await library.processAuthorizationCodeResponse(metadata, client, response, checks)
    await library.validateApplicationLevelSignature(metadata, response, options)
    const claims = library.getValidatedIdTokenClaims(tokens)
    if (!claims) throw new Error('The provider sent no ID token')
    const asked = claims['email'] === undefined && metadata.userinfo_endpoint !== undefined
    const told = asked
      ? await library.processUserInfoResponse(
          ...([metadata, client, claims.sub] as const),
          await library.userInfoRequest(metadata, client, tokens.access_token, options),
        )
      : claims
    return accountIn(provider, claims.sub, told)
  })
}

function authentication(library: Library, { clientSecret }: Provider, metadata: Metadata) {
  if (clientSecret === undefined) return library.None()
  const ways = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return ways.includes('client_secret_basic')
    ? library.ClientSecretBasic(clientSecret)
    : library.ClientSecretPost(clientSecret)
}

function accountIn({ issuer }: Provider, subject: string, told: Readonly<Record<string, unknown>>): ExternalAccount {
  const email = told['email_verified'] === true ? Email.safeParse(told['email']).data : undefined
  const name = typeof told['name'] === 'string' ? cut(oneLine(told['name'].toWellFormed()).trim(), 100).trimEnd() : ''
  return { issuer, subject, email, name: name || undefined }
}
