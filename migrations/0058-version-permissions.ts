// What each version may do, read from its file. Versions before this have no row until they are first asked for. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  await run(`create table "versionPermissions" ("itemId" ${text} not null references "libraryItem" ("id") on delete cascade,
    "version" ${text} not null, "revision" integer not null, "permissions" ${text} not null,
    primary key ("itemId", "version"))`)
  if (!postgres) return
  await run(`create trigger "changed" after insert or update or delete or truncate on "versionPermissions"
    for each statement execute function "notify_change"()`)
}
