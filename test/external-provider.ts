// A real provider of OpenID Connect for tests: the library of our own server, with its own accounts, on a port of this machine.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importLibrary } from '../src/oauth/library-time.ts'
import { CookieJar } from './cookies.ts'

export const CLIENT = { id: 'guildhall', secret: 'the secret of a client at the provider' }

export interface ExternalUser {
  email?: string
  email_verified?: boolean
  name?: string
  groups?: readonly string[]
  preferred_username?: string
  /** A claim of its own with the id of the account. */
  account_id?: string | number
}

export interface ExternalServer {
  issuer: string
  /** Its accounts, by the name that is typed there. */
  users: Record<string, ExternalUser>
  /** Signs in there as `user`, and agrees; resolves with the query that the browser comes back with. */
  signIn(address: string, user: string): Promise<string>
}

/** Starts a provider, which ends with the process. A public client has no secret. */
export async function startProvider(redirectUri: string, { isPublic = false } = {}): Promise<ExternalServer> {
  const { Provider } = await importLibrary()
  const users: Record<string, ExternalUser> = {}
  const http = createServer((request, response) => void handler(request, response))
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  http.unref()
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        redirect_uris: [redirectUri],
        ...(isPublic ? { token_endpoint_auth_method: 'none' as const } : { client_secret: CLIENT.secret }),
      },
    ],
    cookies: { keys: ['a key of the cookies of a test'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'preferred_username', 'account_id'],
      groups: ['groups'],
    },
    features: { devInteractions: { enabled: true } },
    // As most providers do: the ID token has the claims of the scopes.
    conformIdTokenClaims: false,
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ sub, ...users[sub] }) }),
  })
  const handler = provider.callback()
  return {
    issuer,
    users,
    signIn: (address, user) => signInAt(address, { user, redirectUri }),
  }
}

/** Follows redirects and fills in the forms of the provider, as a browser with its own cookies. */
async function signInAt(
  address: string,
  { user, redirectUri }: { user: string; redirectUri: string },
): Promise<string> {
  const cookies = new CookieJar()
  let request = new Request(address)
  for (let step = 0; step < 20; step++) {
    const response = cookies.take(await fetch(cookies.give(request), { redirect: 'manual' }))
    const location = response.headers.get('location')
    if (location !== null) {
      const next = new URL(location, request.url)
      if (next.href.startsWith(redirectUri)) return next.search.slice(1)
      request = new Request(next)
      continue
    }
    const page = await response.text()
    const action = page.match(/<form[^>]*action="([^"]+)"/)?.[1]
    if (!action) throw new Error(`${response.status} ${page.slice(0, 300)}`)
    const isLogin = page.includes('name="login"')
    const prompt = page.match(/name="prompt" value="(\w+)"/)?.[1] ?? (isLogin ? 'login' : 'consent')
    request = new Request(new URL(action, request.url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ prompt, ...(isLogin && { login: user, password: 'any' }) }).toString(),
    })
  }
  throw new Error('The provider does not come to an end')
}
