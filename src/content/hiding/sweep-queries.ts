// Stored sweeps over everything of an account.
import { type SelectQueryBuilder, sql } from 'kysely'
import { locksRows } from '../../database/engine.ts'
import { prepared } from '../../database/prepared.ts'
import type { AccountSweepTable, Database, Db, Transaction } from '../../database/schema.ts'

const columns = ['userId', 'bit', 'isOn', 'place', 'done', 'total'] as const
export type StoredSweep = Pick<AccountSweepTable, (typeof columns)[number]>

export async function upsertSweep(
  db: Transaction,
  { isOn, startedAt, ...key }: Pick<AccountSweepTable, 'userId' | 'bit' | 'isOn' | 'startedAt'>,
): Promise<void> {
  const start = { isOn, startedAt, place: '', done: 0, total: null, doneAt: null }
  await db
    .insertInto('accountSweep')
    .values({ ...key, ...start })
    .onConflict((conflict) => conflict.columns(['userId', 'bit']).doUpdateSet(start))
    .execute()
}

/** Lets what was hidden with everything of an account be deleted for good, where that was done before this moment. */
export async function startPurges(db: Db, { bit, before, now }: { bit: number; before: string; now: string }) {
  await db
    .updateTable('accountSweep')
    .set({ isOn: 2, place: '', done: 0, total: null, startedAt: now, doneAt: null })
    .where('bit', '=', bit)
    .where('isOn', '=', 1)
    .where('doneAt', 'is not', null)
    .where('startedAt', '<', before)
    .execute()
}

const oldest = prepared((db) =>
  db
    .selectFrom('accountSweep')
    .select('startedAt as since')
    .where('doneAt', 'is', null)
    .orderBy('startedAt')
    .orderBy('userId')
    .limit(1),
)

/** Since when the oldest one waits; undefined where none does. */
export const findOldest = async (db: Db) => (await oldest(db, {})).rows[0]

type Rows = SelectQueryBuilder<Database, 'accountSweep', StoredSweep>
const taking = (db: Db, query: Rows): Rows => (locksRows(db) ? query.forUpdate().skipLocked() : query)

/** The oldest one that waits and that no other process works on, locked until the transaction ends. */
export const takeSweep = (db: Transaction): Promise<StoredSweep | undefined> =>
  taking(
    db,
    db
      .selectFrom('accountSweep')
      .select(columns)
      .where('doneAt', 'is', null)
      .orderBy('startedAt')
      .orderBy('userId')
      .limit(1),
  ).executeTakeFirst()

export async function updateSweep(
  db: Transaction,
  { userId, bit }: Pick<StoredSweep, 'userId' | 'bit'>,
  changes: Pick<AccountSweepTable, 'place' | 'done' | 'total' | 'doneAt'>,
): Promise<void> {
  await db.updateTable('accountSweep').set(changes).where('userId', '=', userId).where('bit', '=', bit).execute()
}

/** How many things an account made, hidden or not. */
export async function countThings(db: Db, userId: string): Promise<number> {
  const tables = ['bug', 'feature', 'post', 'release', 'orgUpload', 'orgRun', 'comment', 'mergedThing'].map(
    (table) => sql`(select count(*) from ${sql.table(table)} where "authorId" = ${userId})`,
  )
  const items = sql`(select count(*) from "libraryItem" where "ownerId" = ${userId} and gallery = 0)`
  const { rows } = await sql<{ count: number }>`select ${sql.join([...tables, items], sql` + `)} as count`.execute(db)
  return Number(rows[0]?.count ?? 0)
}
