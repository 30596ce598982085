// Addresses to which mail does not come, or that do not want it. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  for (const statement of [
    `create table "bounce" ("id" ${text} primary key, "email" ${text} not null unique, "kind" ${text} not null, "status" ${text},
      "softCount" integer not null, "since" ${text} not null, "stoppedAt" ${text}, "updatedAt" ${text} not null)`,
    'create index "bounce_updated" on "bounce" ("updatedAt")',
  ]) {
    await sql.raw(statement).execute(db)
  }
}
