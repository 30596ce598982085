// Links that invite to an instance, and who used them. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const notify = (table: string) =>
    `create trigger "changed" after insert or update or delete or truncate on "${table}" for each statement execute function "notify_change"()`
  const statements = [
    `create table "invitationLink" ("id" ${text} primary key, "tokenHash" ${text} not null unique, "role" ${text} not null,
      "createdById" ${text} not null references "user" ("id") on delete cascade, "createdAt" ${text} not null, "expiresAt" ${text} not null,
      "maxUses" integer not null, "uses" integer not null, "revokedAt" ${text})`,
    'create index "invitationLink_expiry" on "invitationLink" ("expiresAt")',
    'create index "invitationLink_maker" on "invitationLink" ("createdById")',
    `create table "invitationUse" ("linkId" ${text} not null references "invitationLink" ("id") on delete cascade,
      "userId" ${text} not null references "user" ("id") on delete cascade, "usedAt" ${text} not null, primary key ("linkId", "userId"))`,
    'create index "invitationUse_user" on "invitationUse" ("userId")',
    ...(isPostgres ? [notify('invitationLink'), notify('invitationUse')] : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
