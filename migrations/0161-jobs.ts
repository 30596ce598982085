// One table for all work besides requests. How far the two backfills were goes over; their own tables go with a later release. One file for
// both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  const run = (statement: string) => sql.raw(statement).execute(db)
  await run(`create table job (
    kind ${text} not null,
    key ${text} not null,
    "runAt" ${text} not null,
    cursor ${text} not null,
    attempts integer not null,
    "leasedUntil" ${text} not null,
    error ${text},
    "failedAt" ${text},
    "doneAt" ${text},
    primary key (kind, key)
  )`)
  for (const [kind, table] of [
    ['log.backfill', 'logFilling'],
    ['library.backfill', 'useFilling'],
  ]) {
    await run(`insert into job (kind, key, "runAt", cursor, attempts, "leasedUntil", "doneAt")
      select '${kind}', '1', '', "after", 0, '', "doneAt" from "${table}"`)
  }
}
