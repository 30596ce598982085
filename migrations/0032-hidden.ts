// Things can be hidden while their rows stay. The indexes of lists leave hidden rows out, so lists cost what they did; comments, of which
// one thing has few, have the column in their indexes instead. What is done to everything of an account is a row that stores how far it
// got. One file for both engines.
import { type Kysely, PostgresAdapter, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is older than the schema the types describe
type AnyDb = Kysely<any>

const listed = ['bug', 'feature', 'post', 'orgUpload', 'bugLabel']
/** Not walked along by a list. */
const others = ['orgUpload_sha256', 'bugLabel_bug']
/** The bit of a blocked author (src/content/hiding/rules.ts). */
const BLOCKED = 16

export async function up(db: AnyDb): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const run = (statement: string) => sql.raw(statement).execute(db)
  const text = postgres ? 'text collate "C"' : 'text'
  for (const table of [...listed, 'comment', 'libraryItem']) {
    await run(`alter table "${table}" add column "hidden" integer not null default 0`)
  }
  for (const table of listed) {
    for (const { name, definition } of await indexesOf(db, postgres, table)) {
      if (others.includes(name)) continue
      await run(`drop index "${name}"`)
      await run(`${definition} where "hidden" = 0`)
    }
  }
  for (const { name, definition } of await indexesOf(db, postgres, 'comment')) {
    await run(`drop index "${name}"`)
    await run(definition.replace(/\)\s*$/, ', "hidden")'))
  }
  for (const kind of [[], ['kind']]) {
    for (const [order, columns] of Object.entries({ latest: [], popular: ['score'] })) {
      const name = ['libraryItem_visibility', ...kind, order].join('_')
      const on = ['visibility', ...kind, ...columns, 'updatedAt', 'id'].map((column) => `"${column}"`)
      await run(`drop index "${name}"`)
      await run(`create index "${name}" on "libraryItem" (${on}) where "listed" = 1`)
    }
  }
  for (const table of ['bug', 'feature', 'post', 'orgUpload', 'comment']) {
    await run(`create index "${table}_of_author" on "${table}" ("authorId", "id")`)
  }
  await run(`create index "libraryItem_of_owner" on "libraryItem" ("ownerId", "id")`)
  await run(`create table "accountSweep" ("userId" ${text} not null references "user" ("id") on delete cascade,
    "bit" integer not null, "isOn" integer not null, "place" ${text} not null, "done" integer not null,
    "total" integer, "startedAt" ${text} not null, "doneAt" ${text}, primary key ("userId", "bit"))`)
  await run(`create index "accountSweep_pending" on "accountSweep" ("startedAt", "userId") where "doneAt" is null`)
  await run(`insert into "accountSweep" ("userId", "bit", "isOn", "place", "done", "startedAt")
    select id, ${BLOCKED}, 1, '', 0, "blockedAt" from "user" where "blockedAt" is not null`)
}

interface Index {
  name: string
  definition: string
}

/** The indexes of a table that are not of a key. */
async function indexesOf(db: AnyDb, postgres: boolean, table: string): Promise<Index[]> {
  const catalog = postgres
    ? sql<Index>`select indexname as name, indexdef as definition from pg_indexes
        where schemaname = current_schema() and tablename = ${table} and indexdef not like 'CREATE UNIQUE%' order by 1`
    : sql<Index>`select name, sql as definition from sqlite_master
        where type = 'index' and tbl_name = ${table} and sql is not null order by 1`
  return (await catalog.execute(db)).rows
}
