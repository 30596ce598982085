// Subscriptions of agents to events: webhooks that end, and a short log of what was told, from which they go on. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? 'text collate "C"' : 'text'
  const columns = ['subscriptionId', 'clientId', 'grantId', 'expiresAt']
  for (const statement of [
    ...columns.map((name) => `alter table "webhook" add column "${name}" ${text}`),
    'create unique index "webhook_subscription" on "webhook" ("subscriptionId") where "subscriptionId" is not null',
    'create index "webhook_expires" on "webhook" ("expiresAt") where "expiresAt" is not null',
    'alter table "webhookDelivery" add column "position" bigint',
    `create table "toldEvent" ("position" bigint primary key, "id" ${text} not null unique, "event" ${text} not null,
      "targetType" ${text} not null, "targetId" ${text} not null, "boardId" ${text}, "commentId" ${text}, "actorId" ${text},
      "hidden" integer not null, "payload" ${text} not null, "createdAt" ${text} not null)`,
    'create index "toldEvent_event" on "toldEvent" ("event", "position")',
    'create index "toldEvent_target" on "toldEvent" ("targetId")',
    'create index "toldEvent_actor" on "toldEvent" ("actorId") where "actorId" is not null',
    'create index "toldEvent_created" on "toldEvent" ("createdAt")',
    ...(postgres
      ? [
          'create trigger "changed" after insert or update or delete or truncate on "toldEvent" for each statement execute function "notify_change"()',
        ]
      : []),
  ]) {
    await sql.raw(statement).execute(db)
  }
}
