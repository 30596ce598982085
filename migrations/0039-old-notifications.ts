// Unread notifications by age, so that those of accounts that are not used any more can be found. One file for both engines.
import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  await sql`create index "notification_age" on "notification" ("createdAt") where "read" = 0`.execute(db)
}
