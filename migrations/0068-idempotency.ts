// Answers that are kept for a retry of the same write. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  await sql
    .raw(
      `create table "idempotencyKey" (
        hash ${text} primary key,
        "accountId" ${text} references "user" (id) on delete cascade,
        fingerprint ${text} not null,
        answer ${text} not null,
        "createdAt" ${text} not null,
        "expiresAt" ${text} not null
      )`,
    )
    .execute(db)
  await sql`create index "idempotencyKey_expiry" on "idempotencyKey" ("expiresAt")`.execute(db)
  await sql`create index "idempotencyKey_account" on "idempotencyKey" ("accountId") where "accountId" is not null`.execute(
    db,
  )
}
