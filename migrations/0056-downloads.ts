// How often versions were downloaded: once for each network and day. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  const item = `"itemId" ${text} not null references "libraryItem" ("id") on delete cascade`
  await run(`create table "itemDownloads" (${item}, "total" integer not null, primary key ("itemId"))`)
  await run(`create table "versionDownloads" (${item}, "version" ${text} not null, "count" integer not null,
    primary key ("itemId", "version"))`)
  await run(`create table "dayDownloads" (${item}, "day" ${text} not null, "count" integer not null,
    primary key ("itemId", "day"))`)
  await run('create index "dayDownloads_day" on "dayDownloads" ("day")')
  await run(
    `create table "countedDownload" ("day" ${text} not null, "key" ${text} not null, primary key ("day", "key"))`,
  )
  if (!postgres) return
  for (const table of ['itemDownloads', 'versionDownloads', 'dayDownloads']) {
    await run(`create trigger "changed" after insert or update or delete or truncate on "${table}"
      for each statement execute function "notify_change"()`)
  }
}
