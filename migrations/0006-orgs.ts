// The org gallery: uploads with what is shown of them, their pictures, and the runs people attach with their files.
import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>
type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

const required: Column = (column) => column.notNull()
const key: Column = (column) => column.primaryKey().notNull()
const zero: Column = (column) => column.notNull().defaultTo(0)
const ofOrg: Column = (column) => column.notNull().references('orgUpload.id').onDelete('cascade')

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`
  await uploads(db, text)
  await attachments(db, text)
  for (const order of [
    ['createdAt', 'id'],
    ['score', 'createdAt', 'id'],
  ]) {
    await index(db, 'orgUpload', order)
    await index(db, 'orgUpload', ['authorId', ...order])
  }
  await index(db, 'orgUpload', ['sha256'])
  await index(db, 'orgImage', ['orgId'])
  await index(db, 'orgRun', ['orgId', 'createdAt', 'id'])
}

async function uploads(db: AnyDb, text: RawBuilder<unknown>): Promise<void> {
  await db.schema
    .createTable('orgUpload')
    .addColumn('id', text, key)
    .addColumn('slug', text, (column) => column.notNull().unique())
    .addColumn('authorId', text, required)
    .addColumn('name', text, required)
    .addColumn('goal', text, required)
    .addColumn('tagline', text)
    .addColumn('description', text)
    .addColumn('bannerUrl', text)
    .addColumn('topology', text)
    .addColumn('roleCount', 'integer', required)
    .addColumn('score', 'integer', zero)
    .addColumn('commentCount', 'integer', zero)
    .addColumn('runCount', 'integer', zero)
    .addColumn('sha256', text, required)
    .addColumn('size', 'integer', required)
    .addColumn('createdAt', text, required)
    .addColumn('updatedAt', text, required)
    .execute()
  await db.schema
    .createTable('orgPage')
    .addColumn('orgId', text, (column) => ofOrg(column).primaryKey())
    .addColumn('name', text, required)
    .addColumn('goal', text, required)
    .addColumn('body', text)
    .addColumn('chart', text, required)
    .execute()
}

async function attachments(db: AnyDb, text: RawBuilder<unknown>): Promise<void> {
  await db.schema
    .createTable('orgImage')
    .addColumn('id', text, key)
    .addColumn('orgId', text, ofOrg)
    .addColumn('uploaderId', text, required)
    .addColumn('contentType', text, required)
    .addColumn('size', 'integer', required)
    .addColumn('createdAt', text, required)
    .execute()
  await db.schema
    .createTable('orgRun')
    .addColumn('id', text, key)
    .addColumn('orgId', text, ofOrg)
    .addColumn('authorId', text, required)
    .addColumn('label', text)
    .addColumn('createdAt', text, required)
    .execute()
  await db.schema
    .createTable('orgRunFile')
    .addColumn('id', text, key)
    .addColumn('runId', text, (column) => column.notNull().references('orgRun.id').onDelete('cascade'))
    .addColumn('position', 'integer', required)
    .addColumn('filename', text, required)
    .addColumn('fileType', text, required)
    .addColumn('sizeBytes', 'integer', required)
    .addUniqueConstraint('orgRunFile_order', ['runId', 'position'])
    .execute()
}

async function index(db: AnyDb, table: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex([table, ...columns].join('_'))
    .on(table)
    .columns(columns)
    .execute()
}
