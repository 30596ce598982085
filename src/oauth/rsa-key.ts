// The RSA key of ID tokens: OpenID Connect Discovery 1.0, 3 requires RS256 of every provider, and many clients expect it. It is
// created once and stored in the database, encrypted under a secret of the signing key, so that every process with that key shares
// it. Another signing key gets another RSA key; the older one stays published until its signatures have expired.
import type { Dependencies } from '../request/handler.ts'
import { timestamp } from '../runtime/clock.ts'
import { newRsaKey, type RsaKey } from '../runtime/rsa-key.ts'
import { seal, unseal } from '../runtime/seal.ts'
import { parseJson, required } from '../runtime/untyped.ts'
import type { Keys } from './keys/keys.ts'
import * as queries from './queries.ts'

/** The private key, which is made when there is none: of processes that start at once, all get the key of the first. */
export async function openRsaKey({ db, clock, makeRsaKey = newRsaKey }: Dependencies, keys: Keys): Promise<RsaKey> {
  const secret = keys.signingSecretFor('id token key')
  const sealedBy = keys.signingSecretFor('name of the id token key').toString('base64url')
  const found = await queries.findIdTokenKey(db, sealedBy)
  if (found) return parseJson<RsaKey>(unseal(secret, found.sealed))
  const made = await makeRsaKey()
  await queries.insertIdTokenKey(db, {
    kid: made.kid,
    sealedBy,
    publicKey: JSON.stringify(publicHalf(made)),
    sealed: seal(secret, JSON.stringify(made)),
    createdAt: timestamp(clock.now()),
  })
  const kept = await queries.findIdTokenKey(db, sealedBy)
  return parseJson<RsaKey>(unseal(secret, required(kept).sealed))
}

const publicHalf = ({ kty, n, e, kid }: RsaKey) => ({ kty, n, e, kid, alg: 'RS256', use: 'sig' })

/** Keys for the jwks endpoint: this process's key, and those of processes with another signing key. */
export async function listPublicRsaKeys({ db }: Pick<Dependencies, 'db'>, own: RsaKey): Promise<{ kid: string }[]> {
  const stored = (await queries.listPublicIdTokenKeys(db)).map((key) => parseJson<{ kid: string }>(key))
  return [publicHalf(own), ...stored.filter(({ kid }) => kid !== own.kid)]
}
