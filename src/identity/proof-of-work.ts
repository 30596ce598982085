// Proofs of work, in the format of ALTCHA: who asks for a challenge finds the number behind a hash, and sends it with the write. The server
// keeps nothing of a challenge; it signs it, and remembers what was used until it is over.
import type { Challenge } from 'altcha-lib/types'
import { Problem } from '../contract/problem.ts'
import type { Transaction } from '../database/schema.ts'
import type { Context } from '../request/handler.ts'
import { after, timestamp } from '../runtime/clock.ts'
import { sha256 } from '../runtime/hash.ts'
import { objectIn } from '../runtime/json.ts'
import { insertUsedProof } from './code-queries.ts'

/** Where a challenge is. */
const CHALLENGE = '/api/challenge'
/** The header with its solution; pages have a cookie. */
const HEADER = 'proof-of-work'
const COOKIE = 'proof-of-work'
const PROOF_SECONDS = 600
const MAX_CHARACTERS = 1_000

type ProofContext = Pick<Context, 'config' | 'cookie' | 'now' | 'request' | 'secretFor'>

/** A proof that is good. */
interface Proof {
  /** Uses it up, in the transaction of the write; throws `forbidden` where it was used before. */
  use(db: Transaction): Promise<void>
}

const keyOf = async ({ secretFor }: Pick<Context, 'secretFor'>) => (await secretFor('proofs')).toString('hex')

/** A new challenge: its number is below `PROOF_NUMBERS`. */
export async function newChallenge(context: Pick<Context, 'config' | 'now' | 'secretFor'>): Promise<Challenge> {
  const { createChallenge } = await import('altcha-lib')
  const expires = new Date(after(context.now, PROOF_SECONDS))
  return createChallenge({ hmacKey: await keyOf(context), maxnumber: context.config.proofNumbers, expires })
}

/** The proof of a sign-up with a password; nothing to do where the operator wants none. */
export const proofOfSignUp = async (context: ProofContext): Promise<Proof> =>
  context.config.proofOfWork === 'off' ? { use: async () => undefined } : proofIn(context)

/** The proof of a request; throws `forbidden` without a good one. */
export async function proofIn(context: ProofContext): Promise<Proof> {
  const given = context.request.headers.get(HEADER) ?? context.cookie(COOKIE)
  if (!given) throw refused('Send a proof of work first: /api/challenge')
  const good = given.length <= MAX_CHARACTERS ? await goodProof(context, given) : undefined
  if (!good) throw refused('This proof of work is wrong or too old; solve a new one: /api/challenge')
  return {
    async use(db) {
      if (!(await insertUsedProof(db, good)))
        throw refused('This proof of work was used before; solve a new one: /api/challenge')
    },
  }
}

const refused = (sentence: string) => new Problem('forbidden', sentence, { challenge: CHALLENGE })

/** What is remembered of a good proof; undefined for any other. */
async function goodProof(context: ProofContext, given: string) {
  const payload = objectIn(Buffer.from(given, 'base64').toString())
  const { algorithm, challenge, number, salt, signature } = payload ?? {}
  if (algorithm !== 'SHA-256' || typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined
  if (typeof challenge !== 'string' || typeof salt !== 'string' || typeof signature !== 'string') return undefined
  const { verifySolution } = await import('altcha-lib')
  // Its own check of the time would ask the clock of the machine.
  if (!(await verifySolution({ algorithm, challenge, number, salt, signature }, await keyOf(context), false)))
    return undefined
  const seconds = Number(new URLSearchParams(salt.split('?')[1]).get('expires'))
  const expiresAt = timestamp(seconds * 1000)
  return expiresAt > context.now ? { hash: sha256(challenge), expiresAt } : undefined
}
