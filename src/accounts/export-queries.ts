// Exports as they are stored.
import { sql, type UpdateObject } from 'kysely'
import { exportStates, type Transition } from '../contract/states.ts'
import { countChanged } from '../database/engine.ts'
import { deleteUntil } from '../database/expiry.ts'
import { type Bind, prepared } from '../database/prepared.ts'
import { inTransaction } from '../database/rows.ts'
import type { Database, DataExportTable, Db, Transaction } from '../database/schema.ts'
import { mayStep } from '../database/states.ts'

const columns = ['id', 'requestedAt', 'readyAt', 'failedAt', 'expiresAt', 'sha256', 'size', 'files'] as const
export type StoredExport = Pick<DataExportTable, (typeof columns)[number]>

/** Newest first. */
export function listExports(db: Db, userId: string): Promise<StoredExport[]> {
  return db.selectFrom('dataExport').select(columns).where('userId', '=', userId).orderBy('id', 'desc').execute()
}

export const insertExport = inTransaction.insertInto('dataExport')

/** One that waits. */
export function findWaiting(db: Db, id: string) {
  return waiting(db)
    .innerJoin('user', 'user.id', 'dataExport.userId')
    .select(['dataExport.userId', 'user.email'])
    .where('dataExport.id', '=', id)
    .executeTakeFirst()
}

const waiting = (db: Db) => db.selectFrom('dataExport').where('readyAt', 'is', null).where('failedAt', 'is', null)

const some = prepared((db, given: Bind<{ limit: number }>) =>
  waiting(db).select(['id as key', 'requestedAt as since']).orderBy('id').limit(given('limit')),
)

/** Exports that wait, the longest first. */
export const listWaiting = async (db: Db, limit: number) => (await some(db, { limit })).rows

const state = sql`case when "readyAt" is not null then 'ready' when "failedAt" is not null then 'failed' else 'waiting' end`

/** Takes a step with an export; false where it was removed, or is in no state before that. */
export async function stepExport(
  db: Db,
  { id, ...step }: { id: string } & Transition<typeof exportStates>,
  changes: UpdateObject<Database, 'dataExport'>,
): Promise<boolean> {
  const one = db
    .updateTable('dataExport')
    .where('id', '=', id)
    .where(mayStep(exportStates, step, state))
  return (await countChanged(one.set(changes))) > 0
}

/** Removes one that waits; false where it is prepared already. */
export async function deleteWaiting(db: Transaction, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const one = db.deleteFrom('dataExport').where('id', '=', id).where('userId', '=', userId)
  return (await countChanged(one.where('readyAt', 'is', null).where('failedAt', 'is', null))) > 0
}

/** Whether an export is this artifact. */
export async function isExportUsed(db: Db, sha256: string): Promise<boolean> {
  return (await db.selectFrom('dataExport').select('id').where('sha256', '=', sha256).limit(1).execute()).length > 0
}

/** Removes exports whose time is over; the sweep takes their archives. */
export const deleteExpiredExports = (db: Db, now: string): Promise<void> =>
  deleteUntil(db, { table: 'dataExport', key: 'id', since: 'expiresAt' }, now)
