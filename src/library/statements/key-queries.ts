// The keys of publishers as they are stored.
import { type Given, prepared } from '../../database/prepared.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db } from '../../database/schema.ts'

const key = prepared((db, given: Given<{ id: string }>) =>
  db.selectFrom('publisherKey').selectAll().where('id', '=', given('id')),
)

export async function findKey(db: Db, id: string) {
  return (await key(db, { id })).rows[0]
}

export const deleteKeysOf = plain.deleteFrom('publisherKey', 'accountId')

/** Keys of an account, oldest first. */
export function listKeys(db: Db, accountId: string) {
  return db.selectFrom('publisherKey').selectAll().where('accountId', '=', accountId).orderBy('createdAt').execute()
}

export const insertKey = inTransaction.insertInto('publisherKey')
export const updateKey = inTransaction.updateTable('publisherKey', 'id')
