// Webhooks with their deliveries, and events that only the owner of an item may know of. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const statement of statements(postgres ? 'text collate "C"' : 'text')) await sql.raw(statement).execute(db)
}

const statements = (text: string) => [
  'alter table "event" add column "hidden" integer not null default 0',
  `create table "webhook" ("id" ${text} not null primary key,
    "ownerId" ${text} not null references "user" ("id") on delete cascade,
    "itemId" ${text} references "libraryItem" ("id") on delete cascade, "url" ${text} not null,
    "description" ${text} not null, "events" ${text} not null, "secret" ${text} not null, "previousSecret" ${text},
    "previousSecretUntil" ${text}, "createdAt" ${text} not null, "updatedAt" ${text} not null, "disabledAt" ${text},
    "disabledReason" ${text}, "failingSince" ${text}, "failures" integer not null default 0, "dueAt" ${text},
    "pausedUntil" ${text} not null default '', "leaseEndsAt" ${text} not null default '')`,
  'create index "webhook_owner" on "webhook" ("ownerId")',
  'create index "webhook_item" on "webhook" ("itemId")',
  'create index "webhook_due" on "webhook" ("dueAt") where "dueAt" is not null',
  `create table "webhookDelivery" ("id" ${text} not null primary key,
    "webhookId" ${text} not null references "webhook" ("id") on delete cascade, "event" ${text} not null,
    "targetType" ${text}, "targetId" ${text}, "commentId" ${text}, "actorId" ${text}, "hidden" integer not null,
    "payload" ${text} not null, "state" ${text} not null, "createdAt" ${text} not null, "firstAttemptAt" ${text},
    "attempts" integer not null default 0, "nextAttemptAt" ${text}, "attemptedAt" ${text}, "status" integer,
    "durationMilliseconds" integer, "response" ${text}, "error" ${text})`,
  'create index "webhookDelivery_webhook" on "webhookDelivery" ("webhookId", "id")',
  `create index "webhookDelivery_pending" on "webhookDelivery" ("webhookId", "nextAttemptAt") where "state" = 'pending'`,
  `create index "webhookDelivery_target" on "webhookDelivery" ("targetId") where "targetId" is not null`,
  `create index "webhookDelivery_actor" on "webhookDelivery" ("actorId") where "actorId" is not null`,
  `create index "webhookDelivery_settled" on "webhookDelivery" ("createdAt") where "state" <> 'pending'`,
]
