// Nonces for proofs (RFC 9449, 8 and 9): derived from the minute and a secret, so that any process can check them and none is stored.
// The library of the token endpoint derives the same ones from the same secret: a client keeps one nonce for the whole origin.
import { hkdfSync } from 'node:crypto'
import { sameHash } from '../../runtime/hash.ts'

const STEP_SECONDS = 60

/** How far the time of a proof may be from ours: as far as the library lets it. */
export const PROOF_SECONDS = 5 * STEP_SECONDS

/** The system time, as the library uses it: the signer of a proof has no other clock. */
export const systemSeconds = (): number => Math.floor(Date.now() / 1000)

function nonceOf(secret: Buffer, step: number): string {
  const salt = Buffer.alloc(8)
  salt.writeBigUInt64BE(BigInt(step))
  return Buffer.from(hkdfSync('sha256', secret, salt, 'DPoP', 32)).toString('base64url')
}

const currentStep = () => Math.floor(systemSeconds() / STEP_SECONDS)

/** The nonce to use from now on. */
export const nextNonce = (secret: Buffer): string => nonceOf(secret, currentStep() + 1)

/** Whether a nonce was given out in the last minutes. */
export function isNonce(secret: Buffer, nonce: string): boolean {
  return [-2, -1, 0, 1, 2].some((distance) => sameHash(nonceOf(secret, currentStep() + distance), nonce))
}
