// Exports as they are stored.
import { countChanged } from '../database/engine.ts'
import { deleteUntil } from '../database/expiry.ts'
import { inTransaction } from '../database/rows.ts'
import type { DataExportTable, Db, Transaction } from '../database/schema.ts'

/** Newest first. */
export function listExports(db: Db, userId: string): Promise<DataExportTable[]> {
  return db.selectFrom('dataExport').selectAll().where('userId', '=', userId).orderBy('id', 'desc').execute()
}

export const insertExport = inTransaction.insertInto('dataExport')

/** One that waits and that no process works on. */
export function findWaiting(db: Db, { now, latest }: { now: string; latest: string }) {
  return db
    .selectFrom('dataExport')
    .innerJoin('user', 'user.id', 'dataExport.userId')
    .select(['dataExport.id', 'dataExport.userId', 'dataExport.attempts', 'dataExport.leasedUntil', 'user.email'])
    .where('readyAt', 'is', null)
    .where('failedAt', 'is', null)
    .where((row) => row.or([row('leasedUntil', '<=', now), row('leasedUntil', '>', latest)]))
    .orderBy('dataExport.id')
    .limit(1)
    .executeTakeFirst()
}

type Leased = Pick<DataExportTable, 'id' | 'leasedUntil'>

/** Takes or renews a lease; false when another process has it by now. */
export async function updateLease(
  db: Db,
  { id, leasedUntil }: Leased,
  changes: Partial<Pick<DataExportTable, 'leasedUntil' | 'attempts' | 'failedAt' | 'expiresAt'>>,
): Promise<boolean> {
  const update = db.updateTable('dataExport').set(changes).where('id', '=', id).where('leasedUntil', '=', leasedUntil)
  return (await countChanged(update.where('readyAt', 'is', null))) > 0
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
