// What was read from a file is kept for every version instead of the current one alone: README, contents and `meta`. Those of versions
// before this are read from their files when they are first asked for. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  await run(`create table "versionDetails" ("itemId" ${text} not null references "libraryItem" ("id") on delete cascade,
    "version" ${text} not null, "readme" ${text}, "contents" ${text} not null, "meta" ${text},
    primary key ("itemId", "version"))`)
  await run(`insert into "versionDetails" ("itemId", "version", "readme", "contents", "meta")
    select d."itemId", i."version", d."readme", d."contents", d."meta" from "itemDetails" d join "libraryItem" i on i."id" = d."itemId"`)
  await run('drop table "itemDetails"')
  if (!postgres) return
  await run(`create trigger "changed" after insert or update or delete or truncate on "versionDetails"
    for each statement execute function "notify_change"()`)
}
