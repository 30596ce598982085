// Roles and blocks of accounts. Every change is in the audit log, and a new role is mailed to its account.

import { record } from '../audit/audit.ts'
import type { Role } from '../contract/operation.ts'
import type { Db, Transaction } from '../database/schema.ts'
import type { Dependencies } from '../request/handler.ts'
import type { User } from './account-queries.ts'
import * as queries from './account-queries.ts'
import { roleActions, userActions } from './audit-actions.ts'
import { deleteGrantsOf } from './grant-queries.ts'
import { revokeLinksOf } from './invitation-queries.ts'
import { roleMail } from './mails.ts'
import { updateOwnRole } from './scim-queries.ts'
import { queueSignal } from './signal-queries.ts'

/** Dependencies for sending mail to an account. */
export type Notifier = Pick<Dependencies, 'outbox' | 'config'>

/**
 * The actor of an administrative action on an account, with its time, reason and address; the operator at the command line has no
 * account.
 */
export interface Actor {
  actorId: string | null
  now: string
  reason?: string | null
  address?: string
}

interface RoleChange extends Actor {
  role: Role
}

/** Gives a role to an account that is locked. It stays when the groups of a provider take back what they gave. */
export async function changeRole(
  context: Notifier & { db: Transaction },
  user: User,
  change: RoleChange,
): Promise<User> {
  const { role, now, ...by } = change
  const isKept = await updateOwnRole(context.db, user.id, role)
  if (user.role !== role) return changeRoleByGroups(context, user, change)
  const act = { action: roleActions.change, targetType: 'user', targetId: user.id, detail: { from: role, to: role } }
  if (isKept) await record(context.db, now, { ...act, ...by })
  return user
}

/** The same for what groups of a provider give and take back. With the role of an admin go the links by which it invited. */
export async function changeRoleByGroups(
  { outbox, config, db }: Notifier & { db: Transaction },
  user: User,
  { role, now, ...by }: RoleChange,
): Promise<User> {
  const detail = { from: user.role, to: role }
  await record(db, now, { action: roleActions.change, targetType: 'user', targetId: user.id, detail, ...by })
  await outbox.enqueue(db, { recipient: user.email, ...roleMail(config.baseUrl, detail) })
  if (user.role === 'admin') await revokeLinksOf(db, user.id, now)
  return queries.updateUser(db, user.id, { role, trustAt: '', updatedAt: now })
}

/**
 * Blocks a locked account and revokes all its sessions, tokens, codes and links that invite in the same transaction (interface.md, section 3). The cost
 * does not depend on how much the account wrote.
 */
export async function blockUser(db: Transaction, { id }: User, { now, ...by }: Actor): Promise<User> {
  await record(db, now, { action: userActions.block, targetId: id, ...by })
  await queries.deleteSessionsOf(db, id)
  await queueSignal(db, id, now)
  // Token issuance locks the account's row, so a concurrent token was waited for and is revoked too.
  await deleteGrantsOf(db, id)
  await revokeLinksOf(db, id, now)
  return queries.updateUser(db, id, { blockedAt: now, updatedAt: now })
}

/** Lets a blocked account sign in again. */
export async function unblockUser(db: Transaction, { id }: User, { now, ...by }: Actor): Promise<User> {
  await record(db, now, { action: userActions.unblock, targetId: id, ...by })
  return queries.updateUser(db, id, { blockedAt: null, updatedAt: now })
}

/** Gives a role to the account of an address; undefined when there is none. */
export async function grantRole(
  { db, ...notifier }: Notifier & { db: Db },
  email: string,
  { role, now }: { role: Role; now: string },
): Promise<User | undefined> {
  return db.transaction().execute(async (transaction) => {
    const user = await queries.lockUser(transaction, { email: email.trim().toLowerCase() })
    const granted = { role, actorId: null, now }
    return user && changeRole({ ...notifier, db: transaction }, user, granted)
  })
}

/** Makes admins of the configured addresses that were verified before they were configured. Runs at start. */
export async function grantConfiguredAdmins(dependencies: Notifier & { db: Db }, now: string): Promise<void> {
  const { adminEmails } = dependencies.config
  if (adminEmails.length === 0) return
  const waiting = await queries.listVerifiedNonAdmins(dependencies.db, adminEmails)
  for (const { email } of waiting) await grantRole(dependencies, email, { role: 'admin', now })
}
