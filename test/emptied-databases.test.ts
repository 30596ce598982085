// A database on PostgreSQL goes from one test to the next: without its rows, and only with the schema that the migrations made.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { onPostgres } from './databases.ts'
import { lendDatabase } from './postgres-databases.ts'

/** Whether a database can be emptied after these statements, and the rows of two tables that it then has. */
async function emptiedAfter(...statements: string[]) {
  const { url, empty, giveBack } = await lendDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
    const isEmpty = await empty()
    const { rows } = await client.query(
      'select (select count(*)::int from setting) as others, (select count(*)::int from setup) as own',
    )
    return { isEmpty, rows: rows[0] }
  } finally {
    await client.end()
    await giveBack()
  }
}

onPostgres('a lent database', () => {
  const insertion = `insert into setting (name, value, "changedAt") values ('name', 'x', '2026-01-01T00:00:00.000Z')`

  it('has the rows of the migrations alone after a test that wrote to it', async () => {
    const { isEmpty, rows } = await emptiedAfter(insertion, 'delete from setup')
    assert.deepEqual({ isEmpty, rows }, { isEmpty: true, rows: { others: 0, own: 1 } })
  })

  const changes = [
    'alter table setting add column extra int',
    'alter table setting drop column "actorId"',
    'create function extra() returns int language sql as $$ select 1 $$',
    'drop trigger "itemText_owner" on "user"',
  ]
  for (const change of changes) {
    it(`is made again after \`${change}\``, async () => {
      assert.equal((await emptiedAfter(change)).isEmpty, false)
      assert.equal((await emptiedAfter()).isEmpty, true)
    })
  }
})
