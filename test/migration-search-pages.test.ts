// An index of full text that was written in large pages is found in small ones as before.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { up } from '../migrations/0051-search-pages.ts'
import { engineOf } from '../src/database/engine.ts'
import { onEveryEngine } from './world.ts'

onEveryEngine('the migration to small pages of the search', (it) => {
  it('finds what it found, and what comes later', async ({ alice, anonymous, db }) => {
    const isSqlite = engineOf(db) === 'sqlite'
    const large = sql`insert into "searchTerms" ("searchTerms", rank) values ('pgsz', 4050)`
    if (isSqlite) await large.execute(db)
    const titles = Array.from({ length: 40 }, (_, n) => `A quokka of ${n} numbats`)
    for (const title of titles) await alice.posts.create({ title, body: 'B' })
    const found = async () => (await anonymous.search.find({ q: 'quokka numbat', per_page: 100 })).items
    const before = await found()
    assert.equal(before.length, titles.length)
    await db.transaction().execute((transaction) => up(transaction))
    assert.deepEqual(await found(), before)
    await alice.posts.create({ title: 'A quokka and a numbat', body: 'B' })
    assert.equal((await found()).length, titles.length + 1)
    if (!isSqlite) return
    const { rows } = await sql`select v from "searchTerms_config" where k = 'pgsz'`.execute(db)
    assert.deepEqual(rows, [{ v: 1_000 }])
  })
})
