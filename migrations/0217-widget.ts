// The widget on other sites: keys of the sites, and the accounts of their people. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "widgetKey" ("id" ${text} primary key, "site" ${text} not null, "secret" ${text} not null,
      "createdAt" ${text} not null, "lastUsedAt" ${text})`,
    'create index "widgetKey_site" on "widgetKey" ("site")',
    `create table "widgetIdentity" ("site" ${text} not null, "subject" ${text} not null,
      "userId" ${text} not null unique references "user" ("id") on delete cascade, "createdAt" ${text} not null,
      primary key ("site", "subject"))`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}
