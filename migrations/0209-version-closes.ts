// What the publication of a version has still to close. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "versionCloses" ("id" ${text} primary key, "itemId" ${text} not null, "number" integer not null,
      "accountId" ${text} not null, "pending" ${text} not null,
      foreign key ("itemId", "number") references "itemVersion" ("itemId", "number") on delete cascade)`,
    'create index "versionCloses_version" on "versionCloses" ("itemId", "number")',
    'create index "versionCloses_account" on "versionCloses" ("accountId", "id")',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
