// Texts that wait to be shown to a classifier, and what it said of a thing that it had held. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "classifierCheck" ("id" ${text} not null primary key, "type" ${text} not null, "viaClientId" ${text},
      "createdAt" ${text} not null, "givenUpAt" ${text})${isPostgres ? '' : ' without rowid'}`,
    'create index "classifierCheck_waiting" on "classifierCheck" ("createdAt", "id") where "givenUpAt" is null',
    'create index "classifierCheck_givenUp" on "classifierCheck" ("givenUpAt") where "givenUpAt" is not null',
    `alter table "moderationCase" add column "machineVerdict" ${text}`,
    `alter table "moderationCase" add column "machineReason" ${text}`,
    'alter table "moderationCase" add column "machinePercent" integer',
    ...(isPostgres
      ? [
          'create trigger "changed" after insert or update or delete or truncate on "classifierCheck" for each statement execute function "notify_change"()',
        ]
      : []),
  ]) {
    await sql.raw(statement).execute(db)
  }
}
