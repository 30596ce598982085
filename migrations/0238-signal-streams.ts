// Streams of signals that receivers manage themselves (SSF 1.0), and what waits on each. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "signalStream" ("id" ${text} primary key, "receiverId" ${text} not null unique, "method" ${text} not null,
      "endpointUrl" ${text}, "authorization" ${text}, "eventsRequested" ${text} not null, "hearsRevocations" integer not null,
      "description" ${text}, "status" ${text} not null, "reason" ${text}, "createdAt" ${text} not null, "verifiedAt" ${text})`,
    `create table "signalDelivery" ("id" ${text} primary key, "streamId" ${text} not null references "signalStream" ("id") on delete cascade,
      "userId" ${text} references "user" ("id") on delete cascade, "state" ${text}, "createdAt" ${text} not null, "givenUpAt" ${text})`,
    'create index "signalDelivery_stream" on "signalDelivery" ("streamId", "createdAt", "id")',
    'create index "signalDelivery_created" on "signalDelivery" ("createdAt")',
    'create index "signalDelivery_user" on "signalDelivery" ("userId") where "userId" is not null',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
