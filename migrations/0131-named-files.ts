// Which stored files rows came to name, in order: a continuous backup (src/operator/shipping.ts) keeps these before it ships the rows. It is
// for SQLite alone, and so are the triggers; the table is on both engines, since a move copies every table.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

interface Naming {
  table: string
  /** The name of the file, as an expression. */
  name: string
  /** Rows in which this column is null name none; an update of it may name another. */
  column: string
}

const namings: readonly Naming[] = [
  { table: 'itemVersion', name: `'artifacts/' || new.sha256`, column: 'sha256' },
  { table: 'orgUpload', name: `'artifacts/' || new.sha256`, column: 'sha256' },
  { table: 'dataExport', name: `'artifacts/' || new.sha256`, column: 'sha256' },
  { table: 'orgImage', name: `'org-images/' || new.id`, column: 'id' },
  { table: 'textImage', name: `'text-images/' || new.id`, column: 'id' },
  { table: 'pendingFile', name: `'pending-files/' || new.id`, column: 'id' },
  { table: 'orgRunFile', name: `'org-runs/' || new.id`, column: 'id' },
  { table: 'user', name: `'avatars/' || new.id`, column: 'avatarUpdatedAt' },
]

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  await run(`create table "namedFile" (id integer primary key, name ${text} not null)`)
  if (postgres) return
  for (const { table, name, column } of namings) {
    for (const event of ['insert', `update of "${column}"`]) {
      await run(`create trigger "namedFile_${table}_${event.split(' ')[0]}" after ${event} on "${table}"
        when new."${column}" is not null begin insert into "namedFile" (name) values (${name}); end`)
    }
  }
}
