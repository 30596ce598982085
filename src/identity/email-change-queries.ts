// Changes of address as they are stored, while they can be undone.
import { inTransaction } from '../database/rows.ts'
import type { Db, EmailChangeTable, Transaction } from '../database/schema.ts'

export const insertChange = inTransaction.insertInto('emailChange')

/** A change that can still be undone. */
export function findChange(db: Db, tokenHash: string, now: string): Promise<EmailChangeTable | undefined> {
  const change = db.selectFrom('emailChange').selectAll().where('tokenHash', '=', tokenHash)
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
