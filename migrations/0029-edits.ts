// Edits of texts with their history, and the changes of the status of bugs and feature requests. One file for both engines.
import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
const required = (column: ColumnDefinitionBuilder) => column.notNull()
const key = (column: ColumnDefinitionBuilder) => column.primaryKey().notNull()

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`
  for (const table of ['bug', 'feature', 'post', 'comment']) {
    await db.schema.alterTable(table).addColumn('editedAt', text).execute()
    await db.schema.alterTable(table).addColumn('revisionCount', 'integer', zero).execute()
  }
  for (const table of ['bug', 'feature']) {
    await db.schema.alterTable(table).addColumn('statusChangeCount', 'integer', zero).execute()
  }
  await db.schema
    .createTable('revision')
    .addColumn('id', text, key)
    .addColumn('targetType', text, required)
    .addColumn('targetId', text, required)
    .addColumn('thingId', text, required)
    .addColumn('editorId', text, required)
    .addColumn('changes', text, required)
    .addColumn('createdAt', text, required)
    .execute()
  await db.schema
    .createTable('statusChange')
    .addColumn('id', text, key)
    .addColumn('targetType', text, required)
    .addColumn('targetId', text, required)
    .addColumn('actorId', text, required)
    .addColumn('from', text, required)
    .addColumn('to', text, required)
    .addColumn('reason', text)
    .addColumn('createdAt', text, required)
    .execute()
  await index(db, 'revision', ['targetId', 'createdAt', 'id'])
  await index(db, 'revision', ['thingId'])
  await index(db, 'statusChange', ['targetId', 'createdAt', 'id'])
  if (!postgres) return
  for (const table of ['revision', 'statusChange']) {
    await sql`create trigger "changed" after insert or update or delete or truncate on ${sql.table(table)}
      for each statement execute function "notify_change"()`.execute(db)
  }
}

const index = (db: AnyDb, table: string, columns: string[]) =>
  db.schema
    .createIndex([table, ...columns].join('_'))
    .on(table)
    .columns(columns)
    .execute()
