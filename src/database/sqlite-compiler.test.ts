// What becomes of a limit. SQLite plans for the one that is bound, and prepares the statement for each execution.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { onEveryEngine } from '../../test/world.ts'
import { engineOf } from './engine.ts'

onEveryEngine('the limit of a statement', (it) => {
  it('is a number in it on SQLite, and gives so many rows', async ({ db, alice, bob }) => {
    await Promise.all([alice.account(), bob.account()])
    const two = db.selectFrom('user').select('id').orderBy('id').limit(2)
    const { sql: text, parameters } = two.compile()
    const expected = engineOf(db) === 'sqlite' ? ['limit 2', []] : ['limit $1', [2]]
    assert.deepEqual([/limit \S+$/.exec(text)?.[0], parameters], expected)
    assert.equal((await two.execute()).length, 2)
    assert.equal((await two.limit(1).execute()).length, 1)
    assert.equal((await two.limit(sql<number>`1 + ${1}`).execute()).length, 2)
  })
})
