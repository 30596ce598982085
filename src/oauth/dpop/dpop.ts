// Tokens that are bound to a key (RFC 9449): they are useless without that key.

import type { KeyFault } from '../../contract/problem.ts'
import { Problem } from '../../contract/problem.ts'
import type { PresentedToken, ShownKey } from '../../request/credentials.ts'
import type { Dependencies } from '../../request/handler.ts'
import { type ReadProof, useProof } from './proof.ts'

export { PROOF_SECONDS } from './nonces.ts'
export { nonceSecret, type Proof, proofReader, type ReadProof, useProof } from './proof.ts'
export { deleteExpiredProofs, insertProof } from './queries.ts'

const fault = (error: KeyFault['error'], message: string): ShownKey => ({ fault: { error, message } })

/** Checks that the proof's key is the key of the token. Returns the key, or the problem. */
export async function showKey(
  { db, clock, read }: Pick<Dependencies, 'db' | 'clock'> & { read: ReadProof },
  { token, scheme, request, shown }: PresentedToken,
  boundTo: string | null,
): Promise<ShownKey> {
  if (boundTo === null) return fault('invalid_token', 'The token is bound to no key; send it as Bearer')
  if (scheme === 'Bearer') return fault('invalid_token', 'The token is bound to a key; send it as DPoP, with a proof')
  if (shown)
    return 'fault' in shown || shown.key === boundTo ? shown : fault('invalid_token', 'The token has another key')
  const proof = request.headers.get('dpop')
  if (proof === null) return fault('invalid_dpop_proof', 'The DPoP proof is missing')
  try {
    const { key, jti, nonce } = await read({ proof, request, accessToken: token })
    if (key !== boundTo) return fault('invalid_token', 'The token has another key')
    await useProof(db, clock, { context: key, jti })
    return { key, nonce }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, message, details } = error
    return { fault: { error: code as KeyFault['error'], message, nonce: details.nonce } }
  }
}
