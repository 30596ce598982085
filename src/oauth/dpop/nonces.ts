// Nonces for proofs (RFC 9449, 8 and 9): derived from the minute and a secret, so that any process can check them and none is stored.
// The library of the token endpoint derives the same ones from the same secret: a client keeps one nonce for the whole origin.
import { hkdfSync } from 'node:crypto'
import { sameHash } from '../../runtime/hash.ts'

const STEP_SECONDS = 60

/** How far the time of a proof may be from ours: as far as the library lets it. */
export const PROOF_SECONDS = 5 * STEP_SECONDS

function nonceOf(secret: Buffer, step: number): string {
  const salt = Buffer.alloc(8)
  salt.writeBigUInt64BE(BigInt(step))
  return Buffer.from(hkdfSync('sha256', secret, salt, 'DPoP', 32)).toString('base64url')
}

const stepOf = (seconds: number) => Math.floor(seconds / STEP_SECONDS)

/** The nonce to use from `now` on, in seconds since 1970. */
export const nextNonce = (secret: Buffer, now: number): string => nonceOf(secret, stepOf(now) + 1)

/** Whether a nonce was given out in the minutes before `now`. */
export function isNonce(secret: Buffer, nonce: string, now: number): boolean {
  return [-2, -1, 0, 1, 2].some((distance) => sameHash(nonceOf(secret, stepOf(now) + distance), nonce))
}
