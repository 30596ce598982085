// A client of the authorization server, as tests need it: it registers, asks, exchanges and refreshes over the front door.
import { createHash, randomBytes } from 'node:crypto'
import type { Person, World } from './world.ts'

export const AGENT = 'monoagent'
export const AGENT_REDIRECT = 'http://127.0.0.1:5123/callback'
export const REDIRECT = 'https://client.example/callback'

export interface TokenAnswer {
  status: number
  error?: string
  error_description?: string
  access_token: string
  refresh_token?: string
  id_token?: string
  token_type: string
  expires_in: number
  scope: string
}

export interface ConsentRequest {
  clientId: string
  redirectUri?: string
  scope?: string
  more?: Record<string, string>
}

export interface Granted {
  code: string
  verifier: string
  clientId: string
  redirectUri: string
  /** Where the browser was sent. */
  callback: URL
}

const FORM = 'application/x-www-form-urlencoded'

/** Types the code of a device, and allows what the page asks then. */
export async function allowDevice(person: Person, userCode: string): Promise<void> {
  const submit = (form: Record<string, string>) =>
    person.request('/oauth/device', {
      method: 'POST',
      headers: { 'Content-Type': FORM },
      body: new URLSearchParams(form).toString(),
    })
  const page = await (await submit({ user_code: userCode })).text()
  const query = /name="oauth_query" value="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const { status } = await submit({ accept: 'true', oauth_query: query })
  if (status !== 200) throw new Error(`${status} for the code of a device`)
}

export function oauthClient({ app, dependencies, mails }: World) {
  const { baseUrl } = dependencies.config
  const auth = `${baseUrl}/api/auth`
  const send = (path: string, init?: RequestInit) => Promise.resolve(app.fetch(new Request(`${baseUrl}${path}`, init)))
  const post = (path: string, form: Record<string, string> | URLSearchParams) =>
    send(path, { method: 'POST', headers: { 'Content-Type': FORM }, body: new URLSearchParams(form).toString() })
  const postJson = (path: string, body: unknown) =>
    send(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

  async function token(form: Record<string, string> | URLSearchParams): Promise<TokenAnswer> {
    const response = await post('/api/auth/oauth2/token', form)
    return { ...((await response.json()) as TokenAnswer), status: response.status }
  }

  async function register(metadata: Record<string, unknown> = {}): Promise<string> {
    const response = await postJson('/api/auth/oauth2/register', { redirect_uris: [REDIRECT], ...metadata })
    const { client_id } = (await response.json()) as { client_id: string }
    return client_id
  }

  function request(
    { clientId, redirectUri = defaultRedirect(clientId), scope, more }: ConsentRequest,
    verifier: string,
  ) {
    return new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      ...(scope !== undefined && { scope }),
      state: 'st-1',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    })
  }

  const newVerifier = () => randomBytes(32).toString('base64url')

  /** Where the authorization endpoint sends this person. */
  async function authorize(
    person: Person,
    asked: ConsentRequest | URLSearchParams,
  ): Promise<{ status: number; to: URL | undefined }> {
    const query = asked instanceof URLSearchParams ? asked : request(asked, newVerifier())
    const response = await person.request(`/api/auth/oauth2/authorize?${query}`)
    const location = response.headers.get('location')
    return { status: response.status, to: location ? new URL(location) : undefined }
  }

  /** Answers the consent page as the site does; gives where the browser goes then. */
  async function decide(
    person: Person,
    consentPage: URL,
    decision: { accept?: boolean; scope?: string | undefined } | boolean = true,
  ): Promise<URL> {
    const { accept = true, scope } = typeof decision === 'boolean' ? { accept: decision } : decision
    const response = await person.request('/api/auth/oauth2/consent', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ accept, oauth_query: consentPage.search.slice(1), scope }),
    })
    const body = (await response.json()) as { redirect: boolean; url: string }
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`)
    return new URL(body.url)
  }

  async function consent(person: Person, asked: ConsentRequest): Promise<Granted> {
    const verifier = newVerifier()
    const query = request(asked, verifier)
    const { to } = await authorize(person, query)
    if (to?.pathname !== '/oauth/consent') throw new Error(`sent to ${to}`)
    const callback = await decide(person, to)
    const { clientId, redirectUri = defaultRedirect(clientId) } = asked
    return { code: callback.searchParams.get('code')!, verifier, clientId, redirectUri, callback }
  }

  const exchange = ({ code, verifier, clientId, redirectUri }: Granted, more: Record<string, string> = {}) =>
    token({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      client_id: clientId,
      redirect_uri: redirectUri,
      ...more,
    })

  return {
    auth,
    audience: dependencies.config.agentAudience,
    send,
    post,
    postJson,
    token,
    register,
    request,
    newVerifier,
    authorize,
    decide,
    consent,
    exchange,
    /** The whole way from the authorization endpoint to tokens. */
    signIn: async (person: Person, asked: ConsentRequest, more: Record<string, string> = {}) =>
      exchange(await consent(person, asked), more),
    refresh: (clientId: string, refresh_token: string | undefined, more: Record<string, string> = {}) =>
      token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refresh_token ?? '', ...more }),
    revoke: (clientId: string, value: string) => post('/api/auth/oauth2/revoke', { client_id: clientId, token: value }),
    /** What a request with this token gets. */
    call: (accessToken: string, path = '/api/community/me') =>
      send(path, { headers: { Authorization: `Bearer ${accessToken}` } }),
    async claim(email: string, scope: string, clientId = AGENT) {
      const response = await postJson('/api/auth/agent/claim', { email, client_id: clientId, scope })
      return { status: response.status, body: (await response.json()) as Record<string, string>, response }
    },
    async verify(email: string, code: string, clientId = AGENT, more: Record<string, unknown> = {}) {
      const body = { email, code, client_id: clientId, ...more }
      const response = await postJson('/api/auth/agent/claim/verify', body)
      return { ...((await response.json()) as TokenAnswer), status: response.status }
    },
    async code(email: string): Promise<string> {
      return (await mails(email))
        .findLast(({ subject }) => subject === 'Code for your agent')!
        .body.match(/^\d{6}$/m)![0]
    },
  }
}

const defaultRedirect = (clientId: string) => (clientId === AGENT ? AGENT_REDIRECT : REDIRECT)

/** A caller with a token instead of a session: opaque, or a JWT with `resource`. */
export async function tokenHolder(
  world: World,
  person: Person,
  scope: string,
  { jwt = false } = {},
): Promise<Pick<Person, 'request'>> {
  const client = oauthClient(world)
  const more: Record<string, string> = jwt ? { resource: client.audience } : {}
  const { access_token } = await client.signIn(person, { clientId: AGENT, scope }, more)
  return bearing(world, access_token)
}

/** A caller with this token. */
export const bearing = (world: World, token: string): Pick<Person, 'request'> => ({
  request: (path, init = {}) =>
    oauthClient(world).send(path, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } }),
})

/** What Alice's browser does between the two halves of a client: gives the address that it ends at. */
export async function browse(world: World, authorizationUrl: URL): Promise<URL> {
  const client = oauthClient(world)
  const { to } = await client.authorize(world.alice, authorizationUrl.searchParams)
  return client.decide(world.alice, to!)
}
