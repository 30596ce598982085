// A client of the authorization server, as an attacker writes one: the published client, step by step, each with what is wrong.
import {
  beginSignIn,
  finishSignIn,
  handOn,
  memoryTokens,
  type PendingSignIn,
  signOut,
  type Tokens,
} from '../client/src/main-node.ts'
import { exchange } from '../client/src/token-endpoint.ts'
import { hold, refusalOf } from './attack.ts'
import type { Person } from './person.ts'
import type { Reply } from './request.ts'
import type { Target } from './target.ts'

export const AGENT = 'monoagent'
export const AGENT_REDIRECT = 'http://127.0.0.1:5123/callback'
export const REDIRECT = 'https://client.example/callback'
export const TOKEN = '/api/auth/oauth2/token'

export interface AuthorizeRequest {
  clientId?: string
  redirectUri?: string
  scope?: string
  resource?: string
  /** In the address that the person opens, beside or in place of what the client says. */
  more?: Record<string, string>
}

/** A sign-in that a person allowed: the callback has its code. */
export interface Allowed {
  pending: PendingSignIn
  callback: string
}

/** Registers a client and gives the answer. */
export const registration = (target: Target, metadata: object, person: Person = target.anonymous()): Promise<Reply> =>
  person.post('/api/auth/oauth2/register', { redirect_uris: [REDIRECT], ...metadata })

/** Registers a client and gives its id. */
export async function register(target: Target, metadata: object = {}): Promise<string> {
  const reply = await registration(target, metadata)
  const id = reply.json()?.['client_id']
  if (typeof id !== 'string') throw new Error(`No client could be registered: ${reply.status} ${reply.text}`)
  return id
}

/** A sign-in that waits for its code, and the address that the person opens for it. */
export function ask(target: Target, { clientId = AGENT, more = {}, ...asked }: AuthorizeRequest = {}) {
  const redirectUri = clientId === AGENT ? AGENT_REDIRECT : REDIRECT
  const scope = 'community:read community:write offline_access'
  const { address, pending } = beginSignIn({ url: target.origin, clientId, redirectUri, scope, ...asked })
  const { pathname, searchParams } = new URL(address)
  for (const [name, value] of Object.entries(more)) searchParams.set(name, value)
  return { path: `${pathname}?${searchParams}`, query: searchParams, pending }
}

/** Where the address leads this person; undefined when it leads nowhere. */
export async function follow(person: Person, path: string): Promise<URL | undefined> {
  const { location } = (await person.get(path)).headers
  return location === undefined ? undefined : new URL(location, person.place.origin)
}

/** The consent page that an address leads this person to. */
export async function consentPage(person: Person, path: string): Promise<URL> {
  const page = await follow(person, path)
  if (page?.pathname !== '/oauth/consent') throw new Error(`No consent page, but ${page}`)
  return page
}

/** The answer to a consent page, as the site's script gives it. */
export const decide = (person: Person, page: URL, headers: Record<string, string> = {}): Promise<Reply> =>
  person.post('/api/auth/oauth2/consent', { accept: true, oauth_query: page.search.slice(1) }, headers)

/** A sign-in that this person allows. */
export async function allowed(target: Target, person: Person, asked: AuthorizeRequest = {}): Promise<Allowed> {
  const { path, pending } = ask(target, asked)
  const reply = await decide(person, await consentPage(person, path))
  const callback = reply.json()?.['url']
  if (typeof callback !== 'string') throw new Error(`No code: ${reply.status} ${reply.text}`)
  return { pending, callback }
}

/** A program that asks the authorization server. */
export const program = (target: Target) => ({ url: target.origin, fetch: target.anonymous().fetch })

/** The tokens for what was allowed. */
export const redeem = (target: Target, { pending, callback }: Allowed): Promise<Tokens> =>
  finishSignIn(pending, callback, program(target))

/** The whole way to tokens. */
export const signIn = async (target: Target, person: Person, asked: AuthorizeRequest = {}): Promise<Tokens> =>
  redeem(target, await allowed(target, person, asked))

/** Tokens for what a client has, by a form of the token endpoint. */
export const grant = (target: Target, clientId: string, form: Record<string, string>): Promise<Tokens> =>
  exchange({ ...program(target), clientId }, form)

export const refresh = (target: Target, tokens: Tokens, more: Record<string, string> = {}): Promise<Tokens> =>
  grant(target, tokens.clientId, { grant_type: 'refresh_token', refresh_token: tokens.refreshToken ?? '', ...more })

/** Ends the sign-in that the tokens are of. */
export const revoke = (target: Target, tokens: Tokens): Promise<void> => signOut(memoryTokens(tokens), program(target))

/** The access token of a helper that is handed less than this one. */
export async function handedOn(target: Target, token: string, more: { scope?: string; clientId?: string } = {}) {
  const { accessToken, refreshToken } = await handOn({ ...program(target), clientId: AGENT, token, ...more })
  hold(refreshToken === undefined, 'a helper gets a refresh token')
  return accessToken
}

/** The form that turns a code into tokens. */
export const exchangeForm = ({ pending, callback }: Allowed): Record<string, string> => ({
  grant_type: 'authorization_code',
  code: new URL(callback).searchParams.get('code') ?? '',
  code_verifier: pending.verifier,
  client_id: pending.clientId,
  redirect_uri: pending.redirectUri,
})

/** A caller who has this token and no cookie. */
export const bearer = (target: Target, token: string): Person => Object.assign(target.anonymous(), { token })

/** Whether a token is good for reading its account. */
export const works = async (target: Target, token: string): Promise<boolean> =>
  (await refusalOf(bearer(target, token).api.library.me())) === undefined
