// Revisions and changes of status as they are stored; what they are of counts them.
import { among, countChanged } from '../../database/engine.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { type Ids, inOrder, type PageWindow, selectIds } from '../listing-queries.ts'

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
  await db
    .updateTable('revision')
    .set({ thingId })
    .where('targetId', ...targets)
    .execute()
}

/** Removes the changes of the status of things that were merged into one that is going away. */
export async function deleteStatusChanges(db: Transaction, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('statusChange')
    .where('targetId', ...among(db, JSON.stringify(ids)))
    .execute()
}

/** Removes the revisions of one comment. */
export const deleteRevisions = inTransaction.deleteFrom('revision', 'targetId')

interface ReassignParams {
  from: string
  to: string
  limit: number
}

/** Gives some revisions of an editor to another one; gives how many. */
export async function updateEditors(db: Db, { from, to, limit }: ReassignParams): Promise<number> {
  const some = db.selectFrom('revision').select('id').where('editorId', '=', from).orderBy('id').limit(limit)
  const update = db.updateTable('revision').set({ editorId: to, viaClientId: null }).where('id', 'in', some)
  return countChanged(update)
}

/** Gives some changes of status to another account, with their reasons or without; gives how many. */
export async function updateActors(
  db: Db,
  { from, to, limit, withReason }: ReassignParams & { withReason: boolean },
): Promise<number> {
  const some = db.selectFrom('statusChange').select('id').where('actorId', '=', from).orderBy('id').limit(limit)
  const changes = { actorId: to, viaClientId: null, ...(!withReason && { reason: null }) }
  const update = db.updateTable('statusChange').set(changes).where('id', 'in', some)
  return countChanged(update)
}

type OfTarget = { targetId: string }

/** Ids along the index of a target, newest first. */
export const scanHistory = (
  db: Db,
  table: 'revision' | 'statusChange',
  { targetId, ...pageWindow }: OfTarget & PageWindow,
) => selectIds(db, { table, within: ['targetId', targetId], sort: 'latest' }, pageWindow)

export function revisionsById(db: Db, ids: Ids, targetType: string) {
  const query = db
    .selectFrom('revision')
    .leftJoin('user as editor', 'editor.id', 'revision.editorId')
    .select(['revision.id', 'revision.editorId', 'editor.username as editorUsername'])
    .select(['revision.createdAt', 'revision.changes', 'revision.viaClientId'])
    .where('revision.id', ...ids)
    .where('revision.targetType', '=', targetType)
  return inOrder(query, { of: 'revision', sort: 'latest' })
}

export function statusChangesById(db: Db, ids: Ids) {
  const query = db
    .selectFrom('statusChange as change')
    .leftJoin('user as actor', 'actor.id', 'change.actorId')
    .select(['change.id', 'change.actorId', 'actor.username as actorUsername', 'change.from', 'change.to'])
    .select(['change.reason', 'change.createdAt', 'change.viaClientId'])
    .where('change.id', ...ids)
  return inOrder(query, { of: 'change', sort: 'latest' })
}
