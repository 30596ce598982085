// What a merge moved to its target, a row each, and merges that are being undone.

import { keysOf } from '../../contract/records.ts'
import { among, countChanged, locking, recordsIn } from '../../database/engine.ts'
import { inBatches } from '../../database/expiry.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, MergedPartTable, MergedThingTable, MergeUndoTable, Transaction } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'
import type { ListedSubject } from '../subject.ts'
import { makeFinal } from './queries.ts'
import { UNDO_SECONDS } from './rules.ts'

const undoableColumns = [
  ...['type', 'targetId', 'directId', 'authorId', 'number', 'title', 'hidden', 'doneAt', 'mergedAt', 'record'],
] as const
export type UndoableMerge = Pick<MergedThingTable, (typeof undoableColumns)[number]>

/** Locks the target of a merge, hidden or not, and then the merged thing; undefined if there is none. */
export async function lockMerged(
  db: Transaction,
  { type, lockAny }: { type: string; lockAny(db: Transaction, id: string): Promise<boolean> },
  id: string,
): Promise<UndoableMerge | undefined> {
  const found = db.selectFrom('mergedThing').select(undoableColumns).where('id', '=', id).where('type', '=', type)
  const before = await found.executeTakeFirst()
  if (!before || !(await lockAny(db, before.targetId))) return undefined
  return locking(db, found.where('targetId', '=', before.targetId)).executeTakeFirst()
}

/** Restores to a thing the merges that it had before it was merged itself; returns how many there are. */
export async function retargetBack(
  db: Transaction,
  { id, targetId }: Pick<MergedThingTable, 'id' | 'targetId'>,
): Promise<number> {
  const found = new Set<string>()
  for (let last = [id]; last.length > 0; ) {
    const rows = await db
      .selectFrom('mergedThing')
      .select('id')
      .where('targetId', '=', targetId)
      .where('directId', 'in', last)
      .execute()
    last = rows.map((row) => row.id).filter((one) => one !== id && !found.has(one))
    for (const one of last) found.add(one)
  }
  if (found.size === 0) return 0
  await db
    .updateTable('mergedThing')
    .set({ targetId: id })
    .where('id', 'in', [...found])
    .execute()
  return found.size
}

export const insertUndo = inTransaction.insertInto('mergeUndo')

const pending = prepared((db, given: Bind<{ limit: number }>) =>
  db
    .selectFrom('mergeUndo')
    .select(['id as key', 'startedAt as since'])
    .orderBy('startedAt')
    .orderBy('id')
    .limit(given('limit')),
)

/** Those that are not finished, the longest waiting first. */
export const listPending = async (db: Db, limit: number) => (await pending(db, { limit })).rows

export const findPending = (db: Db, id: string) =>
  db.selectFrom('mergeUndo').select(['id', 'type', 'targetId']).where('id', '=', id).executeTakeFirst()

/** Locks one; undefined where it is done. */
export const lockUndo = (
  db: Transaction,
  { id, targetId }: Pick<MergeUndoTable, 'id' | 'targetId'>,
): Promise<Omit<MergeUndoTable, 'startedAt'> | undefined> =>
  locking(
    db,
    db
      .selectFrom('mergeUndo')
      .select(['id', 'type', 'targetId', 'undoneBy', 'reason'])
      .where('id', '=', id)
      .where('targetId', '=', targetId),
  ).executeTakeFirst()

/** Whether an undoing to or from a thing is not finished. */
export async function isUndoing(db: Db, id: string): Promise<boolean> {
  const rows = db.selectFrom('mergeUndo').select('id')
  return (await rows.where((e) => e.or([e('id', '=', id), e('targetId', '=', id)])).executeTakeFirst()) !== undefined
}

export const deleteUndo = inTransaction.deleteFrom('mergeUndo', 'id')

/** The number and the title of a thing, if there is one that shows. */
export async function findTitle(
  db: Db,
  table: ListedSubject['table'],
  id: string,
): Promise<{ number: number; title: string } | undefined> {
  const things = db.selectFrom(table).select(['number', 'title'])
  const row = await things.where('id', '=', id).where('hidden', '=', 0).executeTakeFirst()
  return row && { ...row, number: Number(row.number) }
}

/** Some merges from before this moment that can still be undone. */
const listOld = (db: Db, before: string, limit: number): Promise<{ id: string }[]> =>
  db
    .selectFrom('mergedThing')
    .select('id')
    .where('record', 'is not', null)
    .where('doneAt', 'is not', null)
    .where('mergedAt', '<', before)
    .orderBy('mergedAt')
    .limit(limit)
    .execute()

/** Deletes what is needed to undo a merge, some rows at a time; returns whether there may be more. */
async function forgetParts(db: Db, id: string, limit: number): Promise<boolean> {
  const some = db.selectFrom('mergedPart').select('partId').where('mergedId', '=', id).limit(limit)
  const rows = db.deleteFrom('mergedPart').where('mergedId', '=', id).where('partId', 'in', some)
  if ((await countChanged(rows)) >= limit) return true
  await makeFinal(db, id)
  return false
}

export type Part = Omit<MergedPartTable, 'mergedId' | 'kind'>

type Of = Pick<MergedPartTable, 'mergedId' | 'kind'>

const columns = {
  mergedId: 'text',
  kind: 'text',
  partId: 'text',
  isAdded: 'integer',
  value: 'text',
} as const

/** Stores what a merge moved. */
export async function insertParts(db: Transaction, of: Of, parts: readonly Part[]): Promise<void> {
  if (parts.length === 0) return
  const rows = parts.map((part) => ({ ...of, ...part }))
  const names = keysOf(columns)
  await db
    .insertInto('mergedPart')
    .columns(names)
    .expression(db.selectFrom(recordsIn<MergedPartTable>(db, JSON.stringify(rows), columns)).select(names))
    .execute()
}

/** Deletes and returns some of what a merge moved; the caller holds the lock of the undoing. Deletes a range of the index. */
export async function takeParts(db: Transaction, { mergedId, kind }: Of, limit: number): Promise<Part[]> {
  const parts = await db
    .selectFrom('mergedPart')
    .select(['partId', 'isAdded', 'value'])
    .where('mergedId', '=', mergedId)
    .where('kind', '=', kind)
    .orderBy('partId')
    .limit(limit)
    .execute()
  const last = parts.at(-1)
  if (!last) return []
  const taken = db.deleteFrom('mergedPart').where('mergedId', '=', mergedId).where('kind', '=', kind)
  await taken.where('partId', '<=', last.partId).execute()
  return parts
}

/**
 * Of accounts that take their vote or follow along from a target: those that another merged thing brought there and that were not added,
 * because there was one already. They are added now: one of each account.
 */
export async function takeWaiting(
  db: Transaction,
  { targetId, kind, accounts }: { targetId: string; kind: 'vote' | 'follow'; accounts: readonly string[] },
): Promise<Part[]> {
  if (accounts.length === 0) return []
  const found = await db
    .selectFrom('mergedPart')
    .select(['mergedId', 'partId', 'value'])
    .where('partId', ...among(db, JSON.stringify(accounts)))
    .where('kind', '=', kind)
    .where('isAdded', '=', 0)
    .execute()
  if (found.length === 0) return []
  const ids = JSON.stringify([...new Set(found.map(({ mergedId }) => mergedId))])
  const merged = db
    .selectFrom('mergedThing')
    .select('id')
    .where('id', ...among(db, ids))
  const inOrder = (await merged.where('targetId', '=', targetId).orderBy('mergedAt').execute()).map(({ id }) => id)
  const waiting = inOrder.flatMap((id) => found.filter(({ mergedId }) => mergedId === id))
  const first = [...new Map(waiting.toReversed().map((part) => [part.partId, part])).values()]
  for (const { mergedId, partId } of first) {
    const one = db.updateTable('mergedPart').set({ isAdded: 1, value: null }).where('mergedId', '=', mergedId)
    await one.where('kind', '=', kind).where('partId', '=', partId).execute()
  }
  return first.map(({ partId, value }) => ({ partId, value, isAdded: 1 }))
}

/** Deletes some stored votes and follows of an account; returns how many. */
export async function deletePartsOf(db: Db, userId: string, limit: number): Promise<number> {
  const some = db.selectFrom('mergedPart').select('mergedId').where('partId', '=', userId).limit(limit)
  const rows = db.deleteFrom('mergedPart').where('partId', '=', userId).where('mergedId', 'in', some)
  return countChanged(rows)
}

/** Removes what is kept to undo merges, after 30 days. */
export async function forgetOldMerges(db: Db, now: string): Promise<void> {
  const before = after(now, -UNDO_SECONDS)
  await inBatches(async (limit) => {
    const [oldest] = await listOld(db, before, 1)
    if (!oldest) return 0
    await forgetParts(db, oldest.id, limit)
    return limit
  })
}
