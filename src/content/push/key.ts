// The key by which push services know this server (RFC 8292). It is made once and stored in the database, encrypted under a secret that is not in
// there, so that all processes share it. Browsers are subscribed to it: with another secret they subscribe again.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { seal, unseal } from '../../runtime/seal.ts'
import { required } from '../../runtime/untyped.ts'
import { findKey, insertKey } from './queries.ts'

/** How long a token is good: at most a day (RFC 8292, 2). */
const TOKEN_SECONDS = 12 * 3_600

interface PushKey {
  /** The uncompressed point in base64url, as browsers take it. */
  publicKey: string
  sealed: string
}

type KeySource = Pick<Dependencies, 'db' | 'clock' | 'secretFor'>

const secretOf = ({ secretFor }: Pick<KeySource, 'secretFor'>) => secretFor('push key')

/** The key, which is made when there is none: of processes that ask at once, all get that of the first. */
export async function openPushKey(source: KeySource): Promise<PushKey> {
  const { db, clock, secretFor } = source
  const sealedBy = Buffer.from(await secretFor('name of the push key')).toString('base64url')
  const found = await findKey(db, sealedBy)
  if (found) return found
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = [Buffer.from([4]), ...[x, y].map((one) => Buffer.from(required(one), 'base64url'))]
  await insertKey(db, {
    sealedBy,
    publicKey: Buffer.concat(point).toString('base64url'),
    sealed: seal(await secretOf(source), privateKey.export({ format: 'pem', type: 'pkcs8' })),
    createdAt: timestamp(clock.now()),
  })
  return required(await findKey(db, sealedBy))
}

const privateKeyOf = async (source: KeySource, { sealed }: PushKey): Promise<KeyObject> =>
  createPrivateKey(unseal(await secretOf(source), sealed))

/** What shows a push service who sends (RFC 8292, 3). */
export async function authorizationFor(source: KeySource & Pick<Dependencies, 'config'>, endpoint: URL) {
  const key = await openPushKey(source)
  const { SignJWT } = await import('jose')
  const second = Math.floor(source.clock.now() / 1000)
  const token = await new SignJWT({ sub: source.config.baseUrl })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(endpoint.origin)
    .setExpirationTime(second + TOKEN_SECONDS)
    .sign(await privateKeyOf(source, key))
  return `vapid t=${token}, k=${key.publicKey}`
}
