// Addresses of guests to which a digest is mailed. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "guestDigest" ("id" ${text} primary key not null, "email" ${text} not null, "topic" ${text} not null,
      "language" ${text}, "createdAt" ${text} not null, "confirmedAt" ${text}, "toldUntil" ${text}, "dueAt" ${text}, unique ("email", "topic"))`,
    'create index "guestDigest_dueAt" on "guestDigest" ("dueAt", "id") where "dueAt" is not null',
    'create index "guestDigest_createdAt" on "guestDigest" ("createdAt", "id") where "confirmedAt" is null',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
