// How removals of stored bytes are noted.
import { countChanged } from '../database/engine.ts'
import { plain } from '../database/rows.ts'
import type { BlobRemovalTable, Db } from '../database/schema.ts'

/** The last removal of bytes with this name. */
export const findRemoval = plain.selectFrom('blobRemoval', 'name', ['id', 'startedAt', 'endedAt'])

/** Replaces the one before. */
export async function upsertRemoval(db: Db, removal: BlobRemovalTable): Promise<void> {
  const { name: _, ...changes } = removal
  await db
    .insertInto('blobRemoval')
    .values(removal)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(changes))
    .execute()
}

export async function updateRemovalEnded(db: Db, id: string, endedAt: string): Promise<void> {
  await db.updateTable('blobRemoval').set({ endedAt }).where('id', '=', id).execute()
}

/** Forgets removals that began before `moment`. */
export async function deleteRemovalsBefore(db: Db, moment: string, limit: number): Promise<number> {
  const old = db
    .selectFrom('blobRemoval')
    .select('name')
    .where('startedAt', '<', moment)
    .orderBy('startedAt')
    .limit(limit)
  return countChanged(
    db
      .deleteFrom('blobRemoval')
      .where('name', 'in', old)
      // One that began again in between stays.
      .where('startedAt', '<', moment),
  )
}

/** Forgets which files were named first, but for the newest `kept`. */
export async function deleteNamedBeyond(db: Db, kept: number, limit: number): Promise<number> {
  const newest = await db
    .selectFrom('namedFile')
    .select('id')
    .orderBy('id', 'desc')
    .offset(kept)
    .limit(1)
    .executeTakeFirst()
  if (!newest) return 0
  const old = db.selectFrom('namedFile').select('id').where('id', '<=', newest.id).orderBy('id').limit(limit)
  return countChanged(db.deleteFrom('namedFile').where('id', 'in', old))
}

/** Takes the name of a file out of what rows came to name. Its row stays: a continuous backup counts them by their ids. */
export async function forgetName(db: Db, name: string): Promise<void> {
  await db.updateTable('namedFile').set({ name: '' }).where('name', '=', name).execute()
}
