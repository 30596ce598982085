// Ways to tokens: the authorization code flow with PKCE (RFC 7636), a mailed code, and the registration of a client.
import { SignInError } from './errors.ts'
import { type Fetch, globalFetch, jsonOf, originOf, respond } from './fetching.ts'
import type { Platform } from './platform.ts'
import { exchange, revoke, type TokenAnswer, type Tokens, tokensOf } from './token-endpoint.ts'
import type { TokenStore } from './tokens.ts'

export interface ServerOptions {
  /** The origin of the server. */
  url: string
  fetch?: Fetch | undefined
  signal?: AbortSignal | undefined
}

export interface Registration extends ServerOptions {
  /** What people see when they are asked. */
  name: string
  /** Where codes go. A loopback address stands for every port: http://127.0.0.1/callback. */
  redirectUris: string[]
}

export interface SignIn {
  url: string
  clientId: string
  redirectUri: string
  /** Scopes with spaces between them. offline_access gives a refresh token. */
  scope: string
  /** What the tokens are for, if it is not the server itself (RFC 8707). */
  resource?: string | undefined
}

/** A sign-in that waits for its code. Plain JSON: a page keeps it until the browser comes back. */
export interface PendingSignIn extends SignIn {
  state: string
  verifier: string
}

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const bytesOfHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))

/** Registers a client (RFC 7591). Its id is good for every sign-in to come. */
export async function registerClient({
  url,
  name,
  redirectUris,
  ...options
}: Registration): Promise<{ clientId: string }> {
  const metadata = {
    client_name: name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  }
  const { client_id } = (await postJson({ url, ...options }, '/oauth2/register', metadata)) as { client_id: string }
  return { clientId: client_id }
}

/** Where to send the person's browser, and what `finishSignIn` needs when it comes back. */
export function beginSignInOn(platform: Platform, signIn: SignIn): { address: string; pending: PendingSignIn } {
  const state = base64Url(platform.randomBytes(16))
  const verifier = base64Url(platform.randomBytes(32))
  const hash = platform.newHash()
  hash.update(new TextEncoder().encode(verifier))
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: signIn.clientId,
    redirect_uri: signIn.redirectUri,
    scope: signIn.scope,
    state,
    code_challenge: base64Url(bytesOfHex(hash.hex())),
    code_challenge_method: 'S256',
    ...(signIn.resource !== undefined && { resource: signIn.resource }),
  })
  const address = `${originOf(signIn.url)}/api/auth/oauth2/authorize?${query}`
  return { address, pending: { ...signIn, state, verifier } }
}

/** Tokens for the code that the browser came back with; `callback` is the address where it arrived. */
export async function finishSignIn(
  pending: PendingSignIn,
  callback: string | URL,
  { fetch = globalFetch, signal }: Omit<ServerOptions, 'url'> = {},
): Promise<Tokens> {
  const query = new URL(callback).searchParams
  if (query.get('state') !== pending.state)
    throw new SignInError('wrong_state', 'The answer belongs to another sign-in')
  const issuer = query.get('iss')
  // An answer of another server must not be taken for that of this one (RFC 9207, 2.4).
  if (issuer !== null && issuer !== (await issuerOf({ url: pending.url, fetch, signal }))) {
    throw new SignInError('wrong_issuer', `The answer came from ${issuer}`)
  }
  const error = query.get('error')
  if (error !== null) throw new SignInError(error, query.get('error_description') ?? error)
  const { url, clientId, resource, verifier, redirectUri } = pending
  const grant = { grant_type: 'authorization_code', code: query.get('code') ?? '', code_verifier: verifier }
  return exchange({ url, fetch, clientId, resource, signal }, { ...grant, redirect_uri: redirectUri })
}

async function issuerOf({ url, fetch = globalFetch, signal }: ServerOptions): Promise<string> {
  const address = `${originOf(url)}/api/auth/.well-known/oauth-authorization-server`
  const response = await respond(fetch, address, { ...(signal && { signal }) })
  return ((await jsonOf(response, signal)) as { issuer: string }).issuer
}

export interface Claim extends ServerOptions {
  /** The address of the account. */
  email: string
  clientId: string
}

/** Has a code mailed to the owner of an account. It resolves in the same way if there is no such account. */
export async function requestCode({ email, clientId, scope, ...options }: Claim & { scope: string }): Promise<void> {
  await postJson(options, '/agent/claim', { email, client_id: clientId, scope })
}

/** Tokens for the mailed code. */
export async function redeemCode({
  email,
  clientId,
  code,
  resource,
  ...options
}: Claim & { code: string; resource?: string | undefined }): Promise<Tokens> {
  const body = { email, client_id: clientId, code, ...(resource !== undefined && { resource }) }
  const answer = (await postJson(options, '/agent/claim/verify', body)) as TokenAnswer
  return tokensOf(answer, { url: options.url, clientId, resource })
}

/** Revokes the tokens of a store at their server and empties it. The store is emptied even if the server cannot be reached. */
export async function signOut(
  store: TokenStore,
  { fetch = globalFetch, signal }: Omit<ServerOptions, 'url'> = {},
): Promise<void> {
  const tokens = await store.read()
  if (!tokens) return
  await store.write(undefined)
  await revoke({ ...tokens, fetch, signal }, tokens.refreshToken ?? tokens.accessToken)
}

async function postJson(
  { url, fetch = globalFetch, signal }: ServerOptions,
  path: string,
  body: unknown,
): Promise<unknown> {
  const response = await respond(fetch, `${originOf(url)}/api/auth${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  return jsonOf(response, signal)
}
