// RSA keys as JSON Web Keys, for oauth/rsa-key.ts.
import { createHash, generateKeyPair, type webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import { required } from './untyped.ts'

const MODULUS_BITS = 2048

/** An RSA key as a JWK with a name (RFC 7517). */
export type RsaKey = webcrypto.JsonWebKey & { kty: 'RSA'; n: string; e: string; kid: string }

const generate = promisify(generateKeyPair)

/** A new key, named by its thumbprint (RFC 7638). It takes a tenth of a second or so, outside the event loop. */
export async function newRsaKey(): Promise<RsaKey> {
  const { privateKey } = await generate('rsa', { modulusLength: MODULUS_BITS })
  const key = privateKey.export({ format: 'jwk' })
  const named = `{"e":"${key.e}","kty":"RSA","n":"${key.n}"}`
  const kid = createHash('sha256').update(named).digest('base64url').slice(0, 16)
  return { ...key, kty: 'RSA', n: required(key.n), e: required(key.e), kid }
}
