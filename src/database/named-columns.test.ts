// Statements of PostgreSQL name their columns, so that tables may grow under a process that runs.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { onPostgres } from '../../test/databases.ts'
import { openPostgres } from './postgres.ts'

onPostgres('every way to ask for all columns', (open) => {
  it('goes on after a column is added', async () => {
    const { db: owner, url, remove } = await open()
    const store = openPostgres(url, { connections: 2 })
    const { db } = store
    try {
      await store.readColumns()
      const label = { id: 'a', name: 'Late', nameKey: 'late', color: '#aabbcc' }
      const ways = {
        insert: () =>
          db
            .insertInto('label')
            .values(label)
            .onConflict((on) => on.column('id').doUpdateSet({ name: 'Late' }))
            .returningAll(),
        select: () => db.selectFrom('label').selectAll().where('id', '=', 'a'),
        'of one table': () =>
          db
            .selectFrom('label as l')
            .leftJoin('bugLabel as b', 'b.labelId', 'l.id')
            .selectAll('l')
            .where('l.id', '=', 'a'),
        'of a query': () =>
          db.selectFrom(db.selectFrom('label').selectAll().where('id', '=', 'a').as('one')).selectAll(),
        update: () => db.updateTable('label').set({ color: '#000000' }).where('id', '=', 'a').returningAll(),
      }
      const run = async () => {
        const found: Record<string, string[]> = {}
        for (const [name, way] of Object.entries(ways)) {
          for (const row of await way().execute()) found[name] = Object.keys(row).sort()
          await db.transaction().execute(async (transaction) => void (await transaction.executeQuery(way().compile())))
        }
        return found
      }
      const first = await run()
      assert.deepEqual(Object.keys(first), Object.keys(ways))
      const count = db.selectFrom('label').select(({ fn }) => fn.countAll().as('count'))
      assert.equal(Number((await count.executeTakeFirstOrThrow()).count), 1)
      await sql`alter table label add column later text`.execute(owner)
      assert.deepEqual(await run(), first)
      assert.equal(Number((await count.executeTakeFirstOrThrow()).count), 1)
      const plain = openPostgres(url, { connections: 2 })
      assert.ok(
        'later' in (await plain.db.selectFrom('label').selectAll().executeTakeFirstOrThrow()),
        'without their names',
      )
      await plain.db.destroy()
    } finally {
      await db.destroy()
      await remove()
    }
  })
})
