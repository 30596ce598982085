// The library: items with their versions, tags and counts, and the text they are found by. One file for both engines.
import {
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  sql,
} from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>
type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

const required: Column = (column) => column.notNull()
const zero: Column = (column) => column.notNull().defaultTo(0)
const ofItem: Column = (column) => column.notNull().references('libraryItem.id').onDelete('cascade')

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`
  await items(db, text, postgres)
  await belongings(db, text, postgres)
  await lists(db)
  await (postgres ? searchOnPostgres(db) : searchOnSqlite(db))
}

async function items(db: AnyDb, text: RawBuilder<unknown>, postgres: boolean): Promise<void> {
  await db.schema
    .createTable('libraryItem')
    // A small key of its own: lists, texts and the index of texts meet in it. Numbers are not used again.
    .addColumn('n', postgres ? 'serial' : 'integer', (column) =>
      postgres ? column.primaryKey() : column.primaryKey().autoIncrement(),
    )
    .addColumn('id', text, (column) => column.notNull().unique())
    .addColumn('kind', text, required)
    .addColumn('slug', text, required)
    .addColumn('name', text, required)
    .addColumn('description', text, required)
    .addColumn('keywords', text, required)
    .addColumn('ownerId', text, required)
    .addColumn('visibility', text, required)
    .addColumn('listed', 'integer', required)
    .addColumn('gallery', 'integer', required)
    .addColumn('version', text, required)
    .addColumn('sha256', text, required)
    .addColumn('size', 'integer', required)
    .addColumn('meta', text, required)
    .addColumn('tags', text, required)
    .addColumn('score', 'integer', zero)
    .addColumn('commentCount', 'integer', zero)
    .addColumn('createdAt', text, required)
    .addColumn('updatedAt', text, required)
    .execute()
  await db.schema.createIndex('libraryItem_slug').unique().on('libraryItem').columns(['kind', 'slug']).execute()
}

async function belongings(db: AnyDb, text: RawBuilder<unknown>, postgres: boolean): Promise<void> {
  // Narrow tables that are only ever found by their key need no second tree on SQLite.
  const byKey = (table: CreateTableBuilder<string, string>) => (postgres ? table : table.modifyEnd(sql`without rowid`))
  await byKey(db.schema.createTable('itemVersion') as never)
    .addColumn('itemId', text, ofItem)
    .addColumn('number', 'integer', required)
    .addColumn('version', text, required)
    .addColumn('precedence', text, required)
    .addColumn('sha256', text, required)
    .addColumn('size', 'integer', required)
    .addColumn('createdAt', text, required)
    .addPrimaryKeyConstraint('itemVersion_key', ['itemId', 'number'] as never)
    .addUniqueConstraint('itemVersion_precedence', ['itemId', 'precedence'] as never)
    .execute()
  await db.schema.createIndex('itemVersion_artifact').on('itemVersion').columns(['sha256']).execute()
  await db.schema
    .createTable('itemReading')
    .addColumn('itemId', text, (column) => ofItem(column).primaryKey())
    .addColumn('readme', text)
    .addColumn('contents', text, required)
    .execute()
  await byKey(db.schema.createTable('itemTag') as never)
    .addColumn('tag', text, required)
    .addColumn('itemId', text, ofItem)
    .addPrimaryKeyConstraint('itemTag_key', ['tag', 'itemId'] as never)
    .execute()
  await db.schema.createIndex('itemTag_item').on('itemTag').columns(['itemId']).execute()
  await byKey(db.schema.createTable('itemCount') as never)
    .addColumn('scope', text, required)
    .addColumn('tag', text, required)
    .addColumn('count', 'integer', required)
    .addPrimaryKeyConstraint('itemCount_key', ['scope', 'tag'] as never)
    .execute()
  await db.schema.createIndex('itemCount_order').on('itemCount').columns(['scope', 'count desc', 'tag']).execute()
  await db.schema
    .createTable('libraryUpload')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('accountId', text, required)
    .addColumn('at', text, required)
    .execute()
  await db.schema.createIndex('libraryUpload_account').on('libraryUpload').columns(['accountId', 'at']).execute()
  await db.schema.createIndex('libraryUpload_age').on('libraryUpload').columns(['at']).execute()
}

/** Every list is a walk along one of these: what is fixed, then the order, then the tie-break. */
async function lists(db: AnyDb): Promise<void> {
  const latest = ['updatedAt', 'id']
  const popular = ['score', 'updatedAt', 'id']
  for (const fixed of [['listed'], ['listed', 'kind'], ['visibility'], ['visibility', 'kind'], ['ownerId']]) {
    const name = `libraryItem_${fixed.join('_')}`
    await db.schema
      .createIndex(`${name}_latest`)
      .on('libraryItem')
      .columns([...fixed, ...latest])
      .execute()
    await db.schema
      .createIndex(`${name}_popular`)
      .on('libraryItem')
      .columns([...fixed, ...popular])
      .execute()
  }
}

// Items have an index of texts to themselves, so that a search for them never goes through the hits of anything else.
// The database updates the usernames after every change.
async function searchOnSqlite(db: AnyDb): Promise<void> {
  const statements = [
    `create table "itemText" (n integer primary key references "libraryItem" (n) on delete cascade, text text not null, owner text not null, shelf text not null)`,
    `create virtual table "itemTextIndex" using fts5(text, owner, shelf, content='itemText', content_rowid='n', tokenize='trigram case_sensitive 1')`,
    `create trigger "itemText_added" after insert on "itemText" begin
      insert into "itemTextIndex"(rowid, text, owner, shelf) values (new.n, new.text, new.owner, new.shelf); end`,
    `create trigger "itemText_removed" after delete on "itemText" begin
      insert into "itemTextIndex"("itemTextIndex", rowid, text, owner, shelf) values ('delete', old.n, old.text, old.owner, old.shelf); end`,
    `create trigger "itemText_changed" after update on "itemText" begin
      insert into "itemTextIndex"("itemTextIndex", rowid, text, owner, shelf) values ('delete', old.n, old.text, old.owner, old.shelf);
      insert into "itemTextIndex"(rowid, text, owner, shelf) values (new.n, new.text, new.owner, new.shelf); end`,
    `create trigger "itemText_owner" after update of "usernameKey" on "user" when new."usernameKey" is not old."usernameKey" begin
      update "itemText" set owner = coalesce(new."usernameKey", '')
        where n in (select n from "libraryItem" where "ownerId" = new.id and gallery = 0); end`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

async function searchOnPostgres(db: AnyDb): Promise<void> {
  const statements = [
    `create table "itemText" (n integer primary key references "libraryItem" (n) on delete cascade, text text not null, owner text not null, shelf text not null)`,
    `create index "itemText_trigrams" on "itemText" using gin (text gin_trgm_ops)`,
    `create index "itemText_owners" on "itemText" using gin (owner gin_trgm_ops)`,
    `create function "itemText_owner"() returns trigger language plpgsql as $$ begin
      update "itemText" set owner = coalesce(new."usernameKey", '')
        where n in (select n from "libraryItem" where "ownerId" = new.id and gallery = 0);
      return null; end $$`,
    `create trigger "itemText_owner" after update of "usernameKey" on "user" for each row
      when (new."usernameKey" is distinct from old."usernameKey") execute function "itemText_owner"()`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
