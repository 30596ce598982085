// A migration beside a server that works: it gives way to what reads and writes.
import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { onPostgres } from '../../test/databases.ts'
import { MADE_UP, withMadeUp } from '../../test/made-up-migrations.ts'
import { migrate } from './migrate.ts'

async function connect(t: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(() => client.end())
  return client
}

onPostgres('a migration beside a server that works', (postgresDatabase) => {
  it('lets others write while it waits for a long transaction, and is done after that', async (t) => {
    const { db, url, remove } = await postgresDatabase()
    t.after(remove)
    const [long, short] = [await connect(t, url), await connect(t, url)]
    withMadeUp(t, 'alter table "pendingAct" add column "madeUp" text')
    await long.query('begin')
    await long.query('select * from "pendingAct"')
    let isDone = false
    const migrating = migrate(db).then(() => {
      isDone = true
    })
    // A write that comes while the migration waits stands behind it; it is done when the migration gives up, and the long one still reads.
    for (let turn = 0; turn < 5; turn++) {
      await sleep(100)
      const before = performance.now()
      await short.query('delete from "pendingAct" where false')
      assert.ok(performance.now() - before < 5_000, 'less than the ten seconds that a statement waits for a lock')
      assert.equal(isDone, false)
    }
    await long.query('commit')
    await migrating
    const { rows } = await short.query(`select name from kysely_migration where name = '${MADE_UP}'`)
    assert.equal(rows.length, 1)
    assert.equal((await short.query('select "madeUp" from "pendingAct"')).rows.length, 0)
  })
})
