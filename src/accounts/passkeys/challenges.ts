// Challenges: random, stored as a hash, valid once, for one purpose and account, for 5 minutes.
import type { Db, Transaction } from '../../database/schema.ts'
import { type Challenge, deleteChallenge, insertChallenge } from '../../identity/passkey-queries.ts'
import { after, latest } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newToken } from '../../runtime/ids.ts'
import { CHALLENGE_SECONDS } from './rules.ts'

/** A challenge is bound to these. */
type ChallengeBinding = Pick<Challenge, 'purpose' | 'userId'>

/** A new challenge in base64url. */
export async function giveChallenge(db: Db, bound: ChallengeBinding, now: string): Promise<string> {
  const challenge = newToken()
  await insertChallenge(db, { ...bound, challengeHash: sha256(challenge), expiresAt: after(now, CHALLENGE_SECONDS) })
  return challenge
}

/** Uses the challenge up; whether it was good. The transaction must be committed either way. */
export async function takeChallenge(
  db: Transaction,
  { challenge, bound, now }: { challenge: string | undefined; bound: ChallengeBinding; now: string },
): Promise<boolean> {
  if (challenge === undefined) return false
  const taken = await deleteChallenge(db, { ...bound, challengeHash: sha256(challenge) })
  return taken !== undefined && taken.expiresAt > now && taken.expiresAt <= latest(now, CHALLENGE_SECONDS)
}
