// What the search leaves out, however much there is of it, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine, type World } from '../../test/world.ts'
import { MAX_CHOSEN, MAX_COUNTED } from './finding.ts'
import { changeSearch } from './indexing.ts'
import { WINDOW } from './reading-queries.ts'
import { stemOf } from './stem.ts'

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

  it('looks at the newest of each type where every word is common, and says that there are more', async (world) => {
    const { alice, anonymous, db } = world
    const { id: authorId } = await alice.account()
    const words = ['quokka', 'numbat', 'potoroo', 'bettong', 'dunnart', 'bilby', 'quoll', 'kowari']
    const put = Array.from({ length: WINDOW + 2 }, (_, n) => ({
      ...{ id: `common/${n}`, type: 'post' as const, authorId, url: '/', createdAt: '2026-11-20T09:00:00.000Z' },
      title: n === 0 ? `${words.join(' ')} too` : 'Other',
      body: n === 0 ? '' : words.slice(0, 4).join(' '),
    }))
    await db.transaction().execute((transaction) => changeSearch(transaction, { put }))
    // As many documents as would take a day to write: the counts are what the search goes by.
    const terms = ['', ...words.map(stemOf)]
    await db
      .insertInto('searchCount')
      .values(terms.map((term) => ({ term, count: 0 })))
      .onConflict((c) => c.doNothing())
      .execute()
    await db.updateTable('searchCount').set({ count: 2_000 }).where('term', 'in', terms).execute()
    const { items, counts, corrected } = await anonymous.search.find({ q: words.slice(0, 4).join(' '), per_page: 100 })
    assert.deepEqual(counts, [{ type: 'post', count: MAX_COUNTED, more: true }])
    assert.ok(items.length === 100 && items.every(({ id }) => id !== 'common/0'), 'the oldest is not looked at')
    assert.deepEqual(corrected, [])
    const all = await anonymous.search.find({ q: words.join(' '), per_page: 100 })
    assert.ok(all.items.length === 100 && all.items.every(({ id }) => id !== 'common/0'), 'nor of a sentence')
    const newest = await anonymous.search.find({ q: words.join(' '), sort: 'newest' })
    assert.deepEqual(newest.items, [], 'its only hit is older, and common words are not taken for others')
  })
})

/** What is found, by the words that tell the documents apart. */
async function found({ anonymous }: World, q: string, more: { sort?: 'newest' } = {}): Promise<string[]> {
  const { items } = await anonymous.search.find({ q, ...more })
  return items.map(({ id }) => id)
}

onEveryEngine('the search of a sentence', (it) => {
  const texts = {
    rare: ['Sync stops', 'The tokenizer says quota_exceeded and stops until midnight.'],
    common: ['Sync of calendars', 'Calendars are in sync when both were opened.'],
    long: ['Notes of a week', `Sync was slow. ${'Many other things were said about other things. '.repeat(40)}`],
    apart: ['Colours', 'A darker green for the headings.'],
  }
  const putTexts = async ({ alice, db }: World) => {
    const { id: authorId } = await alice.account()
    const put = Object.entries(texts).map(([id, [title = '', body = '']]) => ({
      ...{ id, type: 'post' as const, authorId, title, body, url: '/', createdAt: '2026-11-20T09:00:00.000Z' },
    }))
    await db.transaction().execute((transaction) => changeSearch(transaction, { put }))
  }
  const ERROR = 'worker crashed with error quota_exceeded while sync was running'

  it('finds what has some of its words: rare ones count more, and long texts less', async (world) => {
    await putTexts(world)
    const ids = await found(world, ERROR)
    assert.equal(ids[0], 'rare')
    assert.ok(!ids.includes('apart'))
    assert.deepEqual(await found(world, 'why is my sync of accounts slow after updating'), ['long'], 'sync says little')
    assert.deepEqual(await found(world, 'sync of contacts breaks offline on tablets'), ['common', 'rare', 'long'])
  })

  it('needs most words of three, and of more where the newest come first', async (world) => {
    await putTexts(world)
    assert.deepEqual(await found(world, 'notes darker tokenizer'), [])
    assert.deepEqual(await found(world, 'sync of darker tokenizer headings'), ['apart', 'rare'])
    assert.deepEqual(await found(world, ERROR, { sort: 'newest' }), [])
  })

  it('takes 32 words, corrects those that are nowhere, and puts what is named so first', async (world) => {
    await putTexts(world)
    const filler = Array.from({ length: 31 }, (_, n) => `zq${n}`)
    assert.deepEqual(await found(world, [...filler, 'tokenizer'].join(' ')), ['rare'])
    assert.deepEqual(await found(world, [...filler, 'zq31', 'tokenizer'].join(' ')), [])
    const { items, corrected } = await world.anonymous.search.find({ q: 'midnihgt failures happen daily' })
    assert.deepEqual([items.map(({ id }) => id), corrected], [['rare'], [{ word: 'midnihgt', to: 'midnight' }]])
    const title = 'The green headings of calendars and colours are darker than before tonight'
    const { id } = await world.alice.posts.create({ title, body: '-' })
    assert.equal((await found(world, title))[0], id)
  })
})

onEveryEngine(
  'the search while bugs are off',
  (it) => {
    it('finds no comment on one, however many there are', async (world) => {
      const { alice, anonymous, db } = world
      const { id: authorId } = await alice.account()
      const common = { authorId, title: '', body: 'A quokka', url: '/', createdAt: '2026-11-20T09:00:00.000Z' }
      const on = (parentType: string, count: number) => [
        { ...common, id: parentType, type: parentType as 'bug' | 'post', title: 'Other', body: '' },
        ...Array.from({ length: count }, (_, n) => ({
          ...{ ...common, id: `${parentType}/${n}`, type: 'comment' as const },
          ...{ parentType, parentId: parentType },
        })),
      ]
      for (const put of [on('post', 1), on('bug', MAX_CHOSEN + 1)])
        await db.transaction().execute((transaction) => changeSearch(transaction, { put }))
      for (const q of ['quokka', 'quokka numbat potoroo bettong']) {
        const { items, total } = await anonymous.search.find({ q })
        assert.deepEqual([items.filter(({ id }) => id.startsWith('bug')), total <= 1], [[], true], q)
      }
    })
  },
  { PARTS_OFF: 'bugs' },
)
