// How programs with a workload identity are stored. Locks are taken in one order: account, workload, grant.
import type { Selectable } from 'kysely'
import { countChanged, locking } from '../database/engine.ts'
import { inTransaction, plain } from '../database/rows.ts'
import type { Db, Transaction, WorkloadTable } from '../database/schema.ts'

export type Workload = Selectable<WorkloadTable>

const columns = [
  ...['id', 'userId', 'name', 'issuer', 'subject', 'claims', 'scope', 'bounds', 'createdAt', 'lastUsedAt'],
] as const

export const insertWorkload = inTransaction.insertInto('workload')

/** Newest first. */
export function listWorkloads(db: Db, userId: string): Promise<Workload[]> {
  const own = db.selectFrom('workload').select(columns).where('userId', '=', userId)
  return own.orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()
}

const byId = (db: Db, id: string) => db.selectFrom('workload').select(columns).where('id', '=', id)

export const findWorkload = (db: Db, id: string): Promise<Workload | undefined> => byId(db, id).executeTakeFirst()

export const lockWorkload = (db: Transaction, id: string): Promise<Workload | undefined> =>
  locking(db, byId(db, id)).executeTakeFirst()

export async function updateWorkloadUse(db: Transaction, id: string, lastUsedAt: string): Promise<void> {
  await db.updateTable('workload').set({ lastUsedAt }).where('id', '=', id).execute()
}

/** Removes one of an account; false where there is none. */
export async function deleteWorkload(
  db: Transaction,
  { id, userId }: Pick<Workload, 'id' | 'userId'>,
): Promise<boolean> {
  return (await countChanged(db.deleteFrom('workload').where((e) => e.and({ id, userId })))) === 1
}

/** Removes all of an account; gives how many there were. Their grants go with those of the account. */
export const deleteWorkloadsOf = plain.deleteCounted('workload', 'userId')

/** The grants of a client of an account; newest first. */
export function listGrantsOfClient(db: Db, of: { userId: string; clientId: string }) {
  const grants = db
    .selectFrom('grant')
    .select(['id', 'expiresAt'])
    .where((e) => e.and(of))
  return grants.orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()
}
