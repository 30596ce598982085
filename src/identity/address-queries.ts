// Addresses that are kept for someone: by invitations to sign up, one for an address, and by changes of address while they can be undone. A
// mailed code proves the mailbox; an invitation alone opens nothing.
import { countChanged } from '../database/engine.ts'
import { inTransaction } from '../database/rows.ts'
import type { Db, EmailChangeTable, SignUpInvitationTable, Transaction } from '../database/schema.ts'

/** Stores an invitation; one of the same address is replaced. */
export async function putInvitation(db: Transaction, invitation: SignUpInvitationTable): Promise<void> {
  const { createdAt, expiresAt } = invitation
  await db
    .insertInto('signUpInvitation')
    .values(invitation)
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ createdAt, expiresAt }))
    .execute()
}

export function findInvitation(db: Db, by: { email: string } | { id: string }, now: string) {
  return db
    .selectFrom('signUpInvitation')
    .select(['id', 'email'])
    .where((e) => e.and(by))
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

/** Open ones, newest first. */
export function listInvitations(db: Db, now: string): Promise<SignUpInvitationTable[]> {
  const columns = ['id', 'email', 'createdAt', 'expiresAt'] as const
  const open = db.selectFrom('signUpInvitation').select(columns).where('expiresAt', '>', now)
  return open.orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()
}

export async function deleteInvitation(db: Db, by: { email: string } | { id: string }): Promise<boolean> {
  const deletion = db.deleteFrom('signUpInvitation').where((e) => e.and(by))
  return (await countChanged(deletion)) > 0
}

const changeColumns = ['userId', 'oldEmail', 'oldVerifiedAt', 'oldVerifiedBy', 'role', 'changedAt'] as const
export type EmailChange = Pick<EmailChangeTable, (typeof changeColumns)[number]>

export const insertChange = inTransaction.insertInto('emailChange')

/** A change that can still be undone. */
export function findChange(db: Db, tokenHash: string, now: string): Promise<EmailChange | undefined> {
  const change = db.selectFrom('emailChange').select(changeColumns).where('tokenHash', '=', tokenHash)
  return change.where('undoUntil', '>', now).executeTakeFirst()
}

/** Whether an account may still get this address back: no other account takes it. */
export async function isReserved(
  db: Db,
  email: string,
  { now, userId = '' }: { now: string; userId?: string },
): Promise<boolean> {
  const changes = db.selectFrom('emailChange').select('id').where('oldEmail', '=', email).where('undoUntil', '>', now)
  return (await changes.where('userId', '!=', userId).limit(1).execute()).length > 0
}

/** Forgets a change of an account and those after it. */
export async function deleteChangesSince(
  db: Transaction,
  { userId, changedAt }: Pick<EmailChangeTable, 'userId' | 'changedAt'>,
): Promise<void> {
  await db.deleteFrom('emailChange').where('userId', '=', userId).where('changedAt', '>=', changedAt).execute()
}
