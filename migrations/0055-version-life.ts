// Versions that are yanked, items that are deprecated, and what is told of each version: its changes and its licence. One file for both
// engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? 'text collate "C"' : 'text'
  const columns = {
    itemVersion: ['yankedAt', 'yankReason', 'changelog', 'license'].map((name) => `"${name}" ${text}`),
    libraryItem: ['newestVersion', 'deprecation', 'successor', 'license'].map((name) => `"${name}" ${text}`),
  }
  columns.itemVersion.push('"yankedByAdmin" integer not null default 0')
  columns.libraryItem.push('"yanked" integer not null default 0')
  for (const [table, added] of Object.entries(columns)) {
    for (const column of added) await sql.raw(`alter table "${table}" add column ${column}`).execute(db)
  }
}
