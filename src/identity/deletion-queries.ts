// How deletions of accounts are stored that were asked for.

import { locking } from '../database/engine.ts'
import type { AccountDeletionTable, Db, Transaction } from '../database/schema.ts'

export function findDeletion(db: Db, userId: string): Promise<AccountDeletionTable | undefined> {
  return db.selectFrom('accountDeletion').selectAll().where('userId', '=', userId).executeTakeFirst()
}

/** The same, locked until the transaction ends. The account is locked before. */
export function lockDeletion(db: Transaction, userId: string): Promise<AccountDeletionTable | undefined> {
  return locking(db, db.selectFrom('accountDeletion').selectAll().where('userId', '=', userId)).executeTakeFirst()
}

export async function insertDeletion(db: Transaction, deletion: AccountDeletionTable): Promise<void> {
  await db.insertInto('accountDeletion').values(deletion).execute()
}

export async function deleteDeletion(db: Transaction, userId: string): Promise<void> {
  await db.deleteFrom('accountDeletion').where('userId', '=', userId).execute()
}

/** An account that is to be erased by now, and that no process works on. */
export function findDue(db: Db, { due, now, latest }: { due: string; now: string; latest: string }) {
  return db
    .selectFrom('accountDeletion')
    .select('userId')
    .where('eraseAt', '<=', due)
    .where((row) => row.or([row('leasedUntil', '<=', now), row('leasedUntil', '>', latest)]))
    .orderBy('eraseAt')
    .limit(1)
    .executeTakeFirst()
}

export async function updateDeletion(
  db: Db,
  userId: string,
  changes: Partial<Pick<AccountDeletionTable, 'step' | 'leasedUntil'>>,
): Promise<void> {
  await db.updateTable('accountDeletion').set(changes).where('userId', '=', userId).execute()
}
