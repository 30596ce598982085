// The search over everything: documents, their terms in an index of full text, every word, and counts of terms; and a document for
// everything that there is. One file for both engines.
import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'
import { itemName } from '../src/formats/item-text.ts'
import type { NewDocument } from '../src/search/document.ts'
import { changeSearch } from '../src/search/indexing.ts'
import * as things from '../src/search/things.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>
type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

const required: Column = (column) => column.notNull()
const key: Column = (column) => column.primaryKey().notNull()

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  await tables(db, postgres)
  await (postgres ? indexOnPostgres(db) : indexOnSqlite(db))
  await fill(db)
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

const ROWS_AT_ONCE = 500

// biome-ignore lint/suspicious/noExplicitAny: rows as they are at this migration
type AnyRow = any

/** Where each kind of thing is found, oldest first, and its document; undefined for what has none. */
const sources: [from: string, document: (row: AnyRow) => NewDocument | undefined][] = [
  ...(['post', 'bug', 'feature'] as const).map((type): (typeof sources)[number] => [
    `select id, "authorId", "createdAt", title, ${type === 'post' ? 'body' : 'description as body'} from ${type}`,
    (row) => ({ ...row, type, url: `/community/${type}s/${row.id}` }),
  ]),
  [
    `select o.id, o.slug, o.name, o.goal, o.tagline, o.description, p.body, o."authorId", o."createdAt"
      from "orgUpload" o join "orgPage" p on p."orgId" = o.id`,
    (row) =>
      things.orgDocument(row, {
        title: itemName(row.name, 'Untitled org'),
        url: `/community/orgs/${row.slug === 'new' ? row.id : row.slug}`,
      }),
  ],
  [
    `select i.id, i.kind, i.slug, i.name, i.description, i.tags, i.meta, i."ownerId", i."createdAt", d.readme, d.contents
      from "libraryItem" i join "itemDetails" d on d."itemId" = i.id where i.listed = 1 and i.gallery = 0`,
    things.itemDocument,
  ],
  ['select id, "authorId", "targetType", "targetId", body, "createdAt" from comment', things.commentDocument],
  ['select id, name, username, "createdAt" from "user"', things.personDocument],
  ['select id, name from label', things.labelDocument],
  [
    `select distinct tag as id from "itemCount" where scope = 'public' and tag <> '' and count > 0`,
    ({ id }) => things.tagDocument(id),
  ],
]

/** A page of rows at a time: memory does not grow with what there is. */
async function fill(db: AnyDb): Promise<void> {
  for (const [from, document] of sources) {
    let after = ''
    for (;;) {
      const { rows } = await sql<AnyRow>`select * from (${sql.raw(from)}) things where id > ${after}
        order by id limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db)
      if (rows.length === 0) break
      await changeSearch(db as never, { put: rows.map(document).filter((one) => one !== undefined) })
      after = rows.at(-1).id
    }
  }
}
