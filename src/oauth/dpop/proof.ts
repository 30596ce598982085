// Proofs of possession (RFC 9449, 4.3): a JWT that names method, address and token of one request, signed by the key that the
// token is bound to. Each is good once, for some minutes.
import type { JWTVerifyResult } from 'jose'
import { Problem } from '../../contract/problem.ts'
import type { Db } from '../../database/schema.ts'
import { PROOF_ALGORITHMS } from '../../request/credentials.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { required } from '../../runtime/untyped.ts'
import type { Keys } from '../keys.ts'
import { isNonce, nextNonce, PROOF_SECONDS, systemSeconds } from './nonces.ts'
import * as queries from './queries.ts'

const MAX_LENGTH = 4_096

/** A proof as it came, and the request it came with. */
export interface GivenProof {
  proof: string
  request: Pick<Request, 'method' | 'url'>
  /** The token that is used with it, if one is. */
  accessToken?: string
}

export interface Proof {
  /** The thumbprint of the key (RFC 7638). */
  key: string
  jti: string
  /** The nonce for the next proof, when it is another. */
  nonce: string | undefined
}

/** Checks proofs; throws `invalid_dpop_proof` or `use_dpop_nonce`, with a nonce where one helps. */
export type ReadProof = (given: GivenProof) => Promise<Proof>

export function proofReader({ config }: Pick<Dependencies, 'config'>, keys: () => Promise<Keys>): ReadProof {
  return async (given) => {
    const secret = nonceSecret(await keys())
    const { payload, protectedHeader } = await verified(given.proof)
    checkRequest(payload, given, config.baseUrl)
    const { jti, nonce } = payload
    if (typeof jti !== 'string' || jti === '') throw bad('has no jti')
    if (nonce !== undefined && typeof nonce !== 'string') throw bad('has a nonce that is no text')
    const next = nextNonce(secret)
    const recent = Math.abs(systemSeconds() - required(payload.iat)) <= PROOF_SECONDS
    if (nonce === undefined ? !recent : !isNonce(secret, nonce)) {
      const message =
        nonce === undefined ? 'The proof is not recent; use this nonce' : 'The nonce is too old; use this one'
      throw new Problem('use_dpop_nonce', message, { nonce: next })
    }
    const { calculateJwkThumbprint } = await import('jose')
    return {
      key: await calculateJwkThumbprint(required(protectedHeader.jwk)),
      jti,
      nonce: nonce === next ? undefined : next,
    }
  }
}

/** The secret of the nonces, the same in every process. */
export const nonceSecret = (keys: Keys): Buffer => keys.secretFor('dpop nonces')

const bad = (what: string) => new Problem('invalid_dpop_proof', `The DPoP proof ${what}`)

async function verified(proof: string): Promise<JWTVerifyResult> {
  if (proof.length > MAX_LENGTH) throw bad('is too long')
  const { EmbeddedJWK, jwtVerify } = await import('jose')
  try {
    const options = { algorithms: [...PROOF_ALGORITHMS], typ: 'dpop+jwt', requiredClaims: ['iat', 'jti', 'htm', 'htu'] }
    return await jwtVerify(proof, EmbeddedJWK, options)
  } catch {
    throw bad('is not one JWT of type dpop+jwt, signed by the key in it')
  }
}

function checkRequest(
  payload: JWTVerifyResult['payload'],
  { request, accessToken }: GivenProof,
  baseUrl: string,
): void {
  if (payload['htm'] !== request.method) throw bad('names another method')
  const named = typeof payload['htu'] === 'string' ? URL.parse(payload['htu']) : null
  if (!named) throw bad('names no address')
  named.search = ''
  named.hash = ''
  // The public origin, regardless of proxies in front of the server.
  if (named.href !== new URL(new URL(request.url).pathname, baseUrl).href) throw bad('names another address')
  if (accessToken !== undefined && payload['ath'] !== sha256(accessToken)) throw bad('is for another token')
}

/** Stores a proof in the context of its sender; throws when it was used before (RFC 9449, 11.1). */
export async function useProof(
  db: Db,
  clock: Dependencies['clock'],
  { context, jti }: { context: string; jti: string },
): Promise<void> {
  // Its time may be ahead of ours as much as behind.
  const expiresAt = after(timestamp(clock.now()), 2 * PROOF_SECONDS)
  if (!(await queries.insertProof(db, replayHash(context, jti), expiresAt))) throw bad('was used before')
}

/** The key by which the library looks up used proofs. */
const replayHash = (context: string, jti: string): string => sha256(`${context}${jti}`)
