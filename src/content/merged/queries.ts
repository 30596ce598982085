// Merged things as they are stored, where their ids lead, and what the search finds by them.
import { sql, type Updateable } from 'kysely'
import { Problem } from '../../contract/problem.ts'
import { mergeStates } from '../../contract/states.ts'
import type { Range } from '../../database/cursor.ts'
import { among, countChanged, countRows, locking } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, MergedThingTable, Transaction } from '../../database/schema.ts'
import { mayStep } from '../../database/states.ts'
import type { NewDocument } from '../../search/document.ts'
import { isBehind } from '../listing-queries.ts'
import { idsByAuthor } from '../rows/row-queries.ts'
import type { ListedSubject } from '../subject.ts'

const byId = prepared((db, given: Bind<{ id: string }>) =>
  db
    .selectFrom('mergedThing')
    .select(['id', 'type', 'targetId', 'revisionCount', 'statusChangeCount'])
    .where('id', '=', given('id')),
)

/** The target of a merged thing. */
export const findMerged = async (db: Db, id: string) => (await byId(db, { id })).rows[0]

const shown = (db: Db, targetId: string) =>
  db
    .selectFrom('mergedThing as merged')
    .leftJoin('user as author', 'author.id', 'merged.authorId')
    .where('merged.targetId', '=', targetId)
    .where('author.blockedAt', 'is', null)
    .where('merged.hidden', '=', 0)

/** Things that were merged into this one, newest first; none of blocked accounts. */
export function listMerged(db: Db, targetId: string, { offset, limit, after }: Range) {
  return shown(db, targetId)
    .leftJoin('user as moderator', 'moderator.id', 'merged.mergedBy')
    .select(['merged.id', 'merged.number', 'merged.title', 'merged.text', 'merged.authorId', 'merged.createdAt'])
    .select(['author.username as authorUsername', 'merged.editedAt', 'merged.status', 'merged.mergedAt'])
    .select(['merged.mergedBy as mergedById', 'moderator.username as mergedByUsername', 'merged.reason'])
    .select(['merged.record', 'merged.doneAt', 'merged.directId', 'merged.targetId'])
    .$if(after !== undefined, (rows) =>
      rows.where(isBehind({ of: 'merged', at: 'mergedAt', sort: 'latest' }, after ?? [])),
    )
    .orderBy('merged.mergedAt', 'desc')
    .orderBy('merged.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export const countMerged = (db: Db, targetId: string) => countRows(shown(db, targetId))

export const insertMerged = inTransaction.insertInto('mergedThing')

/** What a merge that goes on needs. */
const pendingColumns = ['id', 'type', 'targetId', 'number', 'title', 'labels', 'mergedBy', 'reason'] as const
export type PendingMerge = Pick<MergedThingTable, (typeof pendingColumns)[number]>

/** What was merged into a thing that is merged itself goes with it; gives how many there are. */
export async function retarget(db: Transaction, from: string, to: string): Promise<number> {
  return countChanged(db.updateTable('mergedThing').set({ targetId: to }).where('targetId', '=', from))
}

/** Deletes the merges into a thing that is being deleted. */
export async function deleteMerged(
  db: Transaction,
  targetId: string,
): Promise<Pick<MergedThingTable, 'id' | 'doneAt'>[]> {
  return db.deleteFrom('mergedThing').where('targetId', '=', targetId).returning(['id', 'doneAt']).execute()
}

const pending = prepared((db, given: Bind<{ limit: number }>) =>
  db
    .selectFrom('mergedThing')
    .select(['id as key', 'mergedAt as since'])
    .where('doneAt', 'is', null)
    .orderBy('mergedAt')
    .orderBy('id')
    .limit(given('limit')),
)

/** Merges that are not finished, the longest waiting first. */
export const listPending = async (db: Db, limit: number) => (await pending(db, { limit })).rows

/** A merge that is not finished. */
export const findPending = (db: Db, id: string) =>
  db
    .selectFrom('mergedThing')
    .select(['id', 'type', 'targetId'])
    .where('id', '=', id)
    .where('doneAt', 'is', null)
    .executeTakeFirst()

/** Locks a thing, hidden or not, and then the merge into it; undefined when that is done. */
export async function lockPending(
  db: Transaction,
  { id, targetId, table }: { id: string; targetId: string; table: ListedSubject['table'] },
): Promise<PendingMerge | undefined> {
  const thing = db.selectFrom(table).select('id').where('id', '=', targetId)
  if (!(await locking(db, thing).executeTakeFirst())) return undefined
  const pending = db
    .selectFrom('mergedThing')
    .select(pendingColumns)
    .where('id', '=', id)
    .where('targetId', '=', targetId)
  return locking(db, pending.where('doneAt', 'is', null)).executeTakeFirst()
}

/** Increases the number of things merged into a locked one. */
export async function addMerged(
  db: Transaction,
  { table, id, count }: { table: ListedSubject['table']; id: string; count: number },
): Promise<void> {
  const things = db.updateTable(table).set((row) => ({ mergedCount: row('mergedCount', '+', count) }))
  await things.where('id', '=', id).execute()
}

export async function updateMerged(
  db: Transaction,
  id: string,
  changes: Updateable<Omit<MergedThingTable, 'id'>>,
): Promise<void> {
  await db.updateTable('mergedThing').set(changes).where('id', '=', id).execute()
}

const state = sql`case when "doneAt" is null then 'merging' when record is null then 'final' else 'merged' end`
const mayBecome = (to: 'merged' | 'final' | 'undone') => mayStep(mergeStates, { to }, state)

/** Ends a merge whose parts are all with its target; false where that is done. */
export async function endMerge(db: Transaction, id: string, doneAt: string): Promise<boolean> {
  const merge = db.updateTable('mergedThing').set({ doneAt }).where('id', '=', id).where(mayBecome('merged'))
  return (await countChanged(merge)) === 1
}

/** Makes a merge final; false where it is not done or cannot be undone any more. */
export async function makeFinal(db: Db, id: string): Promise<boolean> {
  const merge = db.updateTable('mergedThing').set({ record: null }).where('id', '=', id).where(mayBecome('final'))
  return (await countChanged(merge)) === 1
}

/** Deletes a merge that is undone; false where it cannot be. */
export async function deleteUndone(db: Transaction, id: string): Promise<boolean> {
  return (await countChanged(db.deleteFrom('mergedThing').where('id', '=', id).where(mayBecome('undone')))) === 1
}

/** Ids of what an account wrote and moderators merged, in order, hidden ones too. */
export const listIdsOf = idsByAuthor('mergedThing')

/** Hides the text of a merged thing that is locked, or shows it. */
export async function updateHidden(db: Transaction, id: string, hidden: number) {
  const update = db.updateTable('mergedThing').set({ hidden }).where('id', '=', id)
  return update.returning(['type', 'targetId']).executeTakeFirstOrThrow()
}

/** Deletes the notes for undoing these merges. */
export async function deleteParts(db: Db, mergedIds: readonly string[]): Promise<void> {
  if (mergedIds.length > 0) await db.deleteFrom('mergedPart').where('mergedId', 'in', mergedIds).execute()
}

/** Cancels the undoing of merges of a thing that is being deleted. */
export async function forgetUndos(db: Transaction, id: string): Promise<void> {
  const rows = db.deleteFrom('mergeUndo').where((e) => e.or([e('id', '=', id), e('targetId', '=', id)]))
  const ended = await rows.returning('id').execute()
  await deleteParts(
    db,
    ended.map((undo) => undo.id),
  )
}

/** The search finds a target by the texts of its newest merged things, at most this many. */
const MAX_FOUND_BY = 50

/** Documents of things, with the titles and texts of what was merged into them. What is hidden is left out. */
export async function withMerged(db: Db, documents: readonly NewDocument[]): Promise<NewDocument[]> {
  const ids = JSON.stringify(documents.map(({ id }) => id))
  const merged = await db
    .selectFrom('mergedThing')
    .select(['targetId', 'title', 'text'])
    .where('targetId', ...among(db, ids))
    .where('hidden', '=', 0)
    .orderBy('mergedAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const byTarget = Map.groupBy(merged, ({ targetId }) => targetId)
  return documents.map((document) => {
    const texts = byTarget.get(document.id)?.slice(0, MAX_FOUND_BY)
    if (!texts) return document
    const names = texts.map(({ title }) => title.replace(/\s+/g, ' ')).join('\n')
    const body = [document.body, ...texts.flatMap(({ title, text }) => [title, text])].join('\n\n')
    return { ...document, names, body }
  })
}

/** Some of what an account wrote and moderators merged. Moderators merge by hand: the table is small, and has no index of them. */
export function listMergedBy(db: Db, authorId: string, limit: number) {
  const merged = db.selectFrom('mergedThing').select(['id', 'type', 'targetId', 'directId', 'number', 'title'])
  return merged.where('authorId', '=', authorId).limit(limit).execute()
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

/**
 * Runs `run` with an id; where that is not found because it was merged, with the id of what it was merged into. That is looked up only where
 * nothing is found, so that nothing else waits for it.
 */
export async function forwarded<Result>(db: Db, id: string, run: (id: string) => Promise<Result>): Promise<Result> {
  try {
    return await run(id)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
    const merged = await findMerged(db, id)
    if (!merged) throw error
    return run(merged.targetId)
  }
}
