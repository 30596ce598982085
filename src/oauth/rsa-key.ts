// The RSA key of ID tokens: OpenID Connect Discovery 1.0, 3 wants RS256 of every provider, and many clients expect it. It is
// made once and kept in the database, sealed under a secret of the signing key, so that every process that holds that key has
// it too. With another signing key comes another RSA key; the older one stays published until what it signed is over.
import { createHash, generateKeyPair, type webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import type { Ground } from '../request/handler.ts'
import { timestamp } from '../runtime/clock.ts'
import { seal, unseal } from '../runtime/seal.ts'
import type { Keys } from './keys.ts'
import * as queries from './rsa-key-queries.ts'

const MODULUS_BITS = 2048

/** An RSA key as a JWK with a name (RFC 7517). */
export type RsaKey = webcrypto.JsonWebKey & { kty: 'RSA'; n: string; e: string; kid: string }

const generate = promisify(generateKeyPair)

/** A new key, named by its thumbprint (RFC 7638). It takes a tenth of a second or so, off the event loop. */
export async function newRsaKey(): Promise<RsaKey> {
  const { privateKey } = await generate('rsa', { modulusLength: MODULUS_BITS })
  const key = privateKey.export({ format: 'jwk' }) as Omit<RsaKey, 'kid'>
  const named = `{"e":"${key.e}","kty":"RSA","n":"${key.n}"}`
  const kid = createHash('sha256').update(named).digest('base64url').slice(0, 16)
  return { ...key, kty: 'RSA', n: key.n!, e: key.e!, kid }
}

/** The private key, which is made when there is none: of processes that start at once, all get the key of the first. */
export async function openRsaKey({ db, clock, makeRsaKey = newRsaKey }: Ground, keys: Keys): Promise<RsaKey> {
  const secret = keys.secretFor('id token key')
  const sealedBy = keys.secretFor('name of the id token key').toString('base64url')
  const found = await queries.findIdTokenKey(db, sealedBy)
  if (found) return JSON.parse(unseal(secret, found.sealed)) as RsaKey
  const made = await makeRsaKey()
  await queries.insertIdTokenKey(db, {
    kid: made.kid,
    sealedBy,
    publicKey: JSON.stringify(publicHalf(made)),
    sealed: seal(secret, JSON.stringify(made)),
    createdAt: timestamp(clock.now()),
  })
  const kept = await queries.findIdTokenKey(db, sealedBy)
  return JSON.parse(unseal(secret, kept!.sealed)) as RsaKey
}

const publicHalf = ({ kty, n, e, kid }: RsaKey) => ({ kty, n, e, kid, alg: 'RS256', use: 'sig' })

/** What the jwks endpoint publishes: this process's key, and those of processes that have another signing key. */
export async function listPublicRsaKeys({ db }: Pick<Ground, 'db'>, own: RsaKey): Promise<{ kid: string }[]> {
  const stored = (await queries.listPublicIdTokenKeys(db)).map((key) => JSON.parse(key) as { kid: string })
  return [publicHalf(own), ...stored.filter(({ kid }) => kid !== own.kid)]
}

export { deleteReplacedIdTokenKeys } from './rsa-key-queries.ts'
