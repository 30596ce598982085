// The passkey that a session was opened with or confirmed with: it ends there when the passkey is removed. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  const reference = 'references "passkey" ("id") on delete set null'
  await sql.raw(`alter table "session" add column "passkeyId" ${text} ${reference}`).execute(db)
  await sql`create index "session_passkey" on "session" ("passkeyId")`.execute(db)
}
