// What the publications of versions have still to close, as it is stored.
import { countChanged, locking } from '../../database/engine.ts'
import { prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, Transaction } from '../../database/schema.ts'

const pending = prepared((db) => db.selectFrom('versionCloses').select(['id', 'pending']).orderBy('id').limit(1))

/** The oldest publication that has not closed everything. */
export const findPending = async (db: Db) => (await pending(db, {})).rows[0]

export const insertPending = inTransaction.insertInto('versionCloses')

/** Locks a publication that has still something to close. */
export const lockPending = (db: Transaction, id: string) =>
  locking(
    db,
    db.selectFrom('versionCloses').select(['id', 'itemId', 'number', 'accountId', 'pending']).where('id', '=', id),
  ).executeTakeFirst()

/** What is published, by its number. */
export const findPublished = (db: Db, { itemId, number }: { itemId: string; number: number }) =>
  db
    .selectFrom('itemVersion as version')
    .innerJoin('libraryItem as item', 'item.id', 'version.itemId')
    .select(['item.id', 'item.kind', 'item.slug', 'item.listed', 'version.version'])
    .where('version.itemId', '=', itemId)
    .where('version.number', '=', number)
    .executeTakeFirst()

export const updatePending = inTransaction.updateTable('versionCloses', 'id')
export const deletePending = inTransaction.deleteFrom('versionCloses', 'id')

/** Gives some publications of an account to another one; gives how many. */
export async function updateAccounts(
  db: Db,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<number> {
  const some = db.selectFrom('versionCloses').select('id').where('accountId', '=', from).orderBy('id').limit(limit)
  return countChanged(db.updateTable('versionCloses').set({ accountId: to }).where('id', 'in', some))
}
