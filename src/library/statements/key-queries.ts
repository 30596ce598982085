// The keys of publishers as they are stored.
import { type Given, prepared } from '../../database/prepared.ts'
import type { Db, PublisherKeyTable, Transaction } from '../../database/schema.ts'

const key = prepared((db, given: Given<{ id: string }>) =>
  db.selectFrom('publisherKey').selectAll().where('id', '=', given('id')),
)

export async function findKey(db: Db, id: string) {
  return (await key(db, { id })).rows[0]
}

export async function deleteKeysOf(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('publisherKey').where('accountId', '=', accountId).execute()
}

/** Keys of an account, oldest first. */
export function listKeys(db: Db, accountId: string) {
  return db.selectFrom('publisherKey').selectAll().where('accountId', '=', accountId).orderBy('createdAt').execute()
}

export async function insertKey(db: Transaction, key: PublisherKeyTable): Promise<void> {
  await db.insertInto('publisherKey').values(key).execute()
}

export async function updateKey(db: Transaction, id: string, values: { revokedAt: string }): Promise<void> {
  await db.updateTable('publisherKey').set(values).where('id', '=', id).execute()
}
