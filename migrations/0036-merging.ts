// What was merged into another thing, with its own text. Its votes, comments and followers go over in the background: a row that is not
// done has some left. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  await run(`create table "mergedThing" ("id" ${text} not null primary key, "type" ${text} not null,
    "number" integer not null unique, "targetId" ${text} not null, "title" ${text} not null, "text" ${text} not null,
    "authorId" ${text} not null, "createdAt" ${text} not null, "editedAt" ${text}, "status" ${text},
    "revisionCount" integer not null, "statusChangeCount" integer not null, "labels" ${text} not null,
    "mergedBy" ${text} not null, "mergedAt" ${text} not null, "reason" ${text}, "doneAt" ${text})`)
  await run(`create index "mergedThing_target" on "mergedThing" ("targetId", "mergedAt", "id")`)
  await run(`create index "mergedThing_pending" on "mergedThing" ("mergedAt", "id") where "doneAt" is null`)
  for (const table of ['bug', 'feature', 'post']) {
    await run(`alter table "${table}" add column "mergedCount" integer not null default 0`)
  }
  if (!postgres) return
  await run(`create trigger "changed" after insert or update or delete or truncate on "mergedThing"
    for each statement execute function "notify_change"()`)
}
