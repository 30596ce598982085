// How the set-up is stored: one row, in a database that was new with it.
import { locking } from '../../database/engine.ts'
import type { Db, Transaction } from '../../database/schema.ts'

const ONE = 1

const row = (db: Db) => db.selectFrom('setup').select(['tokenHash', 'doneAt']).where('id', '=', ONE)

/** undefined in a database from before. */
export const findSetup = (db: Db) => row(db).executeTakeFirst()

/** The same, locked: of two that finish the set-up at once, the second sees what the first did. */
export const lockSetup = (db: Transaction) => locking(db, row(db)).executeTakeFirst()

export async function updateSetup(db: Db, changes: { tokenHash: string | null; doneAt?: string }): Promise<void> {
  await db.updateTable('setup').set(changes).where('id', '=', ONE).execute()
}
