// The keys of publishers as they are stored.
import { countChanged } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db, Transaction } from '../../database/schema.ts'

const key = prepared((db, given: Given<{ id: string }>) =>
  db.selectFrom('publisherKey').selectAll().where('id', '=', given('id')),
)

export async function findKey(db: Db, id: string) {
  return (await key(db, { id })).rows[0]
}

export const deleteKeysOf = plain.deleteFrom('publisherKey', 'accountId')

/** Revokes the keys of an account that are not revoked yet; returns their number. */
export function revokeKeysOf(db: Transaction, accountId: string, revokedAt: string): Promise<number> {
  const open = db.updateTable('publisherKey').set({ revokedAt }).where('accountId', '=', accountId)
  return countChanged(open.where('revokedAt', 'is', null))
}

/** Keys of an account, oldest first. */
export function listKeys(db: Db, accountId: string) {
  return db.selectFrom('publisherKey').selectAll().where('accountId', '=', accountId).orderBy('createdAt').execute()
}

export const insertKey = inTransaction.insertInto('publisherKey')
export const updateKey = inTransaction.updateTable('publisherKey', 'id')
