// Jumps of the clock that clean-ups do not believe yet. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('clockDoubt')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('jumps', text, (column) => column.notNull())
    .execute()
}
