// How far the index of the search is built, and by which version of its source. One that has documents is complete: the server that wrote
// them had version 1. One of a database without accounts has nothing to find. All others are built at the next start. One file for both
// engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

export async function up(db: AnyDb): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('searchBuild')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('stage', 'integer', (column) => column.notNull())
    .addColumn('after', text, (column) => column.notNull())
    .addColumn('doneAt', text)
    .execute()
  await sql`insert into "searchBuild" (id, version, stage, after, "doneAt") select 1, 1, 0, '', ''
    where exists (select 1 from "searchDocument") or not exists (select 1 from "user")`.execute(db)
}
