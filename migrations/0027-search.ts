// The search over everything: documents, their terms in an index of full text, every word, and counts of terms. The server fills them
// after its start (src/search/building.ts). One file for both engines.
import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>
type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

const required: Column = (column) => column.notNull()
const key: Column = (column) => column.primaryKey().notNull()

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  await tables(db, postgres)
  await (postgres ? indexOnPostgres(db) : indexOnSqlite(db))
}

async function tables(db: AnyDb, postgres: boolean): Promise<void> {
  const text = postgres ? sql`text collate "C"` : sql`text`
  const byKey = <Table extends { modifyEnd(end: unknown): Table }>(table: Table) =>
    postgres ? table : table.modifyEnd(sql`without rowid`)
  // The number is a column of its own, as the index of full text refers to it. The long text is last.
  await db.schema
    .createTable('searchDocument')
    .addColumn('n', postgres ? 'bigint' : 'integer', (column) => column.primaryKey())
    .addColumn('id', text, (column) => column.notNull().unique())
    .addColumn('type', text, required)
    .addColumn('counted', 'integer', required)
    .addColumn('authorId', text)
    .addColumn('parentType', text)
    .addColumn('parentId', text)
    .addColumn('title', text, required)
    .addColumn('names', text, required)
    .addColumn('url', text, required)
    .addColumn('createdAt', text)
    .addColumn('body', text, required)
    .execute()
  await db.schema
    .createIndex('searchDocument_parent')
    .on('searchDocument')
    .columns(['parentId', 'counted'])
    .where(sql.ref('parentId'), 'is not', null)
    .execute()
  await byKey(db.schema.createTable('searchWord') as never as ReturnType<typeof db.schema.createTable>)
    .addColumn('word', text, key)
    .addColumn('term', text, required)
    .addColumn('length', 'integer', required)
    .addColumn('reversed', text)
    .execute()
  for (const column of ['word', 'reversed']) {
    await db.schema
      .createIndex(`searchWord_length_${column}`)
      .on('searchWord')
      .columns(['length', column])
      .where(sql.ref('reversed'), 'is not', null)
      .execute()
  }
  await byKey(db.schema.createTable('searchCount') as never as ReturnType<typeof db.schema.createTable>)
    .addColumn('term', text, key)
    .addColumn('count', 'integer', required)
    .execute()
}

/** The terms are made by the server and only parted here: at spaces. What is removed needs no more than its number. */
async function indexOnSqlite(db: AnyDb): Promise<void> {
  await sql`create virtual table "searchTerms" using fts5(terms, content='', contentless_delete=1, detail='none',
    tokenize="ascii tokenchars '=.'")`.execute(db)
  await sql`create trigger "searchDocument_removed" after delete on "searchDocument" begin
    delete from "searchTerms" where rowid = old.n; end`.execute(db)
}

async function indexOnPostgres(db: AnyDb): Promise<void> {
  await sql`create sequence "searchNumber"`.execute(db)
  await sql`alter table "searchDocument" add column terms tsvector not null`.execute(db)
  await sql`create index "searchDocument_terms" on "searchDocument" using gin (terms)`.execute(db)
}
