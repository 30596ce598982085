// The table of jobs: who works on what, how far it got, and how it failed.
import { sql } from 'kysely'
import type { Db, JobTable, Transaction } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'

/** What was given up, or failed last, so long ago is forgotten. */
const KEPT_SECONDS = 30 * 86_400

/** A job that a process works on: the end of its lease is the proof. */
export type Lease = Pick<JobTable, 'kind' | 'key' | 'leasedUntil'>

const columns = [
  ...['kind', 'key', 'runAt', 'cursor', 'attempts', 'leasedUntil', 'error', 'failedAt', 'doneAt'],
] as const

/** The rows of a kind with these keys. */
export function listJobs(db: Db, kind: string, keys: readonly string[]): Promise<JobTable[]> {
  return db.selectFrom('job').select(columns).where('kind', '=', kind).where('key', 'in', keys).execute()
}

/** The rows of each kind, by their keys: no more than so many of one. */
export async function listOfEachKind(db: Db, limit: number): Promise<JobTable[]> {
  const place = sql<number>`row_number() over (partition by kind order by key)`.as('place')
  const numbered = db
    .selectFrom('job')
    .select([...columns, place])
    .as('numbered')
  return db.selectFrom(numbered).select(columns).where('place', '<=', limit).execute()
}

/** Leases a job that has no row; undefined where another process was faster. */
export function insertLeased(db: Db, lease: Lease, now: string): Promise<JobTable | undefined> {
  return db
    .insertInto('job')
    .values({ ...lease, runAt: now, cursor: '', attempts: 0, error: null, failedAt: null, doneAt: null })
    .onConflict((conflict) => conflict.columns(['kind', 'key']).doNothing())
    .returning(columns)
    .executeTakeFirst()
}

/** Leases a job as it was seen; undefined where another process was faster. */
export function takeSeen(
  db: Db,
  { kind, key, leasedUntil, runAt }: JobTable,
  changes: Pick<JobTable, 'leasedUntil'> & Partial<JobTable>,
): Promise<JobTable | undefined> {
  return db
    .updateTable('job')
    .set(changes)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('leasedUntil', '=', leasedUntil)
    .where('runAt', '=', runAt)
    .where('doneAt', 'is', null)
    .where('failedAt', 'is', null)
    .returning(columns)
    .executeTakeFirst()
}

/** Changes a job that this process has; false where another one has it by now. */
export async function updateLeased(
  db: Db,
  { kind, key, leasedUntil }: Lease,
  changes: Partial<JobTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set(changes)
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('leasedUntil', '=', leasedUntil)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Forgets a job that is done; false where another process has it by now. */
export async function deleteLeased(db: Db, { kind, key, leasedUntil }: Lease): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('job')
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('leasedUntil', '=', leasedUntil)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Lets a job run now as at first; false where it has not failed, or a process works on it. */
export async function updateRetried(
  db: Transaction,
  { kind, key, now }: Pick<JobTable, 'kind' | 'key'> & { now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set({ failedAt: null, attempts: 0, runAt: now })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('leasedUntil', '<=', now)
    .where((row) => row.or([row('failedAt', 'is not', null), row('attempts', '>', 0)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Removes rows of jobs that were given up, or failed last, long ago: what still waits is tried again from the beginning. How far work got that
 * was not given up stays.
 */
export async function deleteOldJobs(db: Db, now: string): Promise<void> {
  const until = after(now, -KEPT_SECONDS)
  await db
    .deleteFrom('job')
    .where('leasedUntil', '<', until)
    .where('doneAt', 'is', null)
    .where(({ and, eb, or }) =>
      or([
        eb('failedAt', '<', until),
        and([eb('failedAt', 'is', null), eb('cursor', '=', ''), eb('runAt', '<', until)]),
      ]),
    )
    .execute()
}
