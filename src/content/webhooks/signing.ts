// Secrets and signatures of webhooks (Standard Webhooks 1.0.0, Signature scheme: symmetric).
import { randomBytes } from 'node:crypto'
import { mac } from '../../runtime/hash.ts'

const PREFIX = 'whsec_'
/** At least 24 bytes, at most 64. */
const SECRET_BYTES = 32

/** A new secret as its owner gets it: base64 with a prefix. */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** The attempt that is signed. */
export interface Attempt {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  payload: string
}

const sign = ({ id, timestamp, payload }: Attempt, secret: string): string => {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return `v1,${mac(key, `${id}.${timestamp}.${payload}`).toString('base64')}`
}

/** The headers of an attempt, signed with each of the secrets. */
export const signedHeaders = (attempt: Attempt, secrets: readonly string[]): Record<string, string> => ({
  'webhook-id': attempt.id,
  'webhook-timestamp': String(attempt.timestamp),
  'webhook-signature': secrets.map((secret) => sign(attempt, secret)).join(' '),
})
