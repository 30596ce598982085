// Signals that wait: sessions of accounts were revoked, and others are to hear of it. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "signal" ("id" ${text} primary key, "userId" ${text} not null references "user" ("id") on delete cascade,
      "createdAt" ${text} not null, "givenUpAt" ${text})`,
    'create index "signal_waiting" on "signal" ("createdAt", "id") where "givenUpAt" is null',
    'create index "signal_givenUp" on "signal" ("givenUpAt") where "givenUpAt" is not null',
    'create index "signal_user" on "signal" ("userId")',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
