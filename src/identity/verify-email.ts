// The effects of a used mailed code: its user has access to the mailbox of the account (behaviour.md, section 5). And taking every credential of
// an account away. The caller has locked the account.

import { record } from '../audit/audit.ts'
import type { Transaction } from '../database/schema.ts'
import type { Context, Dependencies } from '../request/handler.ts'
import type { User } from './account-queries.ts'
import * as queries from './account-queries.ts'
import { accountActions } from './audit-actions.ts'
import { deleteBrowsersOf } from './browsers.ts'
import { endCredentials } from './credentials.ts'
import { deleteExternalIdentitiesOf } from './external-queries.ts'
import { type RemovedCredentials, resetMail, takeOverMail, type WaysIn } from './mails.ts'
import { deletePasskeysOf } from './passkey-queries.ts'
import { type Actor, changeRole, type Notifier } from './roles.ts'
import { deleteWorkloadsOf } from './workload-queries.ts'

type MailContext = Pick<Context, 'outbox' | 'config' | 'now'>
type EnterContext = MailContext & Pick<Context, 'address' | 'removeActing'>
type VerifiedBy = NonNullable<User['emailVerifiedBy']>

/**
 * Verifies the address and removes nothing: for a caller who is signed in to the account. An address in the operator's list of admins
 * makes the account an admin; neither a claim nor an external provider does, now or at the next start.
 */
export async function verifyEmail(
  { outbox, config, now }: MailContext,
  db: Transaction,
  { user, by }: { user: User; by: VerifiedBy },
): Promise<User> {
  const isNews =
    !user.emailVerifiedAt || (by === 'code' && user.emailVerifiedBy !== null && user.emailVerifiedBy !== 'code')
  const changes = { emailVerifiedAt: user.emailVerifiedAt ?? now, emailVerifiedBy: by, updatedAt: now }
  const verified = isNews ? await queries.updateUser(db, user.id, changes) : user
  if (by === 'claim' || by === 'external' || !config.adminEmails.includes(user.email) || user.role === 'admin')
    return verified
  return changeRole({ outbox, config, db }, verified, { role: 'admin', actorId: null, now })
}

interface Removal {
  now: string
  /** Passkeys from before this moment stay; without it all go. */
  passkeysSince?: string | undefined
}

/** Removes what could sign in to a locked account, but its password, which goes with the next change of the account. */
export async function removeWaysIn(db: Transaction, user: User, { now, passkeysSince }: Removal): Promise<WaysIn> {
  const { ended } = await endCredentials(db, user, now)
  const removed = {
    password: user.passwordHash !== null,
    sessions: ended.sessions,
    passkeys: await deletePasskeysOf(db, user.id, passkeysSince),
    external: await deleteExternalIdentitiesOf(db, user.id),
    programs: await deleteWorkloadsOf(db, user.id),
    apps: ended.apps,
  }
  await deleteBrowsersOf(db, user.id)
  return removed
}

/** The same, and what acts by itself: for an account that others set up or have got into. */
export async function removeCredentials(
  { removeActing, now }: Pick<Context, 'removeActing' | 'now'>,
  db: Transaction,
  user: User,
): Promise<RemovedCredentials> {
  const removed = await removeWaysIn(db, user, { now })
  return { ...removed, ...(await removeActing(db, { id: user.id, now })) }
}

/**
 * For a caller who is not signed in to the account. On an unverified account, all credentials, sessions and grants are removed: they
 * were created without access to the mailbox.
 */
export async function enterByMailbox(
  context: EnterContext,
  db: Transaction,
  { user, by }: { user: User; by: VerifiedBy },
): Promise<User> {
  if (user.emailVerifiedAt || user.blockedAt) return user.blockedAt ? user : verifyEmail(context, db, { user, by })
  const { outbox, config, now, address } = context
  const removed = await removeCredentials(context, db, user)
  const act = { action: accountActions['take-over'], actorId: user.id, targetType: 'user', targetId: user.id }
  await record(db, now, { ...act, detail: { ...removed, by }, address })
  await outbox.enqueue(db, { recipient: user.email, ...takeOverMail(config.baseUrl, removed) })
  const bare = await queries.updateUser(db, user.id, { passwordHash: null })
  return verifyEmail(context, db, { user: bare, by })
}

/** For an account that others have got into: removes every credential, the webhooks and the keys, and mails its owner how to get in again. */
export async function resetAccount(
  { outbox, config, removeActing, now, ...by }: Notifier & Actor & Pick<Dependencies, 'removeActing'>,
  db: Transaction,
  user: User,
): Promise<RemovedCredentials> {
  const removed = await removeCredentials({ removeActing, now }, db, user)
  const act = { action: accountActions.reset, targetType: 'user', targetId: user.id, detail: { ...removed } }
  await record(db, now, { ...act, ...by })
  await queries.updateUser(db, user.id, { passwordHash: null, updatedAt: now })
  await outbox.enqueue(db, { recipient: user.email, ...resetMail(config.baseUrl) })
  return removed
}
