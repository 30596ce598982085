// Comments on posts and feature requests, replies and reactions to comments, and one sequence of numbers for bugs, feature
// requests and posts. One file for both engines.
import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
const required = (column: ColumnDefinitionBuilder) => column.notNull()
const reactions = ['thumbs_up', 'heart', 'hooray', 'laugh', 'confused', 'eyes']
const numbered = ['bug', 'feature', 'post']

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const text = postgres ? sql`text collate "C"` : sql`text`
  for (const table of ['feature', 'post']) {
    await db.schema.alterTable(table).addColumn('commentCount', 'integer', zero).execute()
  }
  await replies(db, text)
  await reacting(db, text)
  if (postgres) {
    await sql`create trigger "changed" after insert or update or delete or truncate on reaction
      for each statement execute function "notify_change"()`.execute(db)
  }
  await numbers(db, postgres)
}

/** A comment is in the thread of what it is on, a reply in that of the comment it replies to. */
async function replies(db: AnyDb, text: RawBuilder<unknown>): Promise<void> {
  await db.schema.alterTable('comment').addColumn('parentId', text).execute()
  await db.schema
    .alterTable('comment')
    .addColumn('thread', text, (column) => column.notNull().defaultTo(''))
    .execute()
  for (const count of ['replyCount', 'score', ...reactions]) {
    await db.schema.alterTable('comment').addColumn(count, 'integer', zero).execute()
  }
  await sql`update comment set thread = "targetId"`.execute(db)
  await index(db, ['targetId', 'score', 'createdAt', 'id'])
  await index(db, ['thread', 'createdAt', 'id'])
  await index(db, ['thread', 'score', 'createdAt', 'id'])
}

const index = (db: AnyDb, columns: string[]) =>
  db.schema
    .createIndex(['comment', ...columns].join('_'))
    .on('comment')
    .columns(columns)
    .execute()

async function reacting(db: AnyDb, text: RawBuilder<unknown>): Promise<void> {
  await db.schema
    .createTable('reaction')
    .addColumn('commentId', text, (column) => column.notNull().references('comment.id').onDelete('cascade'))
    .addColumn('userId', text, required)
    .addColumn('reaction', text, required)
    .addPrimaryKeyConstraint('reaction_key', ['commentId', 'userId', 'reaction'])
    .execute()
}

/** What there is already is numbered by the time it was made. */
async function numbers(db: AnyDb, postgres: boolean): Promise<void> {
  await db.schema.alterTable('feedEntry').addColumn('number', 'integer').execute()
  await sql`update "feedEntry" set number = n from (
      select id as "of", row_number() over (order by "createdAt", id) as n from "feedEntry"
      where type in (${sql.join(numbered)})
    ) counted where counted."of" = "feedEntry".id`.execute(db)
  await db.schema.createIndex('feedEntry_number').unique().on('feedEntry').column('number').execute()
  for (const table of numbered) {
    await db.schema.alterTable(table).addColumn('number', 'integer', zero).execute()
    await sql`update ${sql.table(table)} set number =
      (select number from "feedEntry" where "feedEntry".id = ${sql.ref(`${table}.id`)})`.execute(db)
  }
  const last = sql`select coalesce(max(number), 0) from "feedEntry"`
  if (postgres) {
    await sql`create sequence "thingNumber"`.execute(db)
    await sql`select setval('"thingNumber"', (${last}) + 1, false)`.execute(db)
  } else {
    await sql`create table "thingNumber" (last integer not null)`.execute(db)
    await sql`insert into "thingNumber" (last) ${last}`.execute(db)
  }
}
