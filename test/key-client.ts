// A client of tests that authenticates with a key of its own, and what others sign in its name.
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { oauthClient, REDIRECT } from './oauth.ts'
import type { World } from './world.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

export interface OwnKey {
  jwk: Record<string, unknown>
  privateKey: CryptoKey
  kid: string
  alg: string
}

let made = 0

/** A new key pair with a name. */
export async function newOwnKey(alg = 'ES256'): Promise<OwnKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const kid = `key-${++made}`
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }, privateKey, kid, alg }
}

export interface Signing {
  claims?: JWTPayload
  header?: Record<string, unknown>
}

/** Signs claims of now with a key; `jti` is new each time. */
export function signed(
  { clock }: Pick<World, 'clock'>,
  { privateKey, kid, alg }: OwnKey,
  { claims = {}, header = {} }: Signing,
): Promise<string> {
  const iat = Math.floor(clock.now() / 1000)
  const all = { iat, exp: iat + 60, jti: `jti-${++made}-${iat}`, ...claims }
  const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return new SignJWT(present).setProtectedHeader({ alg, kid, ...header }).sign(privateKey)
}

/** Registers a client with a key, and gives how it authenticates. */
export async function keyClient(world: World, metadata: Record<string, unknown> = {}, key?: OwnKey) {
  const own = key ?? (await newOwnKey())
  const client = oauthClient(world)
  const keys = 'jwks_uri' in metadata ? {} : { jwks: { keys: [own.jwk] } }
  const clientId = await client.register({
    ...{ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'private_key_jwt', ...keys, ...metadata },
  })
  const { issuer } = world.dependencies.config
  const assertion = (more: Signing = {}, by = own) =>
    signed(world, by, { ...more, claims: { iss: clientId, sub: clientId, aud: issuer, ...more.claims } })
  const credentials = async (more?: Signing, by?: OwnKey) => ({
    client_assertion_type: ASSERTION_TYPE,
    client_assertion: await assertion(more, by),
  })
  return { clientId, key: own, assertion, credentials, client }
}
