// An identity provider of a company for tests: the library of our own server on a port of this machine, with a client of its own, that makes
// identity assertions (ID-JAG) by token exchange for what it signed before.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { importLibrary } from '../src/oauth/library-time.ts'
import { TOKEN_EXCHANGE } from '../src/oauth/rules.ts'

export const IDP_CLIENT = { id: 'the agent at the provider', secret: 'the secret of the agent at the provider' }
export const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag'

export interface IdentityServer {
  issuer: string
  jwks: { keys: Record<string, unknown>[] }
  /** What it says of a person besides `sub`. */
  people: Record<string, Record<string, unknown>>
  /** What it calls a client of its own at the other server. */
  clientThere: string
  /** An ID token for its client. */
  idToken(sub: string): Promise<string>
  /** Signs what it is told to, as an assertion; `header` is of the token. */
  sign(claims: JWTPayload, header?: Record<string, unknown>): Promise<string>
}

/** Starts one, which ends with the process. */
export async function startIdentityProvider(): Promise<IdentityServer> {
  const { Provider, errors } = await importLibrary()
  const http = createServer((request, response) => void handler(request, response))
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  http.unref()
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const of = { kid: 'provider', alg: 'RS256', use: 'sig' }
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), ...of }] }
  const sign = (claims: JWTPayload, header = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'provider', ...header }).sign(privateKey)
  const now = () => Math.floor(Date.now() / 1000)
  let made = 0
  const server: IdentityServer = {
    ...{ issuer, jwks, people: {}, clientThere: '', sign },
    idToken: (sub) => sign({ iss: issuer, sub, aud: IDP_CLIENT.id, iat: now(), exp: now() + 300 }, { typ: 'JWT' }),
  }
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), ...of }] as never },
    clients: [
      {
        ...{ client_id: IDP_CLIENT.id, client_secret: IDP_CLIENT.secret, redirect_uris: [], response_types: [] },
        grant_types: [TOKEN_EXCHANGE],
      },
    ],
    cookies: { keys: ['a key of the cookies of a test'] },
  })
  const names = ['subject_token', 'subject_token_type', 'requested_token_type', 'audience', 'resource', 'scope']
  provider.registerGrantType(
    TOKEN_EXCHANGE,
    async (context) => {
      const { audience, resource, scope, ...asked } = context.oidc.params as Record<string, string | undefined>
      if (asked['requested_token_type'] !== ID_JAG) throw new errors.InvalidRequest('another type')
      const subject = await jwtVerify(asked['subject_token'] ?? '', createLocalJWKSet(jwks as never), {
        ...{ issuer, audience: context.oidc.client!.clientId },
      })
      const sub = subject.payload.sub!
      const claims = { iss: issuer, sub, aud: audience, client_id: server.clientThere, resource, scope }
      const more = { ...server.people[sub], jti: `id-jag-${++made}`, iat: now(), exp: now() + 300 }
      const told = Object.fromEntries(Object.entries({ ...claims, ...more }).filter(([, value]) => value !== undefined))
      context.body = {
        ...{ issued_token_type: ID_JAG, token_type: 'N_A', expires_in: 300, scope },
        access_token: await sign(told, { typ: 'oauth-id-jag+jwt' }),
      }
    },
    names,
  )
  const handler = provider.callback()
  return server
}
