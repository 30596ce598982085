// Asking for the deletion of an account, and changing one's mind. The account is erased 14 days later (erasure.ts). Until then it signs in
// to nothing but the offer to stay; what it wrote stays as it is.
import { record } from '../audit/audit.ts'
import { Problem } from '../contract/problem.ts'
import type { AccountDeletionTable, Db, Transaction } from '../database/schema.ts'
import type { Dependencies } from '../request/handler.ts'
import { after } from '../runtime/clock.ts'
import * as accounts from './account-queries.ts'
import { accountActions } from './audit-actions.ts'
import { endCredentials } from './credentials.ts'
import * as queries from './deletion-queries.ts'
import { deletionCancelledMail, deletionMail } from './mails.ts'
import type { Actor } from './roles.ts'

export const DELETION_SECONDS = 14 * 86_400

type DeletionContext = Pick<Dependencies, 'outbox' | 'config'> & Actor
interface Request extends Pick<AccountDeletionTable, 'content' | 'requestedBy'> {
  user: accounts.User
}

/** What the owner and admins see of a deletion. */
export type Deletion = Pick<AccountDeletionTable, 'content' | 'requestedBy' | 'reason' | 'requestedAt' | 'eraseAt'> & {
  /** Whether the erasure has begun. */
  begun: boolean
}

export async function findDeletion(db: Db, userId: string): Promise<Deletion | null> {
  const found = await queries.findDeletion(db, userId)
  if (!found) return null
  const { content, requestedBy, reason, requestedAt, eraseAt, step } = found
  return { content, requestedBy, reason, requestedAt, eraseAt, begun: step !== null }
}

/** Ends every session, token and code of a locked account at once, and has the account erased in 14 days. */
export async function requestDeletion(
  { outbox, config, ...by }: DeletionContext,
  db: Transaction,
  { user, content, requestedBy }: Request,
): Promise<{ eraseAt: string }> {
  if (user.deletionAt !== null) throw new Problem('conflict', 'The deletion of this account was already requested')
  const { now, reason = null, ...actor } = by
  const eraseAt = after(now, DELETION_SECONDS)
  const times = { requestedAt: now, eraseAt, step: null, leasedUntil: '' }
  await queries.insertDeletion(db, { userId: user.id, content, requestedBy, reason, ...times })
  await endCredentials(db, user, now)
  await accounts.updateUser(db, user.id, { deletionAt: eraseAt, updatedAt: now })
  const detail = { content, eraseAt }
  const act = { action: accountActions['request-deletion'], targetType: 'user', targetId: user.id, detail, reason }
  await record(db, now, { ...act, ...actor })
  const told = { content, eraseAt, reason, byAdmin: requestedBy === 'admin' }
  await outbox.enqueue(db, { recipient: user.email, ...deletionMail(config.baseUrl, told) })
  return { eraseAt }
}

/** Keeps a locked account. What an admin asked for only an admin takes back; once the erasure has begun it is too late. */
export async function cancelDeletion(
  { outbox, config, ...by }: DeletionContext,
  db: Transaction,
  { user, byAdmin }: { user: accounts.User; byAdmin: boolean },
): Promise<void> {
  const deletion = await queries.lockDeletion(db, user.id)
  if (!deletion) throw new Problem('conflict', 'The deletion of this account was not requested')
  if (deletion.step !== null) throw new Problem('conflict', 'The account is being erased; it is too late to keep it')
  if (deletion.requestedBy === 'admin' && !byAdmin) {
    throw new Problem('forbidden', 'An admin requested this deletion; only an admin can cancel it')
  }
  await queries.deleteDeletion(db, user.id)
  const { now, reason = null, ...actor } = by
  await accounts.updateUser(db, user.id, { deletionAt: null, updatedAt: now })
  const act = { action: accountActions['cancel-deletion'], targetType: 'user', targetId: user.id, reason }
  await record(db, now, { ...act, ...actor })
  await outbox.enqueue(db, { recipient: user.email, ...deletionCancelledMail(config.baseUrl) })
}
