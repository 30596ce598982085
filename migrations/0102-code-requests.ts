// Codes know the browser that asked for them, and count the tries of others apart. Accounts know the networks from which they signed in.
// One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  await run(`alter table "emailCode" add column "requestHash" ${text}`)
  await run(`alter table "emailCode" add column "othersTries" ${text}`)
  await run(
    `create table "knownNetwork" (
      "networkHash" ${text} not null,
      "userId" ${text} not null references "user" (id) on delete cascade,
      "seenAt" ${text} not null,
      primary key ("networkHash", "userId")
    )`,
  )
  await run('create index "knownNetwork_user" on "knownNetwork" ("userId", "seenAt")')
  await run('create index "knownNetwork_seen" on "knownNetwork" ("seenAt")')
}
