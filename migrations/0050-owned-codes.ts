// Whose code to a new address it is: two accounts that want one address do not end each other's codes. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  await sql.raw(`alter table "emailCode" add column "ownerId" ${text}`).execute(db)
  await sql`create index "emailCode_owner" on "emailCode" ("ownerId") where "ownerId" is not null`.execute(db)
}
