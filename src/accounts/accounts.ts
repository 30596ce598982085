// What the rest of Guildhall may ask of accounts.
import type { Config } from '../config.ts'
import type { Role } from '../contract/operation.ts'
import type { Db, Transaction } from '../database/schema.ts'
import { endSignIns } from '../oauth/oauth.ts'
import { record } from '../platform/audit/audit.ts'
import { deleteExpiredChallenges } from './passkeys/passkeys.ts'
import type { User } from './queries.ts'
import * as queries from './queries.ts'

export { countPasskeys } from './passkeys/passkeys.ts'
export type { User } from './queries.ts'
export {
  findSession,
  findUserByUsername,
  getUser,
  lockUserByEmail,
  lockUsersAndAdmins,
  shareSession,
  updateAvatar,
  updateNames,
  updateUsername,
} from './queries.ts'
export { cookieName, findSessionCaller, sessionCookie } from './sessions/sessions.ts'

/** Removes sessions, codes and challenges that ended before `moment`. */
export async function deleteExpired(db: Db, moment: string): Promise<void> {
  await queries.deleteExpired(db, moment)
  await deleteExpiredChallenges(db, moment)
}

/** Where an avatar is served; the query part only defeats caches (interface.md, section 2). */
export function avatarUrl({ id, avatarUpdatedAt }: Pick<User, 'id' | 'avatarUpdatedAt'>): string | null {
  return avatarUpdatedAt && `/api/images/avatar/avatars/${id}?v=${Date.parse(avatarUpdatedAt)}`
}

/**
 * Remembers that the mailbox is the account's, and makes it an admin if the operator named the address: an address alone
 * gives no role (behaviour.md, section 5).
 */
export async function proveMailbox(
  db: Transaction,
  user: User,
  { adminEmails, now }: { adminEmails: Config['adminEmails']; now: string },
): Promise<User> {
  const proven = user.provenAt ? user : await queries.updateUser(db, user.id, { provenAt: now, updatedAt: now })
  if (!adminEmails.includes(user.email) || user.role === 'admin') return proven
  return changeRole(db, proven, 'admin', { actorId: null, now })
}

/** Who uses power over an account, when, why and from where; the operator at the command line has no account. */
export interface Actor {
  actorId: string | null
  now: string
  reason?: string | null
  address?: string
}

/** Gives a role and writes it into the audit log. */
export async function changeRole(db: Transaction, user: User, role: Role, { now, ...by }: Actor): Promise<User> {
  const detail = { from: user.role, to: role }
  await record(db, now, { action: 'role.change', targetType: 'user', targetId: user.id, detail, ...by })
  return queries.updateUser(db, user.id, { role, updatedAt: now })
}

/**
 * Blocks an account that is locked: every way in is closed in the same transaction (interface.md, section 3). What it costs
 * does not depend on what the account wrote.
 */
export async function blockUser(db: Transaction, { id }: User, { now, ...by }: Actor): Promise<User> {
  await record(db, now, { action: 'user.block', targetType: 'user', targetId: id, ...by })
  await queries.deleteSessionsOf(db, id)
  // A token that is being issued holds the account's row: it was waited for, and goes too.
  await endSignIns(db, id)
  return queries.updateUser(db, id, { blockedAt: now, updatedAt: now })
}

export async function unblockUser(db: Transaction, { id }: User, { now, ...by }: Actor): Promise<User> {
  await record(db, now, { action: 'user.unblock', targetType: 'user', targetId: id, ...by })
  return queries.updateUser(db, id, { blockedAt: null, updatedAt: now })
}

/** Gives a role to the account of an address; undefined when there is none. */
export async function grantRole(db: Db, email: string, role: Role, now: string): Promise<User | undefined> {
  return db.transaction().execute(async (transaction) => {
    const user = await queries.lockUserByEmail(transaction, email.trim().toLowerCase())
    return user && user.role !== role ? changeRole(transaction, user, role, { actorId: null, now }) : user
  })
}

/** Makes admins of the named addresses whose mailbox was proven before they were named. Run at start. */
export async function grantConfiguredAdmins(db: Db, adminEmails: readonly string[], now: string): Promise<void> {
  if (adminEmails.length === 0) return
  for (const { email } of await queries.listProvenNonAdmins(db, adminEmails)) await grantRole(db, email, 'admin', now)
}
