// The external provider (OpenID Connect Core; RFC 6749 with PKCE, RFC 9207), by oauth4webapi, which is certified. It checks state, issuer, nonce,
// audience and signature; what it returns is who signed in there.
import type { Config } from '../../config/config.ts'
import { Email } from '../../contract/fields.ts'
import { Problem } from '../../contract/problem.ts'
import { oneLine } from '../../contract/storable.ts'
import { cut } from '../../formats/text.ts'
import type { ExternalPerson } from '../../identity/external-accounts.ts'
import { sendGuarded } from '../../outgoing/guarded-request.ts'
import type { Dependencies } from '../../request/handler.ts'

type Library = typeof import('oauth4webapi')
type Metadata = import('oauth4webapi').AuthorizationServer

export interface Provider extends NonNullable<Config['external']> {}

/** What begins a sign-in and must come back with it. */
export interface PendingSignIn {
  state: string
  nonce: string
  verifier: string
}

export interface ExternalAccount extends ExternalPerson {
  /** By what imports know it, where they have people of this provider. */
  sourceId: string | undefined
  username: string | undefined
  /** What the provider calls its groups; empty where it named none. */
  groups: readonly string[]
}

const METADATA_MILLISECONDS = 3_600_000
const TIMEOUT_MILLISECONDS = 10_000
const MAX_BYTES = 1_048_576
const SCOPE = 'openid email profile'
/** Asked for where the provider has such a scope, as boards may go by groups at any time; others name groups without one. */
const GROUPS = 'groups'
/** Of one account. What is longer or more was made to fill something up. */
const MAX_GROUPS = 200
const MAX_GROUP = 200

interface KnownProvider {
  metadata: Metadata
  readAt: number
  keys: Record<never, never>
}

/** For each process and its settings. */
const known = new WeakMap<Provider, KnownProvider>()

export const callbackAddress = ({ baseUrl }: Pick<Config, 'baseUrl'>): string => `${baseUrl}/sign-in/external`

/** How the library sends: to addresses that the operator chose, private ones too. http is for a provider on this machine. */
function sending(library: Library, { issuer }: Provider) {
  const allowsHttp = issuer.startsWith('http:')
  return {
    [library.customFetch]: (address: string, init: SendOptions) => send(new URL(address), init, allowsHttp),
    [library.allowInsecureRequests]: allowsHttp,
  }
}

interface SendOptions {
  method: string
  headers: Record<string, string>
  body?: unknown
}

/** `fetch` without redirects, with a deadline and a bound. */
async function send(url: URL, { method, headers, body }: SendOptions, allowsHttp: boolean): Promise<Response> {
  const request = {
    method: method === 'POST' ? ('POST' as const) : ('GET' as const),
    headers,
    ...(body != null && { body: String(body) }),
    ...{ timeoutMilliseconds: TIMEOUT_MILLISECONDS, maxBytes: MAX_BYTES },
  }
  const received = await sendGuarded(url, request, { isAllowed: () => true, allowsHttp })
  if (received.isCut) throw new Error(`${url.origin} sent more than ${MAX_BYTES} bytes`)
  const fields = Object.entries(received.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] satisfies [string, string]],
  )
  const isEmpty = received.status === 204 || received.status === 304
  return new Response(isEmpty ? null : new Uint8Array(received.body), { status: received.status, headers: fields })
}

async function knownOf(library: Library, provider: Provider): Promise<KnownProvider> {
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
export function beginAt(
  dependencies: Dependencies,
  provider: Provider,
): Promise<{ pending: PendingSignIn; url: string }> {
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
      scope: scopeOf(metadata),
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return { pending, url: url.href }
  })
}

const scopeOf = ({ scopes_supported: known = [] }: Metadata) => (known.includes(GROUPS) ? `${SCOPE} ${GROUPS}` : SCOPE)

/** Who signed in at the provider; `query` is what the browser came back with. */
export function finishAt(
  dependencies: Dependencies,
  provider: Provider,
  { pending, query }: { pending: PendingSignIn; query: URLSearchParams },
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
    const lacks = claims['email'] === undefined || (provider.imports.length > 0 && usernameIn(claims) === undefined)
    const asked = lacks && metadata.userinfo_endpoint !== undefined
    const told = asked
      ? await library.processUserInfoResponse(
          ...([metadata, client, claims.sub] as const),
          await library.userInfoRequest(metadata, client, tokens.access_token, options),
        )
      : claims
    return accountIn(provider, claims.sub, { ...namesIn(provider, claims), ...told })
  })
}

/** What the ID token says that the other answer may leave out. */
const namesIn = ({ idClaim }: Provider, claims: Readonly<Record<string, unknown>>) => {
  const { preferred_username, nickname, [idClaim]: id, [GROUPS]: groups } = claims
  return { preferred_username, nickname, [idClaim]: id, [GROUPS]: groups }
}

function authentication(library: Library, { clientSecret }: Provider, metadata: Metadata) {
  if (clientSecret === undefined) return library.None()
  const ways = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return ways.includes('client_secret_basic')
    ? library.ClientSecretBasic(clientSecret)
    : library.ClientSecretPost(clientSecret)
}

function accountIn(
  { issuer, imports, idClaim }: Provider,
  subject: string,
  told: Readonly<Record<string, unknown>>,
): ExternalAccount {
  const email = told['email_verified'] === true ? Email.safeParse(told['email']).data : undefined
  const name = typeof told['name'] === 'string' ? cut(oneLine(told['name'].toWellFormed()).trim(), 100).trimEnd() : ''
  const sourceId = imports.length > 0 ? idIn(told[idClaim]) : undefined
  const username = imports.length > 0 ? usernameIn(told) : undefined
  return { issuer, subject, email, name: name || undefined, groups: groupsIn(told[GROUPS]), sourceId, username }
}

const MAX_ID = 200

/** An id is as it is or is none: two that are cut could be one. */
function idIn(told: unknown): string | undefined {
  const id = Number.isSafeInteger(told) ? String(told) : told
  const isId = typeof id === 'string' && id !== '' && id.length <= MAX_ID && id.isWellFormed() && !/\p{Cc}/u.test(id)
  return isId ? id : undefined
}

/** The name that its people sign in with. */
const usernameIn = (told: Readonly<Record<string, unknown>>) =>
  idIn(told['preferred_username']) ?? idIn(told['nickname'])

/** A list of names, or one name. */
function groupsIn(told: unknown): string[] {
  const names = (typeof told === 'string' ? [told] : Array.isArray(told) ? told : []).filter(
    (name): name is string =>
      typeof name === 'string' && name !== '' && name.length <= MAX_GROUP && name.isWellFormed(),
  )
  return [...new Set(names)].slice(0, MAX_GROUPS)
}
