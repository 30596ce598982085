// What the search leaves out, however much there is of it, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine, type World } from '../../test/world.ts'
import { changeSearch } from './indexing.ts'

const LOUD = 600

/** Posts of one author, written straight into the search: through the front door they would take days. */
const put = ({ db }: World, authorId: string, count: number) =>
  db.transaction().execute((transaction) =>
    changeSearch(transaction, {
      put: Array.from({ length: count }, (_, n) => ({
        ...{ id: `${authorId}/${n}`, type: 'post', authorId, title: 'A quokka', body: '', url: '/' },
        createdAt: '2026-11-20T09:00:00.000Z',
      })),
    }),
  )

onEveryEngine('the search of what many say', (it) => {
  it('is not crowded out by an author who is blocked', async (world) => {
    const { alice, blocked, anonymous } = world
    const [{ id: calm }, { id: loud }] = await Promise.all([alice.account(), blocked.account()])
    await put(world, calm, 2)
    await put(world, loud, LOUD)
    for (const type of [undefined, 'post']) {
      const { items, total } = await anonymous.search.find({ q: 'quokka', ...(type && { type }) })
      assert.deepEqual([items.map(({ id }) => id).sort(), total], [[`${calm}/0`, `${calm}/1`], 2])
    }
    await put(world, calm, LOUD)
    assert.equal((await anonymous.search.find({ q: 'quokka' })).total, 300)
  })

  it('comes newest first where that is asked for, of more hits than can be paged through too', async (world) => {
    const { alice, db, anonymous } = world
    const { id: authorId } = await alice.account()
    const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString()
    const put = (n: number, type: 'post' | 'bug', title: string) => ({
      ...{ id: `${type}/${n}`, type, authorId, title, body: 'A quokka', url: '/', createdAt: day(n) },
    })
    const many = Array.from({ length: LOUD }, (_, n) =>
      put(n, n % 7 === 0 ? 'bug' : 'post', n < 9 ? 'Quokka' : 'Other'),
    )
    await db.transaction().execute((transaction) => changeSearch(transaction, { put: many }))
    const expected = Array.from(
      { length: 30 },
      (_, at) => `${(LOUD - 1 - at) % 7 === 0 ? 'bug' : 'post'}/${LOUD - 1 - at}`,
    )
    const { items } = await anonymous.search.find({ q: 'quokka', sort: 'newest', per_page: 30 })
    assert.deepEqual(
      items.map(({ id }) => id),
      expected,
    )
    const best = await anonymous.search.find({ q: 'quokka', per_page: 1 })
    assert.notEqual(best.items[0]?.id, expected[0])
  })
})
