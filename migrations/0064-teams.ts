// Teams own items: who belongs to them, and invitations to a team or for the owners of one. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  await run(`create table "team" ("id" ${text} not null primary key, "slug" ${text} not null unique,
    "name" ${text} not null, "description" ${text} not null, "hidden" integer not null default 0,
    "createdAt" ${text} not null, "updatedAt" ${text} not null)`)
  await run(`create table "teamMember" ("id" ${text} not null primary key,
    "teamId" ${text} not null references "team" ("id") on delete cascade, "accountId" ${text} not null,
    "role" ${text} not null, "since" ${text} not null, unique ("teamId", "accountId"))`)
  await run('create index "teamMember_account" on "teamMember" ("accountId", "id")')
  await run(`create table "teamHandover" ("teamId" ${text} not null, "accountId" ${text} not null,
    primary key ("teamId", "accountId"))${postgres ? '' : ' without rowid'}`)
  await run(`alter table "libraryItem" add column "teamId" ${text}`)
  await run('create index "libraryItem_team" on "libraryItem" ("teamId", "ownerId", "id") where "teamId" is not null')
  await renewInvitations(run, { postgres, text })
  if (!postgres) return
  for (const table of ['team', 'teamMember', 'teamHandover']) {
    await run(`create trigger "changed" after insert or update or delete or truncate on "${table}"
      for each statement execute function "notify_change"()`)
  }
}

/** An invitation is to an item or to a team, and for an account or for the owners of a team. SQLite can only make the table again. */
async function renewInvitations(
  run: (statement: string) => Promise<unknown>,
  { postgres, text }: { postgres: boolean; text: string },
): Promise<void> {
  const team = `"teamId" ${text} references "team" ("id") on delete cascade`
  if (postgres) {
    await run('alter table "invitation" alter column "itemId" drop not null')
    await run('alter table "invitation" alter column "accountId" drop not null')
    await run(`alter table "invitation" add column ${team}`)
  } else {
    const columns = '"id", "itemId", "accountId", "role", "invitedBy", "createdAt", "expiresAt"'
    await run(`create table "invitationNow" ("id" ${text} not null primary key,
      "itemId" ${text} references "libraryItem" ("id") on delete cascade, "accountId" ${text}, "role" ${text} not null,
      "invitedBy" ${text} not null, "createdAt" ${text} not null, "expiresAt" ${text} not null, ${team},
      unique ("itemId", "accountId"))`)
    await run(`insert into "invitationNow" (${columns}) select ${columns} from "invitation"`)
    await run('drop table "invitation"')
    await run('alter table "invitationNow" rename to "invitation"')
    await run('create index "invitation_account" on "invitation" ("accountId", "id")')
    await run('create index "invitation_inviter" on "invitation" ("invitedBy", "id")')
    await run('create index "invitation_age" on "invitation" ("expiresAt")')
  }
  await run('create unique index "invitation_team" on "invitation" ("teamId", "accountId")')
}
