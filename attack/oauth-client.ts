// A client of the authorization server, as an attacker writes one: every step by itself, every parameter free to be wrong.
import { hold } from './attack.ts'
import { FORM, Person, pkce } from './person.ts'
import type { Reply } from './request.ts'
import type { Target } from './target.ts'

export const AGENT = 'monoagent'
export const AGENT_REDIRECT = 'http://127.0.0.1:5123/callback'
export const REDIRECT = 'https://client.example/callback'

export interface Tokens {
  access_token: string
  refresh_token: string
  id_token?: string
}

export interface Request {
  clientId: string
  redirectUri?: string
  scope?: string
  more?: Record<string, string>
}

export interface Code {
  code: string
  verifier: string
  clientId: string
  redirectUri: string
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

const redirectOf = ({ clientId, redirectUri }: Request) =>
  redirectUri ?? (clientId === AGENT ? AGENT_REDIRECT : REDIRECT)

/** The query of an authorization request. */
export function query(request: Request, challenge: string): URLSearchParams {
  return new URLSearchParams({
    client_id: request.clientId,
    redirect_uri: redirectOf(request),
    response_type: 'code',
    scope: request.scope ?? 'community:read community:write offline_access',
    state: 'state-1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...request.more,
  })
}

/** Where the authorization endpoint sends this person. */
export async function authorize(
  person: Person,
  parameters: URLSearchParams,
): Promise<{ reply: Reply; to: URL | undefined }> {
  const reply = await person.get(`/api/auth/oauth2/authorize?${parameters}`)
  const { location } = reply.headers
  return { reply, to: location ? new URL(location, person.place.origin) : undefined }
}

/** The answer to a consent page, as the site's script gives it. */
export const decide = (person: Person, page: URL, accept = true): Promise<Reply> =>
  person.post('/api/auth/oauth2/consent', { accept, oauth_query: page.search.slice(1) })

/** The consent page that this request leads to. */
export async function consentPage(person: Person, parameters: URLSearchParams): Promise<URL> {
  const { reply, to } = await authorize(person, parameters)
  if (to?.pathname !== '/oauth/consent')
    throw new Error(`No consent page: ${reply.status} ${to ?? reply.text.slice(0, 200)}`)
  return to
}

/** A code that this person allowed. */
export async function codeFor(person: Person, request: Request): Promise<Code> {
  const { verifier, challenge } = pkce()
  const reply = await decide(person, await consentPage(person, query(request, challenge)))
  const url = reply.json()?.['url']
  if (typeof url !== 'string') throw new Error(`No code: ${reply.status} ${reply.text}`)
  const { clientId } = request
  return { code: new URL(url).searchParams.get('code')!, verifier, clientId, redirectUri: redirectOf(request) }
}

/** A request to the token endpoint. */
export const token = (
  target: Target,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Reply> => target.anonymous().form('/api/auth/oauth2/token', form, headers)

/** The form that turns a code into tokens. */
export const exchangeForm = ({ code, verifier, clientId, redirectUri }: Code, more: Record<string, string> = {}) => ({
  grant_type: 'authorization_code',
  code,
  code_verifier: verifier,
  client_id: clientId,
  redirect_uri: redirectUri,
  ...more,
})

export const refresh = (target: Target, clientId: string, refreshToken: string, more: Record<string, string> = {}) =>
  token(target, { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken, ...more })

/** The whole way to tokens. */
export async function signIn(
  target: Target,
  person: Person,
  request: Request,
  more: Record<string, string> = {},
): Promise<Tokens> {
  const reply = await token(target, exchangeForm(await codeFor(person, request), more))
  const tokens = reply.json() as unknown as Tokens | undefined
  hold(reply.status === 200 && tokens?.access_token, `an honest sign-in is refused: ${reply.status} ${reply.text}`)
  return tokens
}

/** A caller who has this token and no cookie. */
export function bearer(target: Target, accessToken: string): Person {
  const person = new Person(target.place, target.network())
  person.token = accessToken
  return person
}

/** Whether a token is good for reading its account. */
export const works = async (target: Target, accessToken: string): Promise<boolean> =>
  (await bearer(target, accessToken).get('/api/library/me')).status === 200

export const revoke = (target: Target, clientId: string, value: string): Promise<Reply> =>
  target.anonymous().send({
    method: 'POST',
    path: '/api/auth/oauth2/revoke',
    headers: FORM,
    body: new URLSearchParams({ client_id: clientId, token: value }).toString(),
  })
