// Taking every credential of an account away: for one that others have got into. Its owner gets in again by the mailbox.
import { record } from '../audit/audit.ts'
import type { Transaction } from '../database/schema.ts'
import type { Dependencies } from '../request/handler.ts'
import type { User } from './account-queries.ts'
import * as queries from './account-queries.ts'
import { accountActions } from './audit-actions.ts'
import { type Removed, resetMail } from './mails.ts'
import type { Actor, Notifier } from './roles.ts'
import { removeCredentials } from './verify-email.ts'

/** Removes password, passkeys, external accounts, sessions, tokens, codes, webhooks and keys of a locked account, and mails it how to get in. */
export async function resetAccount(
  { outbox, config, removeActing, now, ...by }: Notifier & Actor & Pick<Dependencies, 'removeActing'>,
  db: Transaction,
  user: User,
): Promise<Removed> {
  const removed = await removeCredentials({ removeActing, now }, db, user)
  const act = { action: accountActions.reset, targetType: 'user', targetId: user.id, detail: { ...removed } }
  await record(db, now, { ...act, ...by })
  await queries.updateUser(db, user.id, { passwordHash: null, updatedAt: now })
  await outbox.enqueue(db, { recipient: user.email, ...resetMail(config.baseUrl) })
  return removed
}
