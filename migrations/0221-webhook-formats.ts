// In whose form a webhook says what happened, and its words where its owner chose them. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  await sql.raw(`alter table "webhook" add column "format" ${text} not null default 'guildhall'`).execute(db)
  await sql.raw(`alter table "webhook" add column "template" ${text}`).execute(db)
}
