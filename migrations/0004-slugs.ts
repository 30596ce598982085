// One space of slugs a kind, for the gallery and the library alike.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
export async function up(db: Kysely<any>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('slug')
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('slug', text, (column) => column.notNull())
    .addColumn('base', text, (column) => column.notNull())
    .addColumn('targetId', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('slug_key', ['kind', 'slug'])
    .execute()
  await db.schema.createIndex('slug_base').on('slug').columns(['kind', 'base']).execute()
  await db.schema.createIndex('slug_target').on('slug').columns(['targetId']).execute()
}
