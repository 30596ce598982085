// The identity provider of the server that is attacked: its key is made here, so that attacks can sign in its name, too.
import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'

const { privateKey, publicKey } = await generateKeyPair('ES256')

export const PROVIDER = 'https://idp.attack.example'
export const PROVIDER_KID = 'provider'
export const providerKey = privateKey
export const providerJwk = { ...(await exportJWK(publicKey)), kid: PROVIDER_KID, alg: 'ES256' }

/** What the operator of the server set. */
export const PROVIDER_SETTINGS = {
  IDENTITY_PROVIDERS: JSON.stringify([
    { issuer: PROVIDER, jwks: { keys: [providerJwk] }, emailDomains: ['company.example'] },
  ]),
  RESOURCE_SERVERS: JSON.stringify([{ id: 'receiver', secret: randomBytes(24).toString('hex'), signals: true }]),
  WORKLOAD_ISSUERS: 'https://ci.attack.example',
}
