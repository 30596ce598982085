// Personal access tokens: a row beneath a grant for each, so that all that ends a grant ends the token. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  await run(`create table "personalToken" (
    id ${text} primary key references "grant" (id) on delete cascade,
    hash ${text} not null unique,
    "userId" ${text} not null,
    name ${text} not null,
    scope ${text} not null,
    "createdAt" ${text} not null,
    "lastUsedAt" ${text},
    "expiresAt" ${text} not null
  )`)
  await run('create index "personalToken_user" on "personalToken" ("userId", id)')
  if (!postgres) return
  // Only found rows are cached, so a new row changes nothing.
  await run(`create trigger "changed" after update or delete or truncate on "personalToken"
    for each statement execute function "notify_change"()`)
}
