// How deletions of accounts are stored that were asked for.

import { inTransaction, plain } from '../database/rows.ts'
import type { Db } from '../database/schema.ts'

export const findDeletion = plain.selectFrom('accountDeletion', 'userId')

/** The same, locked until the transaction ends. The account is locked before. */
export const lockDeletion = inTransaction.selectForUpdate('accountDeletion', 'userId')
export const insertDeletion = inTransaction.insertInto('accountDeletion')
export const deleteDeletion = inTransaction.deleteFrom('accountDeletion', 'userId')

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

export const updateDeletion = plain.updateTable('accountDeletion', 'userId')
