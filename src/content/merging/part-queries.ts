// What a merge moved to its target: a row each, so that the merge can be undone.
import { keysOf } from '../../contract/records.ts'
import { among, countChanged, recordsIn } from '../../database/engine.ts'
import type { Db, MergedPartTable, Transaction } from '../../database/schema.ts'

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
    .where('partId', 'in', among(db, JSON.stringify(accounts)))
    .where('kind', '=', kind)
    .where('isAdded', '=', 0)
    .execute()
  if (found.length === 0) return []
  const ids = JSON.stringify([...new Set(found.map(({ mergedId }) => mergedId))])
  const merged = db.selectFrom('mergedThing').select('id').where('id', 'in', among(db, ids))
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
