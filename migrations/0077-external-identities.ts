// Accounts at an external provider (OpenID Connect) that sign in to accounts here. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  await sql
    .raw(
      `create table "externalIdentity" (
        id ${text} primary key,
        issuer ${text} not null,
        subject ${text} not null,
        "userId" ${text} not null references "user" (id) on delete cascade,
        email ${text},
        "createdAt" ${text} not null,
        "lastUsedAt" ${text},
        unique (issuer, subject)
      )`,
    )
    .execute(db)
  await sql`create index "externalIdentity_user" on "externalIdentity" ("userId", id)`.execute(db)
}
