// A database goes from one test to the next: without its rows, and only with the schema that the migrations made.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { type Open, onPostgres, sqliteDatabase, type TestDatabase } from './databases.ts'

/** What the next test reads after one that ran a statement. */
async function nextAfter(open: Open, statement: string, read: RawBuilder<object>) {
  const run = async (work: (database: TestDatabase) => Promise<unknown>) => {
    const database = await open()
    const result = await work(database)
    await database.remove()
    return result
  }
  const found = ({ db }: TestDatabase) => read.execute(db).then(({ rows }) => rows)
  const before = await run(found)
  const changed = await run(async (database) => {
    await sql.raw(statement).execute(database.db)
    return found(database)
  })
  assert.notDeepEqual(changed, before)
  return { before, after: await run(found) }
}

describe('the database of a test on SQLite', { skip: process.env['TEST_SQLITE'] === 'off' }, () => {
  const columns = sql<object>`select name from pragma_table_info('setting')`
  const cases = {
    "insert into setting (name, value, \"changedAt\") values ('name', 'x', '2026-01-01')": sql<object>`select * from setting`,
    'delete from setup': sql<object>`select * from setup`,
    "insert into setting (name, value, \"changedAt\") values ('name', hex(zeroblob(4000000)), '2026-01-01')": sql<object>`select * from setting`,
    'alter table setting add column extra int': columns,
    'create table extra (id int)': sql<object>`select name from sqlite_schema where name = 'extra'`,
  }
  for (const [statement, read] of Object.entries(cases)) {
    it(`has nothing of \`${statement}\` in the next one`, async () => {
      const { before, after } = await nextAfter(sqliteDatabase, statement, read)
      assert.deepEqual(after, before)
    })
  }

  it('is the same one with its connections, unless its file was written', async () => {
    const urlAfter = async (bytes: number) => {
      const { db, url, remove } = await sqliteDatabase()
      await db
        .insertInto('setting')
        .values({ name: 'name', value: 'x'.repeat(bytes), changedAt: '2026-01-01' })
        .execute()
      assert.equal((await db.selectFrom('setting').selectAll().execute()).length, 1)
      await remove()
      return url
    }
    const url = await urlAfter(10)
    assert.equal(await urlAfter(10), url)
    assert.equal(await urlAfter(8_000_000), url)
    assert.notEqual(await urlAfter(10), url)
  })
})

onPostgres('the database of a test on PostgreSQL', (open) => {
  const columns = sql<object>`select attname from pg_attribute where attrelid = 'setting'::regclass and attnum > 0 and not attisdropped`
  const cases = {
    "insert into setting (name, value, \"changedAt\") values ('name', 'x', '2026-01-01')": sql<object>`select * from setting`,
    'delete from setup': sql<object>`select * from setup`,
    'alter table setting add column extra int': columns,
    'alter table setting drop column "actorId"': columns,
    'create function extra() returns int language sql as $$ select 1 $$': sql<object>`select from pg_proc where proname = 'extra'`,
    'drop trigger "itemText_owner" on "user"': sql<object>`select tgname from pg_trigger where tgrelid = '"user"'::regclass and not tgisinternal`,
  }
  for (const [statement, read] of Object.entries(cases)) {
    it(`has nothing of \`${statement}\` in the next one`, async () => {
      const { before, after } = await nextAfter(open, statement, read)
      assert.deepEqual(after, before)
    })
  }
})
