// What releases have still to close, as it is stored.
import { locking } from '../../database/engine.ts'
import { prepared } from '../../database/prepared.ts'
import type { Db, Transaction } from '../../database/schema.ts'

const pending = prepared((db) =>
  db.selectFrom('release').select(['id', 'pending']).where('pending', 'is not', null).orderBy('id').limit(1),
)

/** The oldest release that has not closed everything. */
export const findPending = async (db: Db) => (await pending(db, {})).rows[0]

/** Locks a release that has still something to close. */
export const lockPending = (db: Transaction, id: string) =>
  locking(
    db,
    db
      .selectFrom('release')
      .select(['id', 'number', 'authorId', 'pending'])
      .where('id', '=', id)
      .where('pending', 'is not', null),
  ).executeTakeFirst()

/** Stores what a release has still to close. */
export async function updatePending(db: Transaction, id: string, left: readonly object[]): Promise<void> {
  const changes = { pending: left.length > 0 ? JSON.stringify(left) : null }
  await db.updateTable('release').set(changes).where('id', '=', id).execute()
}
