// Tokens that are bound to a key (RFC 9449): they are useless without that key. A proof of possession (4.3) is a JWT that names method,
// address and token of one request, signed by the key. Each is good once, for some minutes. Nonces (8 and 9) are derived from the minute and a
// secret, so that any process can check them and none is stored. The library of the token endpoint derives the same ones: a client keeps one
// nonce for the whole origin.

import type { JWTVerifyResult } from 'jose'
import { type Code, type KeyFault, Problem } from '../../contract/problem.ts'
import type { Db } from '../../database/schema.ts'
import { PROOF_ALGORITHMS, type PresentedToken, type ShownKey } from '../../request/credentials.ts'
import type { Dependencies, Sender } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import { derivedSecret, sameHash, sha256 } from '../../runtime/hash.ts'
import { required } from '../../runtime/untyped.ts'
import type { Keys } from '../keys/keys.ts'
import { insertProof } from './queries.ts'

export { insertProof }

const STEP_SECONDS = 60

/** How far the time of a proof may be from ours: as far as the library lets it. */
export const PROOF_SECONDS = 5 * STEP_SECONDS

function nonceOf(secret: Buffer, step: number): string {
  const salt = Buffer.alloc(8)
  salt.writeBigUInt64BE(BigInt(step))
  return derivedSecret(secret, 'DPoP', salt).toString('base64url')
}

const stepOf = (seconds: number) => Math.floor(seconds / STEP_SECONDS)

/** The nonce to use from `now` on, in seconds since 1970. */
const nextNonce = (secret: Buffer, now: number): string => nonceOf(secret, stepOf(now) + 1)

/** Whether a nonce was given out in the minutes before `now`. */
function isNonce(secret: Buffer, nonce: string, now: number): boolean {
  return [-2, -1, 0, 1, 2].some((distance) => sameHash(nonceOf(secret, stepOf(now) + distance), nonce))
}

const MAX_LENGTH = 4_096

export interface Proof {
  /** The thumbprint of the key (RFC 7638). */
  key: string
  jti: string
  /** The nonce for the next proof, when it is another. */
  nonce: string | undefined
}

/**
 * Checks the proof in a request, and that it is for the access token if one is used with it; undefined without a proof. Throws
 * `invalid_dpop_proof` or `use_dpop_nonce`, with a nonce where one helps.
 */
export type ReadProof = (request: Sender, accessToken?: string) => Promise<Proof | undefined>

export function proofReader(
  { config, clock }: Pick<Dependencies, 'config' | 'clock'>,
  keys: () => Promise<Keys>,
): ReadProof {
  return async (request, accessToken) => {
    const proof = request.headers.get('dpop')
    if (proof === null) return undefined
    const secret = nonceSecret(await keys())
    const now = Math.floor(clock.now() / 1000)
    const { payload, protectedHeader } = await verified(proof, now)
    checkRequest(payload, request, config.baseUrl)
    if (accessToken !== undefined && payload['ath'] !== sha256(accessToken)) throw bad('is for another token')
    const { jti, nonce } = payload
    if (typeof jti !== 'string' || jti === '') throw bad('has no jti')
    if (nonce !== undefined && typeof nonce !== 'string') throw bad('has a nonce that is no text')
    const next = nextNonce(secret, now)
    const recent = Math.abs(now - required(payload.iat)) <= PROOF_SECONDS
    if (nonce === undefined ? !recent : !isNonce(secret, nonce, now)) {
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

async function verified(proof: string, now: number): Promise<JWTVerifyResult> {
  if (proof.length > MAX_LENGTH) throw bad('is too long')
  const { EmbeddedJWK, jwtVerify } = await import('jose')
  try {
    const requiredClaims = ['iat', 'jti', 'htm', 'htu']
    return await jwtVerify(proof, EmbeddedJWK, {
      ...{ algorithms: [...PROOF_ALGORITHMS], typ: 'dpop+jwt', requiredClaims },
      currentDate: new Date(now * 1000),
    })
  } catch {
    throw bad('is not one JWT of type dpop+jwt, signed by the key in it')
  }
}

function checkRequest(payload: JWTVerifyResult['payload'], request: Sender, baseUrl: string): void {
  if (payload['htm'] !== request.method) throw bad('names another method')
  const named = typeof payload['htu'] === 'string' ? URL.parse(payload['htu']) : null
  if (!named) throw bad('names no address')
  named.search = ''
  named.hash = ''
  // The public origin, regardless of proxies in front of the server.
  if (named.href !== new URL(new URL(request.url).pathname, baseUrl).href) throw bad('names another address')
}

/** Stores a proof in the context of its sender; throws when it was used before (RFC 9449, 11.1). */
export async function useProof(
  db: Db,
  clock: Dependencies['clock'],
  { context, jti }: { context: string; jti: string },
): Promise<void> {
  // Its time may be ahead of the server's as much as behind.
  const expiresAt = after(timestamp(clock.now()), 2 * PROOF_SECONDS)
  if (!(await insertProof(db, replayHash(context, jti), expiresAt))) throw bad('was used before')
}

/** The key by which the library looks up used proofs. */
const replayHash = (context: string, jti: string): string => sha256(`${context}${jti}`)

const fault = (error: KeyFault['error'], message: string): ShownKey => ({ fault: { error, message } })

/** Checks that the proof's key is the key of the token. Returns the key, or the problem. */
export async function showKey(
  { db, clock, readProof }: Pick<Dependencies, 'db' | 'clock'> & { readProof: ReadProof },
  { token, scheme, request, shown }: PresentedToken,
  boundTo: string | null,
): Promise<ShownKey> {
  if (boundTo === null) return fault('invalid_token', 'The token is bound to no key; send it as Bearer')
  if (scheme === 'Bearer') return fault('invalid_token', 'The token is bound to a key; send it as DPoP, with a proof')
  if (shown)
    return 'fault' in shown || shown.key === boundTo ? shown : fault('invalid_token', 'The token has another key')
  try {
    const proof = await readProof(request, token)
    if (!proof) return fault('invalid_dpop_proof', 'The DPoP proof is missing')
    const { key, jti, nonce } = proof
    if (key !== boundTo) return fault('invalid_token', 'The token has another key')
    await useProof(db, clock, { context: key, jti })
    return { key, nonce }
  } catch (error) {
    if (!(error instanceof Problem) || !isProofFault(error.code)) throw error
    return { fault: { error: error.code, message: error.message, nonce: error.details.nonce } }
  }
}

const isProofFault = (code: Code): code is KeyFault['error'] & Code =>
  code === 'invalid_dpop_proof' || code === 'use_dpop_nonce'
