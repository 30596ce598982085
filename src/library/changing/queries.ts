// Uploads as they are counted: one row for each that succeeded within the hour.
import { locking } from '../../database/engine.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db, Transaction } from '../../database/schema.ts'

/** The moments of an account's uploads after `since` and up to `until`, newest first, at most `limit`. */
export async function listUploads(
  db: Db,
  accountId: string,
  { since, until, limit }: { since: string; until: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('libraryUpload')
    .select('at')
    .where('accountId', '=', accountId)
    .where('at', '>', since)
    .where('at', '<=', until)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ at }) => at)
}

/** Makes uploads of one account come one after the other, until the transaction ends. */
export async function lockUploader(db: Transaction, accountId: string): Promise<void> {
  await locking(db, db.selectFrom('user').select('id').where('id', '=', accountId)).execute()
}

export const insertUpload = inTransaction.insertInto('libraryUpload')
export const deleteUploadsOf = plain.deleteFrom('libraryUpload', 'accountId')

export async function deleteUploadsBefore(db: Db, moment: string): Promise<void> {
  await db.deleteFrom('libraryUpload').where('at', '<=', moment).execute()
}
