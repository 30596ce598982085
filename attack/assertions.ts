// Assertions of clients with keys and of an identity provider, right ones and every wrong kind.
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { PROVIDER, PROVIDER_KID, providerKey } from './identity-provider.ts'
import { register, TOKEN } from './oauth-client.ts'
import type { Reply } from './request.ts'
import type { Target } from './target.ts'

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
export const ID_JAG = { typ: 'oauth-id-jag+jwt' }

/** A client that registered a key, with its private part. */
export interface OwnClient {
  clientId: string
  key: CryptoKey
  jwk: Record<string, unknown>
}

export const issuerOf = (target: Target) => `${target.origin}/api/auth`
export const now = () => Math.floor(Date.now() / 1000)
let made = 0

export async function keyClient(target: Target): Promise<OwnClient> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'own', alg: 'ES256' }
  const clientId = await register(target, {
    ...{ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } },
    grant_types: ['authorization_code', 'refresh_token', JWT_BEARER],
  })
  return { clientId, key: privateKey, jwk }
}

interface Forging {
  claims?: JWTPayload
  header?: Record<string, unknown>
  key?: CryptoKey | Uint8Array
}

/** Claims of now, without those that are undefined. */
export function sign({ claims = {}, header = {}, key }: Forging & { key: CryptoKey | Uint8Array }): Promise<string> {
  const all = { iat: now(), exp: now() + 60, jti: `attack-${++made}-${now()}`, ...claims }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return new SignJWT(given).setProtectedHeader({ alg: 'ES256', ...header }).sign(key)
}

export const clientAssertion = (target: Target, own: OwnClient, { claims, header, key = own.key }: Forging = {}) =>
  sign({
    claims: { iss: own.clientId, sub: own.clientId, aud: issuerOf(target), ...claims },
    ...{ header: { kid: 'own', ...header }, key },
  })

export const credentials = async (target: Target, own: OwnClient, forging?: Forging) => ({
  client_assertion_type: ASSERTION_TYPE,
  client_assertion: await clientAssertion(target, own, forging),
})

export const identityAssertion = (
  target: Target,
  own: OwnClient,
  { claims, header, key = providerKey }: Forging = {},
) =>
  sign({
    claims: {
      ...{ iss: PROVIDER, sub: 'eve', aud: issuerOf(target), client_id: own.clientId, scope: 'community:read' },
      ...{ email: `eve-${made}@company.example`, email_verified: true, ...claims },
    },
    ...{ header: { kid: PROVIDER_KID, ...ID_JAG, ...header }, key },
  })

export async function show(
  target: Target,
  own: OwnClient,
  assertion: string,
  more: Record<string, string> = {},
): Promise<Reply> {
  const form = { grant_type: JWT_BEARER, assertion, ...(await credentials(target, own)), ...more }
  return target.anonymous().form(TOKEN, form)
}

/** What is wrong with claims of an assertion of an issuer; `undefined` leaves one out. */
export const wrongClaims = (target: Target): Record<string, JWTPayload> => ({
  'another audience': { aud: 'https://other.example' },
  'the token endpoint': { aud: `${issuerOf(target)}/oauth2/token` },
  'two audiences': { aud: [issuerOf(target), 'https://other.example'] },
  'another issuer': { iss: 'https://other.example' },
  expired: { iat: now() - 600, exp: now() - 60 },
  'of the future': { iat: now() + 300, exp: now() + 350 },
  'for ever': { exp: now() + 86_400 * 365 },
  'without an end': { exp: undefined as never },
  'without a jti': { jti: undefined as never },
})

/** Signatures that are none: another key, none at all, and the public key as a secret. */
export async function forgeries(
  claims: JWTPayload,
  header: Record<string, unknown>,
  jwk: object,
): Promise<Record<string, string>> {
  const { privateKey } = await generateKeyPair('ES256')
  const all = { iat: now(), exp: now() + 60, jti: `forged-${++made}`, ...claims }
  const secret = new TextEncoder().encode(JSON.stringify(jwk))
  return {
    'another key': await sign({ claims: all, header, key: privateKey }),
    'no signature': new UnsecuredJWT(all).encode(),
    'the public key as a secret': await sign({ claims: all, header: { ...header, alg: 'HS256' }, key: secret }),
    'a key in the header': await sign({
      claims: all,
      header: { ...header, jku: 'http://127.0.0.1/keys' },
      key: privateKey,
    }),
    'no token': 'a.b.c',
  }
}
