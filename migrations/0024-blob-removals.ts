// Removals of stored bytes, each noted before the bytes go: no transaction has to wait for the store. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('blobRemoval')
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('startedAt', text, (column) => column.notNull())
    .addColumn('endedAt', text)
    .execute()
  await db.schema.createIndex('blobRemoval_start').on('blobRemoval').columns(['startedAt']).execute()
}
