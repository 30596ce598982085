// How far statements of versions from before the log are in it.
import type { Db } from '../../database/schema.ts'

const ONE = 1

/** How far items from before the log were taken in. */
export function findFilling(db: Db) {
  return db.selectFrom('logFilling').select(['after', 'doneAt']).where('id', '=', ONE).executeTakeFirstOrThrow()
}

export async function updateFilling(db: Db, values: { after: string; doneAt: string | null }): Promise<void> {
  await db.updateTable('logFilling').set(values).where('id', '=', ONE).execute()
}

/** Ids of items after one, in the order in which they were made. */
export async function listItemIds(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = db.selectFrom('libraryItem').select('id').where('id', '>', after).orderBy('id').limit(limit)
  return (await rows.execute()).map(({ id }) => id)
}
