// Items have several owners and maintainers, who join by invitations; an item can go to another owner. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  await run(`create table "membership" ("itemId" ${text} not null
    references "libraryItem" ("id") on delete cascade, "accountId" ${text} not null, "role" ${text} not null,
    "since" ${text} not null, primary key ("itemId", "accountId"))${postgres ? '' : ' without rowid'}`)
  await run('create index "membership_account" on "membership" ("accountId", "itemId")')
  await run(`create table "invitation" ("id" ${text} not null primary key,
    "itemId" ${text} not null references "libraryItem" ("id") on delete cascade,
    "accountId" ${text} not null, "role" ${text} not null, "invitedBy" ${text} not null, "createdAt" ${text} not null,
    "expiresAt" ${text} not null, unique ("itemId", "accountId"))`)
  await run('create index "invitation_account" on "invitation" ("accountId", "id")')
  await run('create index "invitation_inviter" on "invitation" ("invitedBy", "id")')
  await run('create index "invitation_age" on "invitation" ("expiresAt")')
  await run(`alter table "libraryItem" add column "heldSince" ${text}`)
  await run(`alter table "inbox" add column "invitation" ${text}`)
  if (!postgres) return
  for (const table of ['membership', 'invitation']) {
    await run(`create trigger "changed" after insert or update or delete or truncate on "${table}"
      for each statement execute function "notify_change"()`)
  }
}
