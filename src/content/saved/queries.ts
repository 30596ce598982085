// Saved filters as they are stored. They are read by their account alone.
import type { Selectable } from 'kysely'
import { countChanged, countRows, locking } from '../../database/engine.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db, SavedFilterTable, Transaction } from '../../database/schema.ts'
import { MAX_SAVED } from './rules.ts'

type SavedFilter = Selectable<SavedFilterTable>

const shown = ['id', 'name', 'path', 'createdAt'] as const

/** All of an account, by name. */
export function listSaved(db: Db, userId: string) {
  const rows = db.selectFrom('savedFilter').select(shown).where('userId', '=', userId)
  return rows.orderBy('name').orderBy('id').limit(MAX_SAVED).execute()
}

/** Makes the changes of an account's filters come one after the other, and gives how many it has. */
export async function countLocked(db: Transaction, userId: string): Promise<number> {
  await locking(db, db.selectFrom('user').select('id').where('id', '=', userId)).execute()
  return countRows(db.selectFrom('savedFilter').where('userId', '=', userId))
}

/** Gives the filter of a path its name; undefined where the account has not saved the path. */
export const updateName = (db: Transaction, { userId, path, name }: Pick<SavedFilter, 'userId' | 'path' | 'name'>) =>
  db
    .updateTable('savedFilter')
    .set({ name })
    .where('userId', '=', userId)
    .where('path', '=', path)
    .returning(shown)
    .executeTakeFirst()

export const insertSaved = inTransaction.insertInto('savedFilter')

/** Whether there was one. */
export async function deleteSaved(
  db: Transaction,
  { id, userId }: Pick<SavedFilter, 'id' | 'userId'>,
): Promise<boolean> {
  return (await countChanged(db.deleteFrom('savedFilter').where('id', '=', id).where('userId', '=', userId))) > 0
}

/** Removes up to `limit` filters of an account; gives how many. */
export const deleteSavedOf = plain.deleteSome('savedFilter', 'userId')
