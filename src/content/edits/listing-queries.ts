// How revisions and changes of status are listed, newest first.
import type { Db } from '../../database/schema.ts'
import { type Ids, inOrder, type PageWindow, selectIds } from '../listing-queries.ts'

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
    .where('revision.id', 'in', ids)
    .where('revision.targetType', '=', targetType)
  return inOrder(query, { of: 'revision', sort: 'latest' })
}

export function statusChangesById(db: Db, ids: Ids) {
  const query = db
    .selectFrom('statusChange as change')
    .leftJoin('user as actor', 'actor.id', 'change.actorId')
    .select(['change.id', 'change.actorId', 'actor.username as actorUsername', 'change.from', 'change.to'])
    .select(['change.reason', 'change.createdAt', 'change.viaClientId'])
    .where('change.id', 'in', ids)
  return inOrder(query, { of: 'change', sort: 'latest' })
}
