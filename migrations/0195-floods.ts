// Reports of agents that are to be compared with older ones, and an index of merges by the server. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C" not null' : 'text not null'
  for (const statement of [
    `create table "floodCheck" ("id" ${text} primary key, "type" ${text}, "createdAt" ${text})${isPostgres ? '' : ' without rowid'}`,
    'create index "floodCheck_waiting" on "floodCheck" ("createdAt", "id")',
    `create index "mergedThing_byServer" on "mergedThing" ("mergedAt", "id") where "mergedBy" = '00000000-0000-7000-8000-000000000001'`,
    ...(isPostgres
      ? [
          'create trigger "changed" after insert or update or delete or truncate on "floodCheck" for each statement execute function "notify_change"()',
        ]
      : []),
  ]) {
    await sql.raw(statement).execute(db)
  }
}
