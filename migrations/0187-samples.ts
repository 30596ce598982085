// The sample data of a new instance, which an admin removes in one go. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const statements = [
    `create table "sample" ("thingId" ${text} primary key, "type" ${text} not null, "fingerprint" ${text} not null)`,
    ...(isPostgres
      ? [
          'create trigger "changed" after insert or update or delete or truncate on "sample" for each statement execute function "notify_change"()',
        ]
      : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
