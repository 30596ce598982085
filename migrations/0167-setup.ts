// The set-up of an instance in the browser. Its row is made only in a database that is made now: one from before never shows the set-up. One
// file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

/** All migrations of a new database run in one go. */
const ONE_GO_MILLISECONDS = 600_000

const isPostgres = (db: AnyDb) => db.getExecutor().adapter instanceof PostgresAdapter

/** Which migrations ran, and when. */
const LIST = 'kysely_migration'

export async function up(db: AnyDb): Promise<void> {
  const text = isPostgres(db) ? 'text collate "C"' : 'text'
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run(`create table setup (
    id integer not null primary key,
    "tokenHash" ${text},
    "doneAt" ${text}
  )`)
  if (await isNew(db)) await run('insert into setup (id) values (1)')
}

async function isNew(db: AnyDb): Promise<boolean> {
  const list = isPostgres(db)
    ? sql`select 1 where to_regclass(${LIST}) is not null`
    : sql`select 1 from sqlite_master where name = ${LIST}`
  if ((await list.execute(db)).rows.length === 0) return false
  const { rows: accounts } = await sql`select id from "user" limit 1`.execute(db)
  const { rows } = await sql<{ first: string | null }>`select min(timestamp) as first from ${sql.table(LIST)}`.execute(
    db,
  )
  const first = rows[0]?.first ?? null
  return accounts.length === 0 && (first === null || Date.now() - Date.parse(first) < ONE_GO_MILLISECONDS)
}
