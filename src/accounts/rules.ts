// What is decided about accounts, without touching the world.
import type { Limit } from '../budgets/budgets.ts'

/** A session lives 7 days from its last use (behaviour.md, section 1); it is renewed at most once a day. */
export const SESSION_SECONDS = 7 * 86_400
const RENEWAL_SECONDS = 86_400

export const CODE_SECONDS = 600
export const CODE_FAILURES = 5

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Per network address and per mail address; `RATE_LIMITS=off` lifts them. Mailed codes have the budget of mails (src/budgets). */
export const limits = {
  signUpByAddress: { tries: 20, windowSeconds: HOUR },
  signInByAddress: { tries: 60, windowSeconds: 15 * MINUTE },
  /** Per mail address: what a guesser gets, whoever's network they use. */
  signInByEmail: { tries: 20, windowSeconds: 15 * MINUTE },
  /** A sign-in page asks for a challenge each time it is opened, whether or not a passkey is used then. */
  challengeByAddress: { tries: 240, windowSeconds: 15 * MINUTE },
  passkeyByAccount: { tries: 60, windowSeconds: HOUR },
} as const satisfies Record<string, Limit>

export function needsRenewal(expiresAt: string, now: string): boolean {
  return Date.parse(expiresAt) - Date.parse(now) < (SESSION_SECONDS - RENEWAL_SECONDS) * 1000
}
