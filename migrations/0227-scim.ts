// Accounts and groups that a company provisions by SCIM 2.0, and the tokens for it. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "scimToken" ("id" ${text} primary key, "hash" ${text} not null unique, "name" ${text} not null,
      "createdAt" ${text} not null, "lastUsedAt" ${text})`,
    `create table "scimUser" ("userId" ${text} primary key references "user" ("id") on delete cascade, "externalId" ${text},
      "userName" ${text} not null, "userNameKey" ${text} not null unique, "attributes" ${text} not null, "blockedAt" ${text},
      "isBlockedElse" integer not null, "givenRole" ${text}, "ownRole" ${text}, "givenBoards" ${text} not null,
      "ownBoards" ${text} not null, "createdAt" ${text} not null, "updatedAt" ${text} not null, "deletedAt" ${text})`,
    'create index "scimUser_external" on "scimUser" ("externalId")',
    `create table "scimGroup" ("id" ${text} primary key, "externalId" ${text}, "displayName" ${text} not null,
      "displayNameKey" ${text} not null unique, "gives" ${text} not null, "createdAt" ${text} not null, "updatedAt" ${text} not null)`,
    'create index "scimGroup_external" on "scimGroup" ("externalId")',
    `create table "scimMember" ("groupId" ${text} not null references "scimGroup" ("id") on delete cascade,
      "userId" ${text} not null references "scimUser" ("userId") on delete cascade, primary key ("groupId", "userId"))`,
    'create index "scimMember_user" on "scimMember" ("userId")',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
