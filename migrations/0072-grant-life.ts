// The life of a grant: when it got tokens and from where, and which of its scopes are used. Rows of a grant that ended stay for a while,
// so that its account can see why. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run(`create table "grantEvent" (
    "id" ${text} primary key,
    "grantId" ${text} not null,
    "userId" ${text} not null references "user" ("id") on delete cascade,
    "clientId" ${text} not null,
    "kind" ${text} not null,
    "network" ${text} not null,
    "device" ${text},
    "createdAt" ${text} not null
  )`)
  await run('create index "grantEvent_grant" on "grantEvent" ("grantId", "id")')
  await run('create index "grantEvent_user" on "grantEvent" ("userId", "kind", "id")')
  await run('create index "grantEvent_age" on "grantEvent" ("createdAt")')
  await run(`create table "grantScopeUse" (
    "grantId" ${text} not null references "grant" ("id") on delete cascade,
    "scope" ${text} not null,
    "usedAt" ${text} not null,
    primary key ("grantId", "scope")
  )`)
}
