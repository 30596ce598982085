// People of imports, as their source knows them, and placeholders that were taken over; what an external provider said of an account. One file for
// both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "importedPerson" ("scope" ${text} not null, "sourceId" ${text} not null, "accountId" ${text}, "nameKey" ${text} not null,
      "claimedAt" ${text}, primary key ("scope", "sourceId"))`,
    'create index "importedPerson_account" on "importedPerson" ("accountId") where "accountId" is not null',
    'create index "importedPerson_name" on "importedPerson" ("nameKey") where "accountId" is null',
    `create table "importClaim" ("placeholderId" ${text} primary key references "user" ("id") on delete cascade, "scope" ${text} not null,
      "sourceId" ${text} not null, "userId" ${text} not null, "createdAt" ${text} not null)`,
    'create index "importClaim_user" on "importClaim" ("userId")',
    `alter table "externalIdentity" add column "sourceId" ${text}`,
    `alter table "externalIdentity" add column "username" ${text}`,
    `alter table "externalIdentity" add column "toldAt" ${text}`,
  ]) {
    await sql.raw(statement).execute(db)
  }
}
