// How far names in files from before they were stored are taken in. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  await run(`create table "useFilling" ("id" integer not null primary key, "after" ${text} not null, "doneAt" ${text})`)
  await run(`insert into "useFilling" ("id", "after") values (1, '')`)
}
