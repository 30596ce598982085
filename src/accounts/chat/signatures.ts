// By what a chat shows that a request is its own: Slack by a code made with a shared secret, Discord by a signature of its key. Neither says for how
// long one is good: five minutes, as Slack advises.
import { createPublicKey, verify } from 'node:crypto'
import { mac, sameHash } from '../../runtime/hash.ts'

export const MAX_AGE_SECONDS = 300

/** DER of an Ed25519 key begins so (RFC 8410, 4). */
const ED25519 = Buffer.from('302a300506032b6570032100', 'hex')

export interface SignedRequest {
  timestamp: string | null
  signature: string | null
  body: string
}

/** Whether the time of a request is close enough to that of the server. */
export function isTimely(timestamp: string | null, now: string): timestamp is string {
  if (timestamp === null || !/^\d{1,12}$/.test(timestamp)) return false
  return Math.abs(Date.parse(now) - Number(timestamp) * 1_000) <= MAX_AGE_SECONDS * 1_000
}

/** Slack, "Verifying requests from Slack": `v0=` and the HMAC of version, time and body. */
export function isOfSlack(secret: string, { timestamp, signature, body }: SignedRequest): boolean {
  const expected = `v0=${mac(Buffer.from(secret), `v0:${timestamp}:${body}`).toString('hex')}`
  return signature !== null && sameHash(signature, expected)
}

/** Discord, "Validating security request headers": Ed25519 over time and body. */
export function isOfDiscord(publicKey: string, { timestamp, signature, body }: SignedRequest): boolean {
  if (signature === null || !/^[0-9a-f]{128}$/i.test(signature)) return false
  const der = Buffer.concat([ED25519, Buffer.from(publicKey, 'hex')])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(`${timestamp}${body}`), key, Buffer.from(signature, 'hex'))
}
