// Feature requests, posts, profiles, and what makes every list of the community a walk along an index: by author and by
// label, of accounts and of the audit log. One file for both engines.
import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>
type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

const required: Column = (column) => column.notNull()
const key: Column = (column) => column.primaryKey().notNull()
const zero: Column = (column) => column.notNull().defaultTo(0)

const latest = ['createdAt', 'id']
const popular = ['score', 'createdAt', 'id']

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`
  await things(db, text)
  await people(db, text)
  await search(db, postgres)
  await labelledBugs(db, text)
  await tallies(db)
}

async function things(db: AnyDb, text: RawBuilder<unknown>): Promise<void> {
  await db.schema
    .createTable('feature')
    .addColumn('id', text, key)
    .addColumn('title', text, required)
    .addColumn('description', text, required)
    .addColumn('authorId', text, required)
    .addColumn('status', text, required)
    .addColumn('score', 'integer', zero)
    .addColumn('createdAt', text, required)
    .addColumn('updatedAt', text, required)
    .execute()
  await db.schema
    .createTable('post')
    .addColumn('id', text, key)
    .addColumn('title', text, required)
    .addColumn('body', text, required)
    .addColumn('authorId', text, required)
    .addColumn('score', 'integer', zero)
    .addColumn('createdAt', text, required)
    .execute()
  await db.schema.dropIndex('bug_author').execute()
  for (const order of [latest, popular]) {
    await index(db, 'feature', order)
    await index(db, 'feature', ['status', ...order])
    await index(db, 'post', order)
    // An author's are few enough to be filtered on the way; the index holds what they are filtered by.
    await index(db, 'feature', ['authorId', ...order, 'status'])
    await index(db, 'post', ['authorId', ...order])
    await index(db, 'bug', ['authorId', ...order, 'status', 'severity'])
  }
}

/** Accounts can be searched for, and the newest of a type are found at once (src/database/search.ts). */
async function search(db: AnyDb, postgres: boolean): Promise<void> {
  const users = sql`id, 'user', lower(email || coalesce(' ' || username, '') || coalesce(' ' || name, '')) from "user"`
  if (postgres) {
    await sql`insert into "searchText" (id, type, text) select ${users}`.execute(db)
    await index(db, 'searchText', ['type', 'id'])
  } else {
    // What is there is of one type so far, and keeps the numbers below 2^40.
    await sql`insert into "searchText" (n, id, type, text)
      select (1 << 40) + row_number() over (order by id), ${users}`.execute(db)
    await index(db, 'searchText', ['type', 'n'])
  }
}

async function people(db: AnyDb, text: RawBuilder<unknown>): Promise<void> {
  await db.schema
    .createTable('profile')
    .addColumn('userId', text, (column) => column.primaryKey().notNull().references('user.id').onDelete('cascade'))
    .addColumn('tagline', text)
    .addColumn('jobTitle', text)
    .addColumn('company', text)
    .addColumn('tags', text, required)
    .addColumn('githubUrl', text)
    .addColumn('twitterUrl', text)
    .addColumn('linkedinUrl', text)
    .addColumn('websiteUrl', text)
    .execute()
  await index(db, 'user', latest)
  await index(db, 'user', ['role', ...latest])
  await db.schema
    .createIndex('user_blocked')
    .on('user')
    .columns(latest)
    .where(sql.ref('blockedAt'), 'is not', null)
    .execute()
  await index(db, 'audit', ['actorId', 'id'])
  await index(db, 'audit', ['action', 'id'])
}

async function labelledBugs(db: AnyDb, text: RawBuilder<unknown>): Promise<void> {
  for (const column of ['authorId', 'status', 'severity', 'createdAt']) {
    await db.schema
      .alterTable('bugLabel')
      .addColumn(column, text, (definition) => definition.notNull().defaultTo(''))
      .execute()
  }
  await db.schema.alterTable('bugLabel').addColumn('score', 'integer', zero).execute()
  for (const column of ['authorId', 'status', 'severity', 'createdAt', 'score']) {
    await sql`update "bugLabel" set ${sql.ref(column)} =
      (select ${sql.ref(`bug.${column}`)} from bug where bug.id = "bugLabel"."bugId")`.execute(db)
  }
  for (const order of [
    ['createdAt', 'bugId'],
    ['score', 'createdAt', 'bugId'],
  ]) {
    await index(db, 'bugLabel', ['labelId', ...order, 'status', 'severity'])
    await index(db, 'bugLabel', ['labelId', 'authorId', ...order, 'status', 'severity'])
  }
}

/** Bugs are counted by author and by label too, and so is what an author has in the feed. */
async function tallies(db: AnyDb): Promise<void> {
  await sql`delete from tally where key >= 'bug/' and key < 'bug0'`.execute(db)
  await sql`insert into tally (key, count)
    select 'bug/all/' || status || '/' || severity || '/', count(*) from bug group by status, severity`.execute(db)
  await sql`insert into tally (key, count)
    select 'bug/by/' || "authorId" || '/' || status || '/' || severity || '/', count(*)
    from bug group by "authorId", status, severity`.execute(db)
  await sql`insert into tally (key, count)
    select 'bug/label/' || "labelId" || '/' || status || '/' || severity || '/', count(*)
    from "bugLabel" group by "labelId", status, severity`.execute(db)
  await sql`insert into tally (key, count)
    select 'bug/label-by/' || "labelId" || '/' || "authorId" || '/' || status || '/' || severity || '/', count(*)
    from "bugLabel" group by "labelId", "authorId", status, severity`.execute(db)
  await sql`insert into tally (key, count)
    select 'feed/by/' || "authorId" || '/', count(*) from "feedEntry" group by "authorId"`.execute(db)
}

async function index(db: AnyDb, table: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex([table, ...columns].join('_').slice(0, 63))
    .on(table)
    .columns(columns)
    .execute()
}
