// Imports and the records that wait to be written, as they are stored.
import { markImagesGone } from '../../content/text-images/queries.ts'
import { titlesIn } from '../../content/title-queries.ts'
import { importStates } from '../../contract/states.ts'
import { countChanged, locking } from '../../database/engine.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, ImportTable, Transaction } from '../../database/schema.ts'
import { mayStep } from '../../database/states.ts'
import { voteId } from '../../database/vote-ids.ts'
import { parseJson } from '../../runtime/untyped.ts'

const columns = [
  ...(['id', 'source', 'name', 'state', 'cursor', 'options', 'report', 'done', 'total', 'firstNumber'] as const),
  ...(['createdBy', 'createdAt', 'endedAt', 'error'] as const),
]
export type StoredImport = Pick<ImportTable, (typeof columns)[number]>

export interface ImportOptions {
  /** Who has proven the address of a person of the source is that person. */
  match: boolean
  /** Things keep their numbers, of which this is the highest. */
  keepsNumbers: boolean
  highestNumber: number
}

export const insertImport = inTransaction.insertInto('import')

export const updateImport = inTransaction.updateTable('import', 'id')

/** Removes imports with their records and the pictures that came with these. */
export async function forgetImports(db: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await markImagesGone(db, ids)
  await db.deleteFrom('import').where('id', 'in', ids).execute()
}

export const findImport = (db: Db, id: string): Promise<StoredImport | undefined> =>
  db.selectFrom('import').select(columns).where('id', '=', id).executeTakeFirst()

/** The same, locked until the transaction ends. */
export const lockImport = (db: Transaction, id: string): Promise<StoredImport | undefined> =>
  locking(db, db.selectFrom('import').select(columns).where('id', '=', id)).executeTakeFirst()

/** The newest first. */
export const listImports = (db: Db, limit: number): Promise<StoredImport[]> =>
  db.selectFrom('import').select(columns).orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute()

/** The imports that go on by themselves. */
export const listGoing = (
  db: Db,
  state: 'running' | 'reverting',
  limit: number,
): Promise<{ id: string; createdAt: string }[]> =>
  db
    .selectFrom('import')
    .select(['id', 'createdAt'])
    .where('state', '=', state)
    .orderBy('createdAt')
    .limit(limit)
    .execute()

export type ImportState = keyof typeof importStates

/** Makes a step; false where the import is in no state before it. */
export const stepTo = async (
  db: Transaction,
  id: string,
  { to, ...changes }: { to: Exclude<ImportState, 'staged'> } & Partial<Pick<ImportTable, 'endedAt' | 'error'>>,
): Promise<boolean> =>
  (await countChanged(
    db
      .updateTable('import')
      .set({ state: to, ...changes })
      .where('id', '=', id)
      .where(mayStep(importStates, { to })),
  )) === 1

/** Ends an import that cannot go on. */
export const failImport = (db: Transaction, id: string): Promise<boolean> =>
  stepTo(db, id, { to: 'failed', error: 'A batch failed ten times: the log and npm run admin -- jobs say why' })

/** Removes imports with their records that were read until then and not started. */
export const deleteStaged = (db: Db, until: string): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const staged = transaction.selectFrom('import').select('id').where('state', '=', 'staged')
    const rows = await locking(transaction, staged.where('createdAt', '<', until).orderBy('id').limit(MOST)).execute()
    await forgetImports(
      transaction,
      rows.map(({ id }) => id),
    )
  })

/** Imports that are forgotten at once. */
const MOST = 100

/** Stores records unless they are there; gives how many were not. */
export async function insertRecords(
  db: Transaction,
  importId: string,
  records: readonly { sortKey: string; body: string }[],
): Promise<number> {
  const rows = records.map((record) => ({ importId, ...record }))
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('importRecord')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['importId', 'sortKey']).doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows)
}

/** The next records of one kind, in their order. */
export const listRecords = (
  db: Db,
  { importId, after, rank, limit }: { importId: string; after: string; rank: string; limit: number },
): Promise<{ sortKey: string; body: string }[]> =>
  db
    .selectFrom('importRecord')
    .select(['sortKey', 'body'])
    .where('importId', '=', importId)
    .where('sortKey', '>', after === '' ? `${rank} ` : after)
    .where('sortKey', '<', `${rank}!`)
    .orderBy('sortKey')
    .limit(limit)
    .execute()

/** One record by its key. */
export const findRecord = async (db: Db, importId: string, sortKey: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('importRecord')
      .select('body')
      .where((e) => e.and({ importId, sortKey }))
      .executeTakeFirst()
  )?.body

/** Removes some records of an import; gives how many there were. */
export async function deleteRecords(db: Transaction, importId: string, limit: number): Promise<number> {
  const some = db.selectFrom('importRecord').select('sortKey').where('importId', '=', importId).limit(limit)
  return countChanged(db.deleteFrom('importRecord').where('importId', '=', importId).where('sortKey', 'in', some))
}

/** Whether nothing is here that has a number. */
export async function isEmpty(db: Db): Promise<boolean> {
  for (const table of ['bug', 'feature', 'post', 'release', 'mergedThing'] as const) {
    if (await db.selectFrom(table).select('id').limit(1).executeTakeFirst()) return false
  }
  return true
}

/** The last number that other imports have set apart and may not have used yet; 0 for none. */
export async function lastSetApart(db: Db, importId: string): Promise<number> {
  const others = await db
    .selectFrom('import')
    .select(['firstNumber', 'total', 'options'])
    .where('id', '!=', importId)
    .where('state', 'in', ['running', 'paused', 'failed'])
    .where('firstNumber', 'is not', null)
    .execute()
  const ends = others.map(({ firstNumber, total, options }) => {
    const { keepsNumbers, highestNumber } = parseJson<ImportOptions>(options)
    return keepsNumbers ? highestNumber : (firstNumber ?? 0) + total - 1
  })
  return Math.max(0, ...ends)
}

/** A thing whose number is at least this one. */
export async function findThingFrom(db: Db, number: number): Promise<boolean> {
  for (const table of ['bug', 'feature', 'post', 'release', 'mergedThing'] as const) {
    const found = await db.selectFrom(table).select('id').where('number', '>=', number).limit(1).executeTakeFirst()
    if (found) return true
  }
  return false
}

/** Whether an account wrote or voted. */
export async function hasWritten(db: Db, userId: string): Promise<boolean> {
  for (const table of ['bug', 'feature', 'post', 'comment', 'mergedThing'] as const) {
    if (await db.selectFrom(table).select('id').where('authorId', '=', userId).limit(1).executeTakeFirst()) return true
  }
  return (
    (await db
      .selectFrom('vote')
      .select('userId')
      .where('userId', '=', voteId(db, userId))
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

/** The things of an import that have an address at its source. */
export const listPlaces = async (
  db: Db,
  importId: string,
): Promise<{ url: string; type: string; thingId: string }[]> => {
  const places = db.selectFrom('imported').select(['url', 'type', 'thingId']).where('importId', '=', importId)
  const rows = await places
    .where('type', 'in', ['bug', 'feature', 'post'])
    .where('url', 'is not', null)
    .orderBy('url')
    .execute()
  return rows.map(({ url, ...row }) => ({ ...row, url: url ?? '' }))
}

/** Forgets which imports an account read; gives how many there were. */
export const clearImportsBy = (db: Db, userId: string, limit: number): Promise<number> => {
  const some = db.selectFrom('import').select('id').where('createdBy', '=', userId).limit(limit)
  return countChanged(db.updateTable('import').set({ createdBy: null }).where('id', 'in', some))
}

export const findImportTitles = titlesIn('import', ['id', 'name'], ({ id, name }) => ({ id, title: name, url: null }))
