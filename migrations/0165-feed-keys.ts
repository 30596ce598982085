// Keys of feeds: one of an account at most, as a keyed hash. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = `${isPostgres ? 'text collate "C"' : 'text'} not null`
  const statements = [
    `create table "feedKey" ("userId" ${text} primary key references "user" ("id") on delete cascade,
      "hash" ${text} unique, "createdAt" ${text})${isPostgres ? '' : ' without rowid'}`,
    ...(isPostgres
      ? [
          `create trigger "changed" after insert or update or delete or truncate on "feedKey" for each statement execute function "notify_change"()`,
        ]
      : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
