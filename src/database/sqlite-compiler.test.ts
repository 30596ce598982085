// What becomes of a limit. SQLite plans for the one that is bound, and prepares the statement for each execution.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { onEveryEngine } from '../../test/world.ts'
import { engineOf } from './engine.ts'
import { type Bind, prepared } from './prepared.ts'
import type { Db } from './schema.ts'

type Limited = { limit: number; from: string }
type Given = Bind<Limited>
const built = (db: Db, given: Given) =>
  db.selectFrom('user').select('id').where('id', '>=', given('from')).orderBy('id').limit(given('limit'))
const raw = (db: Db, given: Given) => ({
  compile: () =>
    sql<{ id: string }>`select id from "user" where id >= ${given('from')} limit ${given('limit')}`.compile(db),
})

/** The rows of a kept query are known by the limit too. */
const lists = [built, raw].flatMap((build) =>
  [false, true].map((cached) => prepared<Limited, { id: string }>(build, { cached })),
)

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
    const raw = sql<{
      id: string
    }>`select id from (select id from "user" limit ${2}) as first order by id limit ${1} offset ${1}`
    const last = engineOf(db) === 'sqlite' ? 'limit 1 offset ?' : 'limit $2 offset $3'
    assert.ok(raw.compile(db).sql.endsWith(last), raw.compile(db).sql)
    assert.deepEqual((await raw.execute(db)).rows, (await two.execute()).slice(1))
  })

  it('is that of each run of a prepared query, whether its rows are kept or not', async ({ db, alice, bob }) => {
    await Promise.all([alice.account(), bob.account()])
    for (const list of lists) {
      for (const limit of [2, 1, 0, 2]) assert.equal((await list(db, { from: '', limit })).rows.length, limit)
      if (engineOf(db) === 'sqlite') await assert.rejects(list(db, { from: '', limit: 1.5 }), TypeError)
    }
  })
})
