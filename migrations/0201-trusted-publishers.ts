// The CI identities that may publish an item without a stored secret, and the grants that were made for them. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const notify = (table: string) =>
    `create trigger "changed" after insert or update or delete or truncate on "${table}" for each statement execute function "notify_change"()`
  const statements = [
    `create table "trustedPublisher" ("id" ${text} primary key not null,
      "accountId" ${text} not null references "user" ("id") on delete cascade,
      "itemId" ${text} references "libraryItem" ("id") on delete cascade, "kind" ${text} not null, "slug" ${text} not null,
      "issuer" ${text} not null, "repository" ${text} not null, "workflow" ${text} not null, "ref" ${text}, "environment" ${text},
      "repositoryId" ${text}, "repositoryOwnerId" ${text}, "createdAt" ${text} not null, "lastUsedAt" ${text})`,
    'create index "trustedPublisher_account" on "trustedPublisher" ("accountId")',
    'create index "trustedPublisher_item" on "trustedPublisher" ("itemId")',
    'create index "trustedPublisher_name" on "trustedPublisher" ("kind", "slug")',
    `create table "publishingGrant" ("grantId" ${text} primary key not null references "grant" ("id") on delete cascade,
      "publisherId" ${text} not null references "trustedPublisher" ("id") on delete cascade, "run" ${text} not null)`,
    'create index "publishingGrant_publisher" on "publishingGrant" ("publisherId")',
    ...(isPostgres ? [notify('trustedPublisher'), notify('publishingGrant')] : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
