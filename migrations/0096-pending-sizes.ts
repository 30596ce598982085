// What a list shows of a write that waits, beside the whole of it: its title, sealed, and how much is kept. Writes from before have neither.
// One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  await run(`alter table "pendingAct" add column title ${text}`)
  await run('alter table "pendingAct" add column size integer not null default 0')
  await run('create index "pendingAct_size" on "pendingAct" ("userId", size)')
}
