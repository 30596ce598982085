// Accounts, the community's ground (bugs, labels, votes, comments, the feed), mail and the audit log. One file for both
// engines; text compares byte by byte on either.
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
const key: Column = (column) => column.primaryKey().notNull()
const zero: Column = (column) => column.notNull().defaultTo(0)

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`
  await accounts(db, text)
  await platform(db, text)
  await content(db, text, postgres)
  await lists(db)
  await (postgres ? searchOnPostgres(db) : searchOnSqlite(db))
}

async function accounts(db: AnyDb, text: RawBuilder<unknown>): Promise<void> {
  await db.schema
    .createTable('user')
    .addColumn('id', text, key)
    .addColumn('email', text, (column) => column.notNull().unique())
    .addColumn('provenAt', text)
    .addColumn('name', text)
    .addColumn('username', text)
    .addColumn('usernameKey', text, (column) => column.unique())
    .addColumn('role', text, required)
    .addColumn('passwordHash', text)
    .addColumn('blockedAt', text)
    .addColumn('avatarUpdatedAt', text)
    .addColumn('createdAt', text, required)
    .addColumn('updatedAt', text, required)
    .execute()
  await db.schema
    .createTable('session')
    .addColumn('id', text, key)
    .addColumn('tokenHash', text, (column) => column.notNull().unique())
    .addColumn('userId', text, (column) => column.notNull().references('user.id').onDelete('cascade'))
    .addColumn('createdAt', text, required)
    .addColumn('expiresAt', text, required)
    .execute()
  await db.schema.createIndex('session_user').on('session').columns(['userId']).execute()
  await db.schema.createIndex('session_expiry').on('session').columns(['expiresAt']).execute()
  await db.schema
    .createTable('emailCode')
    .addColumn('id', text, key)
    .addColumn('purpose', text, required)
    .addColumn('email', text, required)
    .addColumn('codeHash', text, required)
    .addColumn('failures', 'integer', zero)
    .addColumn('createdAt', text, required)
    .addColumn('expiresAt', text, required)
    .addColumn('usedAt', text)
    .execute()
  await db.schema.createIndex('emailCode_email').on('emailCode').columns(['email', 'purpose', 'id']).execute()
  await db.schema.createIndex('emailCode_expiry').on('emailCode').columns(['expiresAt']).execute()
}

async function platform(db: AnyDb, text: RawBuilder<unknown>): Promise<void> {
  await db.schema
    .createTable('rateLimit')
    .addColumn('key', text, key)
    .addColumn('count', 'integer', required)
    .addColumn('resetsAt', text, required)
    .execute()
  await db.schema.createIndex('rateLimit_expiry').on('rateLimit').columns(['resetsAt']).execute()
  await db.schema
    .createTable('outbox')
    .addColumn('id', text, key)
    .addColumn('recipient', text, required)
    .addColumn('subject', text, required)
    .addColumn('body', text)
    .addColumn('createdAt', text, required)
    .addColumn('attempts', 'integer', zero)
    .addColumn('nextAttemptAt', text, required)
    .addColumn('sentAt', text)
    .execute()
  await db.schema.createIndex('outbox_due').on('outbox').columns(['sentAt', 'nextAttemptAt']).execute()
  await db.schema
    .createTable('audit')
    .addColumn('id', text, key)
    .addColumn('at', text, required)
    .addColumn('actorId', text)
    .addColumn('action', text, required)
    .addColumn('targetType', text, required)
    .addColumn('targetId', text, required)
    .addColumn('detail', text)
    .addColumn('reason', text)
    .addColumn('address', text)
    .execute()
  await db.schema.createIndex('audit_target').on('audit').columns(['targetId', 'id']).execute()
}

async function content(db: AnyDb, text: RawBuilder<unknown>, postgres: boolean): Promise<void> {
  // Narrow tables that are only ever found by their key need no second tree on SQLite.
  const byKey = (table: CreateTableBuilder<string, string>) => (postgres ? table : table.modifyEnd(sql`without rowid`))
  await db.schema
    .createTable('bug')
    .addColumn('id', text, key)
    .addColumn('title', text, required)
    .addColumn('description', text, required)
    .addColumn('authorId', text, required)
    .addColumn('status', text, required)
    .addColumn('severity', text, required)
    .addColumn('score', 'integer', zero)
    .addColumn('commentCount', 'integer', zero)
    .addColumn('createdAt', text, required)
    .addColumn('updatedAt', text, required)
    .execute()
  await db.schema
    .createTable('label')
    .addColumn('id', text, key)
    .addColumn('name', text, required)
    .addColumn('nameKey', text, (column) => column.notNull().unique())
    .addColumn('color', text, required)
    .execute()
  await byKey(db.schema.createTable('bugLabel') as never)
    .addColumn('labelId', text, (column) => column.notNull().references('label.id').onDelete('cascade'))
    .addColumn('bugId', text, (column) => column.notNull().references('bug.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('bugLabel_key', ['labelId', 'bugId'] as never)
    .execute()
  await db.schema.createIndex('bugLabel_bug').on('bugLabel').columns(['bugId']).execute()
  await byKey(db.schema.createTable('vote') as never)
    .addColumn('targetId', text, required)
    .addColumn('userId', text, required)
    .addColumn('value', 'integer', required)
    .addPrimaryKeyConstraint('vote_key', ['targetId', 'userId'] as never)
    .execute()
  await db.schema
    .createTable('comment')
    .addColumn('id', text, key)
    .addColumn('targetId', text, required)
    .addColumn('targetType', text, required)
    .addColumn('authorId', text, required)
    .addColumn('body', text, required)
    .addColumn('createdAt', text, required)
    .execute()
  await db.schema
    .createIndex('comment_target')
    .on('comment')
    .columns(['targetType', 'targetId', 'createdAt', 'id'])
    .execute()
  await db.schema
    .createTable('feedEntry')
    .addColumn('id', text, key)
    .addColumn('type', text, required)
    .addColumn('title', text, required)
    .addColumn('preview', text, required)
    .addColumn('authorId', text, required)
    .addColumn('url', text, required)
    .addColumn('score', 'integer', zero)
    .addColumn('commentCount', 'integer', zero)
    .addColumn('createdAt', text, required)
    .execute()
  await byKey(db.schema.createTable('tally') as never)
    .addColumn('key', text, key)
    .addColumn('count', 'integer', zero)
    .execute()
}

/** Every list is a scan of one of these indexes, for every filter: the filter columns, then the order, then the tie-break. */
async function lists(db: AnyDb): Promise<void> {
  const latest = ['createdAt', 'id']
  const popular = ['score', 'createdAt', 'id']
  const walks: [table: string, fixed: string[][]][] = [
    ['bug', [[], ['status'], ['severity'], ['status', 'severity']]],
    ['feedEntry', [[], ['authorId']]],
  ]
  for (const [table, filters] of walks) {
    for (const fixed of filters) {
      const name = [table, ...fixed].join('_')
      await db.schema
        .createIndex(`${name}_latest`)
        .on(table)
        .columns([...fixed, ...latest])
        .execute()
      await db.schema
        .createIndex(`${name}_popular`)
        .on(table)
        .columns([...fixed, ...popular])
        .execute()
    }
  }
  await db.schema
    .createIndex('bug_author')
    .on('bug')
    .columns(['authorId', ...latest])
    .execute()
}

async function searchOnSqlite(db: AnyDb): Promise<void> {
  // The rowid is a column of its own: an implicit one may change when the file is compacted.
  await sql`create table "searchText" (n integer primary key, id text not null unique, type text not null, text text not null)`.execute(
    db,
  )
  await sql`create virtual table "searchIndex" using fts5(text, content='searchText', content_rowid='n', tokenize='trigram case_sensitive 1')`.execute(
    db,
  )
  await sql`create trigger "searchText_added" after insert on "searchText" begin
    insert into "searchIndex"(rowid, text) values (new.n, new.text); end`.execute(db)
  await sql`create trigger "searchText_removed" after delete on "searchText" begin
    insert into "searchIndex"("searchIndex", rowid, text) values ('delete', old.n, old.text); end`.execute(db)
  await sql`create trigger "searchText_changed" after update on "searchText" begin
    insert into "searchIndex"("searchIndex", rowid, text) values ('delete', old.n, old.text);
    insert into "searchIndex"(rowid, text) values (new.n, new.text); end`.execute(db)
}

async function searchOnPostgres(db: AnyDb): Promise<void> {
  await sql`create extension if not exists pg_trgm schema public`.execute(db)
  await sql`create table "searchText" (id text collate "C" primary key, type text collate "C" not null, text text not null)`.execute(
    db,
  )
  await sql`create index "searchText_trigrams" on "searchText" using gin (text gin_trgm_ops)`.execute(db)
}
