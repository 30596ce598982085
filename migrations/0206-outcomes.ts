// What accounts report of versions: whether they worked, and the figures that are made of that. Which account downloaded which version is a
// keyed hash. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? 'text collate "C"' : 'text'
  const version = `"itemId" ${text} not null, "number" integer not null`
  const ofVersion = 'foreign key ("itemId", "number") references "itemVersion" ("itemId", "number") on delete cascade'
  for (const statement of [
    `create table "versionDownloader" ("key" ${text} primary key, "day" ${text} not null)${postgres ? '' : ' without rowid'}`,
    'create index "versionDownloader_day" on "versionDownloader" ("day")',
    `create table "outcome" ("id" ${text} primary key, ${version}, "day" ${text} not null, "accountId" ${text} not null,
      "outcome" ${text} not null, "error" ${text}, "os" ${text}, "arch" ${text}, "client" ${text}, "clientVersion" ${text},
      "text" ${text}, "network" ${text} not null, "weight" integer not null, "hidden" integer not null default 0, ${ofVersion})`,
    'create index "outcome_newest" on "outcome" ("itemId", "number", "day", "id")',
    'create index "outcome_account" on "outcome" ("accountId", "id")',
    'create index "outcome_day" on "outcome" ("day", "id")',
    `create index "outcome_text" on "outcome" ("itemId", "day", "id") where "text" is not null and "hidden" = 0`,
    `create table "versionOutcomes" (${version}, "worked" integer not null, "failed" integer not null,
      "accounts" integer not null, "weight" integer not null, "rate" integer not null, "lower" integer not null,
      "errors" ${text} not null, primary key ("itemId", "number"), ${ofVersion})`,
    `create table "staleOutcomes" (${version}, "since" ${text} not null, primary key ("itemId", "number"), ${ofVersion})`,
    'create index "staleOutcomes_waiting" on "staleOutcomes" ("since", "itemId", "number")',
    ...(postgres
      ? [
          'create trigger "changed" after insert or update or delete or truncate on "versionOutcomes" for each statement execute function "notify_change"()',
        ]
      : []),
  ]) {
    await sql.raw(statement).execute(db)
  }
}
