// Items that were made before there was a log.
import type { Db } from '../../database/schema.ts'

/** Ids of items after one, in the order in which they were made. */
export async function listItemIds(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = db.selectFrom('libraryItem').select('id').where('id', '>', after).orderBy('id').limit(limit)
  return (await rows.execute()).map(({ id }) => id)
}
