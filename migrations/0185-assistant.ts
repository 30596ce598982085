// Answers of the machine that members asked, kept for a while, and how many tokens of it a day used up. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C" not null' : 'text not null'
  const end = isPostgres ? '' : ' without rowid'
  const tables = ['machineAnswer', 'machineDay']
  for (const statement of [
    `create table "machineAnswer" ("key" ${text} primary key, "text" ${text}, "createdAt" ${text}, "expiresAt" ${text})${end}`,
    'create index "machineAnswer_expiry" on "machineAnswer" ("expiresAt")',
    `create table "machineDay" ("day" ${text} primary key, "tokens" integer not null)${end}`,
    ...(isPostgres
      ? tables.map(
          (table) =>
            `create trigger "changed" after insert or update or delete or truncate on "${table}" for each statement execute function "notify_change"()`,
        )
      : []),
  ]) {
    await sql.raw(statement).execute(db)
  }
}
