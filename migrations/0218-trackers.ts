// Two ways with another tracker: links with repositories, which thing here is which one there, whose people they are, and what has to be looked
// at. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "tracker" ("id" ${text} primary key not null, "source" ${text} not null, "name" ${text} not null, "nameKey" ${text} not null,
      "boardId" ${text}, "publish" integer not null, "token" ${text} not null, "secret" ${text} not null, "ownId" ${text} not null, "ownLogin" ${text} not null,
      "state" ${text} not null, "since" ${text} not null, "polledAt" ${text} not null, "etag" ${text} not null, "restUntil" ${text} not null,
      "error" ${text}, "errorAt" ${text}, "createdBy" ${text}, "createdAt" ${text} not null, unique ("source", "nameKey"))`,
    `create table "trackerPair" ("trackerId" ${text} not null references "tracker" ("id") on delete cascade, "thingId" ${text} not null,
      "type" ${text} not null, "onId" ${text}, "sourceId" ${text}, "number" integer, "common" ${text} not null, "triedAt" ${text},
      "lookedAt" ${text} not null, primary key ("trackerId", "thingId"))`,
    'create unique index "trackerPair_source" on "trackerPair" ("trackerId", "type", "sourceId") where "sourceId" is not null',
    'create index "trackerPair_on" on "trackerPair" ("trackerId", "onId") where "onId" is not null',
    'create index "trackerPair_thing" on "trackerPair" ("thingId")',
    `create index "trackerPair_looked" on "trackerPair" ("trackerId", "type", "lookedAt")`,
    `create table "trackerPerson" ("trackerId" ${text} not null references "tracker" ("id") on delete cascade, "personId" ${text} not null,
      "login" ${text} not null, "ownAccountId" ${text}, "linkedAccountId" ${text}, primary key ("trackerId", "personId"))`,
    'create index "trackerPerson_own" on "trackerPerson" ("ownAccountId") where "ownAccountId" is not null',
    'create index "trackerPerson_linked" on "trackerPerson" ("linkedAccountId") where "linkedAccountId" is not null',
    `create table "trackerWork" ("trackerId" ${text} not null references "tracker" ("id") on delete cascade, "key" ${text} not null,
      "told" ${text} not null, "times" integer not null, "attempts" integer not null, "dueAt" ${text} not null, "createdAt" ${text} not null,
      primary key ("trackerId", "key"))`,
    'create index "trackerWork_due" on "trackerWork" ("trackerId", "dueAt")',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
