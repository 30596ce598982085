// Settings that are stored, and every change of them. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isPostgres ? 'text collate "C"' : 'text'
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run(`create table setting (
    name ${text} primary key not null,
    value ${text} not null,
    "actorId" ${text},
    "changedAt" ${text} not null
  )`)
  await run(`create table "settingChange" (
    number integer primary key not null,
    id ${text} not null unique,
    name ${text} not null,
    "valueBefore" ${text},
    "valueAfter" ${text},
    "actorId" ${text},
    "changedAt" ${text} not null
  )`)
  if (isPostgres)
    await run(
      'create trigger "changed" after insert or update or delete or truncate on setting for each statement execute function "notify_change"()',
    )
}
