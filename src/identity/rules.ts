// Rules for accounts, without input or output.
import type { Limit } from '../budgets/budgets.ts'
import { Problem } from '../contract/problem.ts'
import { after, latest } from '../runtime/clock.ts'
import type { User } from './account-queries.ts'

/** A session lives 7 days from its last use and 90 days at most (behaviour.md, section 1); it is renewed at most once a day. */
const SESSION_SECONDS = 7 * 86_400
const MAX_SESSION_SECONDS = 90 * 86_400
const RENEWAL_SECONDS = 86_400

export const CODE_SECONDS = 600
export const CODE_FAILURES = 5
/** Of all networks together that did not ask for the code. */
export const OTHERS_FAILURES = 50

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Limits on tries (guesses.ts has their keys); `RATE_LIMITS=off` disables them. Mailed codes have the mail budget. */
export const limits = {
  signInByAddress: { tries: 60, windowSeconds: 15 * MINUTE },
  /** One password tried on many accounts, from all addresses of a network. */
  signInByNetwork: { tries: 600, windowSeconds: 15 * MINUTE },
  /** For an account and a network, or for a browser that signed in to the account before. */
  wrongPasswords: { tries: 10, windowSeconds: 15 * MINUTE },
  /** For an account from all networks together, without browsers that signed in to it: many networks guess no faster. */
  wrongPasswordsAnywhere: { tries: 100, windowSeconds: HOUR },
  /** Mails with codes for a browser that signed in to the account before; others share the budget of mails. */
  codesByBrowser: { tries: 5, windowSeconds: HOUR },
  /** The same for a network from which the account signed in before. */
  codesByNetwork: { tries: 5, windowSeconds: HOUR },
  /** A sign-in page requests a challenge each time it is opened, even if no passkey is used. */
  challengeByAddress: { tries: 240, windowSeconds: 15 * MINUTE },
  exportsByAccount: { tries: 3, windowSeconds: 24 * HOUR },
  passkeyByAccount: { tries: 60, windowSeconds: HOUR },
  externalByAddress: { tries: 120, windowSeconds: 15 * MINUTE },
  invitationsByAdmin: { tries: 200, windowSeconds: 24 * HOUR },
  invitationLinkByAddress: { tries: 60, windowSeconds: 15 * MINUTE },
  invitationsOfAddress: { tries: 3, windowSeconds: 24 * HOUR },
  personalTokensByAccount: { tries: 30, windowSeconds: HOUR },
  workloadsByAccount: { tries: 30, windowSeconds: HOUR },
  chatLinksByAccount: { tries: 30, windowSeconds: HOUR },
  /** Codes to write at a tracker; each asks there who the person is. */
  trackerCodesByAccount: { tries: 10, windowSeconds: HOUR },
  /** Commands of one user of a chat. */
  commandsByChatUser: { tries: 30, windowSeconds: MINUTE },
  feedKeysByAccount: { tries: 30, windowSeconds: HOUR },
  pushByAccount: { tries: 30, windowSeconds: HOUR },
} as const satisfies Record<string, Limit>

/** The new end of a session that is used now. */
export function sessionEnd(createdAt: string, now: string): string {
  const [rolling, last] = [after(now, SESSION_SECONDS), after(createdAt, MAX_SESSION_SECONDS)]
  return rolling < last ? rolling : last
}

/** When a session that was last renewed at `seenAt` is due to be renewed, in milliseconds. */
export const renewalDueAt = (seenAt: string): number => Date.parse(seenAt) + RENEWAL_SECONDS * 1_000

export const needsRenewal = (seenAt: string, now: string): boolean => renewalDueAt(seenAt) < Date.parse(now)

/** A link that invites is listed with who used it for so many days after its end. */
export const KEPT_LINK_DAYS = 30

/** How long a credential counts as just used (behaviour.md, section 5). */
export const REAUTHENTICATION_SECONDS = 600

/** Until when a credential that was used at `authenticatedAt` counts; undefined when it does no more. */
export function recentUntil(authenticatedAt: string, now: string, graceSeconds = 0): string | undefined {
  const until = after(authenticatedAt, REAUTHENTICATION_SECONDS + graceSeconds)
  return until > now && authenticatedAt <= latest(now) ? until : undefined
}

/** Whether the account is neither blocked nor about to be deleted. */
export const isActive = ({ blockedAt, deletionAt }: Pick<User, 'blockedAt' | 'deletionAt'>): boolean =>
  blockedAt === null && deletionAt === null

/** Whether no active admin would remain without `target`. All admins are locked. */
export function isLastAdmin(locked: Iterable<User>, target: User): boolean {
  const isActiveAdmin = (user: User) => user.role === 'admin' && isActive(user)
  if (!isActiveAdmin(target)) return false
  for (const user of locked) if (user.id !== target.id && isActiveAdmin(user)) return false
  return true
}

/** An active admin must remain, also without `target`. All admins are locked. */
export function requireAnotherAdmin(locked: Iterable<User>, target: User): void {
  if (isLastAdmin(locked, target)) {
    throw new Problem('conflict', 'This is the last admin; make another account an admin first')
  }
}

/** Where an avatar is served; the query part only defeats caches (interface.md, section 2). */
export function avatarUrl({ id, avatarUpdatedAt }: Pick<User, 'id' | 'avatarUpdatedAt'>): string | null {
  return avatarUpdatedAt && `/api/images/avatar/avatars/${id}?v=${Date.parse(avatarUpdatedAt)}`
}
