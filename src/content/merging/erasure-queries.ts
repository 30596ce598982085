// What the erasure of an account changes in what was merged. Moderators merge by hand, so the table is small and has no index of them.
import type { Updateable } from 'kysely'
import { countChanged } from '../../database/engine.ts'
import type { Database, Db, Transaction } from '../../database/schema.ts'

/** Some of what an account wrote and moderators merged. */
export function listMergedBy(db: Db, authorId: string, limit: number) {
  const merged = db.selectFrom('mergedThing').select(['id', 'type', 'targetId', 'number', 'title'])
  return merged.where('authorId', '=', authorId).limit(limit).execute()
}

export async function updateMerged(
  db: Transaction,
  id: string,
  changes: Updateable<Pick<Database['mergedThing'], 'authorId' | 'title' | 'text' | 'revisionCount' | 'record'>>,
): Promise<void> {
  await db.updateTable('mergedThing').set(changes).where('id', '=', id).execute()
}

/** Gives some merges of an account to another one, and those that it is undoing; gives how many merges. */
export async function updateMergers(
  db: Db,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<number> {
  await db.updateTable('mergeUndo').set({ undoneBy: to }).where('undoneBy', '=', from).execute()
  const some = db.selectFrom('mergedThing').select('id').where('mergedBy', '=', from).limit(limit)
  const update = db.updateTable('mergedThing').set({ mergedBy: to }).where('id', 'in', some)
  return countChanged(update)
}
