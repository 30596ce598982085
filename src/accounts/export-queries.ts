// Exports as they are stored.
import { countChanged } from '../database/engine.ts'
import { deleteUntil } from '../database/expiry.ts'
import { type Bind, prepared } from '../database/prepared.ts'
import { inTransaction } from '../database/rows.ts'
import type { DataExportTable, Db, Transaction } from '../database/schema.ts'

/** Newest first. */
export function listExports(db: Db, userId: string): Promise<DataExportTable[]> {
  return db.selectFrom('dataExport').selectAll().where('userId', '=', userId).orderBy('id', 'desc').execute()
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

/** False when it does not wait any more. */
export async function updateFailed(
  db: Db,
  id: string,
  failed: Pick<DataExportTable, 'failedAt' | 'expiresAt'>,
): Promise<boolean> {
  const update = db.updateTable('dataExport').set(failed).where('id', '=', id)
  return (await countChanged(update.where('readyAt', 'is', null).where('failedAt', 'is', null))) > 0
}

/** Lets one that was given up wait again. */
export async function updateRetried(db: Transaction, id: string): Promise<void> {
  const update = db.updateTable('dataExport').set({ failedAt: null, expiresAt: null }).where('id', '=', id)
  await update.where('failedAt', 'is not', null).execute()
}

/** False when it was removed, or another process was faster. */
export async function updateReady(
  db: Transaction,
  id: string,
  ready: Pick<DataExportTable, 'readyAt' | 'expiresAt' | 'sha256' | 'size' | 'files'>,
): Promise<boolean> {
  const update = db.updateTable('dataExport').set(ready).where('id', '=', id).where('readyAt', 'is', null)
  return (await countChanged(update)) > 0
}

/** Whether an export is this artifact. */
export async function isExportUsed(db: Db, sha256: string): Promise<boolean> {
  return (await db.selectFrom('dataExport').select('id').where('sha256', '=', sha256).limit(1).execute()).length > 0
}

/** Removes exports whose time is over; the sweep takes their archives. */
export const deleteExpiredExports = (db: Db, now: string): Promise<void> =>
  deleteUntil(db, { table: 'dataExport', key: 'id', since: 'expiresAt' }, now)
