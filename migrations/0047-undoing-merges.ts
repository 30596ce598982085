// Merges can be undone: what was merged keeps its row for a time, and what went over is noted, a row for each vote, follower, comment and
// event. Texts of merged things can be hidden. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  await run(`alter table "mergedThing" add column "directId" ${text}`)
  await run(`alter table "mergedThing" add column "record" ${text}`)
  await run('alter table "mergedThing" add column "hidden" integer not null default 0')
  await run('update "mergedThing" set "directId" = "targetId"')
  await run(`update "mergedThing" set "hidden" = 16
    where "authorId" in (select "id" from "user" where "blockedAt" is not null)`)
  await run('create index "mergedThing_author" on "mergedThing" ("authorId", "id")')
  await run('create index "mergedThing_undoable" on "mergedThing" ("mergedAt", "id") where "record" is not null')
  await run(`create table "mergedPart" ("mergedId" ${text} not null, "kind" ${text} not null, "partId" ${text} not null,
    "isAdded" integer not null, "value" ${text}, primary key ("mergedId", "kind", "partId"))${postgres ? '' : ' without rowid'}`)
  await run('create index "mergedPart_part" on "mergedPart" ("partId", "kind")')
  await run(`create table "mergeUndo" ("id" ${text} not null primary key, "type" ${text} not null,
    "targetId" ${text} not null, "undoneBy" ${text} not null, "reason" ${text}, "startedAt" ${text} not null)`)
  await run('create index "mergeUndo_target" on "mergeUndo" ("targetId")')
  if (!postgres) return
  await run(`create trigger "changed" after insert or update or delete or truncate on "mergeUndo"
    for each statement execute function "notify_change"()`)
}
