// A device shows that it holds a passkey: to sign in, or to confirm that it is still the same person. It signs a challenge, which is random, stored
// as a hash, and valid once, for one purpose and account, for 5 minutes.
import { Problem } from '../../contract/problem.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { User } from '../../identity/account-queries.ts'
import * as queries from '../../identity/passkey-queries.ts'
import { type Challenge, deleteChallenge, insertChallenge, type PasskeyKey } from '../../identity/passkey-queries.ts'
import type { Context } from '../../request/handler.ts'
import { after, latest } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newToken } from '../../runtime/ids.ts'
import { challengeIn, verifyAssertion } from './ceremonies.ts'
import type { Assertion } from './contract.ts'
import { CHALLENGE_SECONDS, hasAdvanced, userHandleOf } from './rules.ts'

/** The one error for everything that is wrong with a passkey. */
export const refused = () => new Problem('unauthorized', 'The passkey is invalid or the request has expired; try again')

interface CheckedAssertion {
  passkey: PasskeyKey | undefined
  counter: number | undefined
}

/** The passkey that a device used, and its counter if the signature is valid. Checked before any lock is taken. */
export async function checkAssertion({ db, config }: Context, response: Assertion): Promise<CheckedAssertion> {
  const passkey = await queries.findPasskey(db, response.id)
  return { passkey, counter: passkey && (await verifyAssertion(config.baseUrl, response, passkey)) }
}

interface Use {
  response: Assertion
  checked: CheckedAssertion
  bound: Pick<Challenge, 'purpose' | 'userId'>
  /** The account of the passkey, locked. */
  user: User | undefined
}

/**
 * Uses the challenge up, and returns whether the passkey is valid; if so, its use is recorded. The transaction must be committed
 * either way.
 */
export async function usePasskey(
  { now }: Context,
  db: Transaction,
  { response, checked, bound, user }: Use,
): Promise<boolean> {
  const isOurs = await takeChallenge(db, { challenge: challengeIn(response), bound, now })
  // Read again: while the signature was checked it may have been removed, or used by another request.
  const passkey = checked.passkey && (await queries.lockPasskey(db, checked.passkey.id))
  const { counter } = checked
  if (!isOurs || !user || !passkey || passkey.userId !== user.id || counter === undefined) return false
  if (response.response.userHandle !== userHandleOf(user.id)) return false
  if (!hasAdvanced(passkey.counter, counter)) return false
  await queries.updatePasskey(db, passkey, { counter, lastUsedAt: now })
  return true
}

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
