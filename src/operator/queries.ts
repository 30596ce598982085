// What commands read of a database.
import { sql } from 'kysely'
import { engineOf } from '../database/engine.ts'
import type { Db } from '../database/schema.ts'

/** Whether a database is in use. */
export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** The bytes of files that an account stores. */
export async function findStoredBytes(db: Db, accountId: string): Promise<number> {
  const found = await db.selectFrom('storedBytes').select('bytes').where('accountId', '=', accountId).executeTakeFirst()
  return Number(found?.bytes ?? 0)
}

/** Tables of what people made, in the order in which `stats` shows them. */
export const countedTables = [
  ...(['user', 'session', 'grant', 'bug', 'feature', 'post', 'comment', 'vote', 'orgPage', 'libraryItem'] as const),
  ...(['itemVersion', 'notification', 'webhook', 'audit'] as const),
]

/** The number of rows of each of them. */
export async function countRows(db: Db): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of countedTables) {
    const { rows } = await sql<{ count: number | string }>`select count(*) as count from ${sql.table(table)}`.execute(
      db,
    )
    counts[table] = Number(rows[0]?.count ?? 0)
  }
  return counts
}

/** Accounts that were made since a moment, and those that have had an open session since then. */
export async function countRecent(db: Db, since: string): Promise<{ joined: number; active: number }> {
  const { rows } = await sql<{ joined: number | string; active: number | string }>`select
    (select count(*) from "user" where "createdAt" >= ${since}) as joined,
    (select count(distinct "userId") from session where "seenAt" >= ${since}) as active`.execute(db)
  return { joined: Number(rows[0]?.joined ?? 0), active: Number(rows[0]?.active ?? 0) }
}

/** Bytes of the files that accounts store. */
export async function sumStoredBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number | string | null }>`select sum(bytes) as bytes from "storedBytes"`.execute(
    db,
  )
  return Number(rows[0]?.bytes ?? 0)
}

/** The size of the database in bytes. */
export async function findDatabaseSize(db: Db): Promise<number> {
  const size =
    engineOf(db) === 'postgres'
      ? sql<{ bytes: number | string }>`select pg_database_size(current_database()) as bytes`
      : sql<{ bytes: number | string }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
  const { rows } = await size.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

/** The time of the database server; undefined on SQLite, which has none of its own. */
export async function findDatabaseTime(db: Db): Promise<Date | undefined> {
  if (engineOf(db) !== 'postgres') return undefined
  const { rows } = await sql<{ at: string | Date }>`select clock_timestamp() as at`.execute(db)
  return new Date(rows[0]?.at ?? Number.NaN)
}

/** When the newest act of the audit log was recorded. */
export async function findNewestAct(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('audit').select('at').orderBy('id', 'desc').limit(1).executeTakeFirst())?.at
}
