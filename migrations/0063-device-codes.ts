// Device authorization (RFC 8628): a program without a browser asks, and an account decides elsewhere. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  await sql
    .raw(
      `create table "deviceCode" (
        hash ${text} primary key,
        "codeHash" ${text} not null unique,
        "clientId" ${text} not null,
        scope ${text} not null,
        network ${text} not null,
        device ${text},
        "createdAt" ${text} not null,
        "expiresAt" ${text} not null,
        "intervalSeconds" integer not null,
        "polledAt" ${text},
        decision ${text},
        "grantId" ${text} references "grant" (id) on delete cascade,
        "consumedAt" ${text}
      )`,
    )
    .execute(db)
  await sql`create index "deviceCode_expiry" on "deviceCode" ("expiresAt")`.execute(db)
  await sql`create index "deviceCode_grant" on "deviceCode" ("grantId") where "grantId" is not null`.execute(db)
}
