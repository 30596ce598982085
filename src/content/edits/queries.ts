// Revisions and changes of status as they are stored; what they are of counts them.
import { among, countChanged } from '../../database/engine.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, Transaction } from '../../database/schema.ts'

export const insertRevision = inTransaction.insertInto('revision')
export const insertStatusChange = inTransaction.insertInto('statusChange')

/** Removes the history of a thing that is going away, and of the comments on it. */
export async function deleteHistory(db: Transaction, thingId: string): Promise<void> {
  await db.deleteFrom('revision').where('thingId', '=', thingId).execute()
  await db.deleteFrom('statusChange').where('targetId', '=', thingId).execute()
}

/** The edits of what was merged, of a thing or of comments, go with its target. */
export async function moveRevisions(db: Transaction, ids: readonly string[], thingId: string): Promise<void> {
  const targets = among(db, JSON.stringify(ids))
  await db.updateTable('revision').set({ thingId }).where('targetId', 'in', targets).execute()
}

/** Removes the changes of the status of things that were merged into one that is going away. */
export async function deleteStatusChanges(db: Transaction, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('statusChange')
    .where('targetId', 'in', among(db, JSON.stringify(ids)))
    .execute()
}

/** Removes the revisions of one comment. */
export const deleteRevisions = inTransaction.deleteFrom('revision', 'targetId')

interface Renaming {
  from: string
  to: string
  limit: number
}

/** Gives some revisions of an editor to another one; gives how many. */
export async function updateEditors(db: Db, { from, to, limit }: Renaming): Promise<number> {
  const some = db.selectFrom('revision').select('id').where('editorId', '=', from).orderBy('id').limit(limit)
  const update = db.updateTable('revision').set({ editorId: to, viaClientId: null }).where('id', 'in', some)
  return countChanged(update)
}

/** Gives some changes of status to another account, with their reasons or without; gives how many. */
export async function updateActors(
  db: Db,
  { from, to, limit, withReason }: Renaming & { withReason: boolean },
): Promise<number> {
  const some = db.selectFrom('statusChange').select('id').where('actorId', '=', from).orderBy('id').limit(limit)
  const changes = { actorId: to, viaClientId: null, ...(!withReason && { reason: null }) }
  const update = db.updateTable('statusChange').set(changes).where('id', 'in', some)
  return countChanged(update)
}
