// The changelog: what was released, with the bugs and feature requests that it closes. `pending` has those that are not closed yet. And how
// accounts are notified of it. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  await run(`create table "release" ("id" ${text} not null primary key, "number" integer not null, "title" ${text} not null,
    "body" ${text} not null, "version" ${text} not null, "date" ${text} not null, "closes" ${text} not null, "pending" ${text},
    "authorId" ${text} not null, "score" integer not null, "commentCount" integer not null, "createdAt" ${text} not null,
    "editedAt" ${text}, "revisionCount" integer not null default 0, "hidden" integer not null default 0)`)
  for (const within of [[], ['authorId']]) {
    for (const order of [[], ['score']]) {
      const columns = [...within, ...order, 'createdAt', 'id']
      const on = columns.map((column) => `"${column}"`)
      await run(`create index "${['release', ...columns].join('_')}" on "release" (${on}) where "hidden" = 0`)
    }
  }
  await run('create index "release_of_author" on "release" ("authorId", "id")')
  await run('create index "release_pending" on "release" ("id") where "pending" is not null')
  await run(`alter table "inbox" add column "release" ${text}`)
  if (!postgres) return
  await run(`create trigger "changed" after insert or update or delete or truncate on "release"
    for each statement execute function "notify_change"()`)
}
