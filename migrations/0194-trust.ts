// How far each account is trusted, and when that was weighed. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    'alter table "user" add column "trust" integer not null default 0',
    `alter table "user" add column "trustAt" ${text} not null default ''`,
    'create index "user_trustAt" on "user" ("trustAt", id)',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
