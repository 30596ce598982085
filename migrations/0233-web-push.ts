// Browsers to which notifications are pushed (RFC 8030), what waits for them, and the key of the server (RFC 8292). One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "pushKey" ("sealedBy" ${text} primary key not null, "publicKey" ${text} not null, "sealed" ${text} not null,
      "createdAt" ${text} not null)`,
    `create table "pushSubscription" ("id" ${text} primary key not null, "userId" ${text} not null references "user" ("id") on delete cascade,
      "sessionId" ${text} not null, "endpointHash" ${text} not null unique, "sealed" ${text} not null, "device" ${text},
      "createdAt" ${text} not null, "deliveredAt" ${text}, "failures" integer not null, "failingSince" ${text}, "pausedUntil" ${text} not null)`,
    'create index "pushSubscription_userId" on "pushSubscription" ("userId", "id")',
    'create index "pushSubscription_sessionId" on "pushSubscription" ("sessionId")',
    `create table "pushMessage" ("subscriptionId" ${text} not null references "pushSubscription" ("id") on delete cascade,
      "eventId" ${text} not null, "createdAt" ${text} not null, primary key ("subscriptionId", "eventId"))`,
    'create index "pushMessage_createdAt" on "pushMessage" ("createdAt")',
    'alter table "inbox" add column "pushMentions" integer',
    'alter table "inbox" add column "pushApprovals" integer',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
