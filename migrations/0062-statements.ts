// What is signed about each version, the keys of those who publish, and how far the log has taken in what was public before there was
// one. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  await run(`create table "versionStatement" ("itemId" ${text} not null references "libraryItem" ("id") on delete cascade,
    "version" ${text} not null, "payload" ${text} not null, "publisherId" ${text}, "keyId" ${text}, "signature" ${text},
    "isLogged" integer not null default 0, primary key ("itemId", "version"))`)
  await run('create index "versionStatement_publisher" on "versionStatement" ("publisherId")')
  await run(`create table "publisherKey" ("id" ${text} not null primary key, "accountId" ${text} not null,
    "name" ${text} not null, "publicKey" ${text} not null, "createdAt" ${text} not null, "revokedAt" ${text})`)
  await run('create index "publisherKey_account" on "publisherKey" ("accountId", "createdAt")')
  await run('create unique index "publisherKey_key" on "publisherKey" ("accountId", "publicKey")')
  await run(`create table "logFilling" ("id" integer not null primary key, "after" ${text} not null, "doneAt" ${text})`)
  await run(`insert into "logFilling" ("id", "after") values (1, '')`)
  if (!postgres) return
  for (const table of ['versionStatement', 'publisherKey']) {
    await run(`create trigger "changed" after insert or update or delete or truncate on "${table}"
      for each statement execute function "notify_change"()`)
  }
}
