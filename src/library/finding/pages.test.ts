// Pages of the library's lists and searches, however far: each has what the whole list has there, by page and by cursor.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { up } from '../../../migrations/0003-ordered-tags.ts'
import { allOf } from '../../../test/cursors.ts'
import { workflowFile } from '../../../test/library.ts'
import { onOldDatabase } from '../../../test/old-databases.ts'
import { complaintsOf } from '../../../test/sound.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import type { Db } from '../../database/schema.ts'
import { required } from '../../runtime/untyped.ts'
import { addItem, type NewItem } from '../changing/changes.ts'
import { insertDetails } from '../items/version-queries.ts'

const idOf = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`
const orders = ['latest', 'popular', 'best'] as const

interface MadeItem {
  index: number
  kind: 'workflow' | 'org' | 'skill'
  score: number
  rank: number
  description: string
  tags: string[]
}

/** Items, the oldest first, with votes and ranks as if they had come. */
async function make({ db, alice }: World, items: readonly MadeItem[]): Promise<void> {
  const { id: ownerId } = await alice.account()
  const tooMany = { sha256: 'a'.repeat(64), size: 2, meta: {} }
  await db.transaction().execute(async (transaction) => {
    for (const { index, kind, description, tags } of items) {
      const at = new Date(Date.UTC(2026, 0, 1) + (index >> 1) * 1000).toISOString()
      const item: NewItem = {
        ...{ id: idOf(index), kind, slug: `slug-${index}`, ownerId, gallery: 0, name: `word-${index}`, description },
        ...{ keywords: '', visibility: index % 5 ? 'public' : 'official', version: '1.0.0', tags },
        ...{ createdAt: at, updatedAt: at, ...tooMany },
      }
      const details = { itemId: item.id, version: '1.0.0', readme: null, contents: '{}', meta: null }
      await addItem(transaction, item, () => insertDetails(transaction, details))
    }
  })
  for (const { index, score, rank } of items) {
    await db.updateTable('libraryItem').set({ score, rank }).where('id', '=', idOf(index)).execute()
  }
}

const made = (count: number, more: (index: number) => Partial<MadeItem>): MadeItem[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ index, kind: index % 3 ? ('workflow' as const) : ('org' as const), score: (index * 7) % 5 },
    ...{ rank: (index * 11) % 4, description: 'common text', tags: ['all'], ...more(index) },
  }))

const by = (order: (typeof orders)[number]) => (a: MadeItem, b: MadeItem) =>
  (order === 'popular' ? b.score - a.score : order === 'best' ? b.rank - a.rank : 0) ||
  (b.index >> 1) - (a.index >> 1) ||
  b.index - a.index

type Query = Parameters<Person['library']['list']>[0]

/** Every page and every cursor of a list has these items. */
async function assertPages(person: Pick<Person, 'library'>, query: Query, wanted: readonly MadeItem[], per_page = 7) {
  const ids = wanted.map(({ index }) => idOf(index))
  const what = JSON.stringify(query)
  for (let page = 1; (page - 2) * per_page < ids.length; page++) {
    const found = await person.library.list({ ...query, page, per_page })
    const from = (page - 1) * per_page
    assert.equal(found.total, ids.length, what)
    assert.deepEqual(
      found.items.map(({ id }) => id),
      ids.slice(from, from + per_page),
      `${what}, page ${page}`,
    )
  }
  const all = await allOf((cursor) => person.library.list({ ...query, cursor, per_page }))
  assert.deepEqual(
    all.map(({ id }) => id),
    ids,
    `${what}, by cursor`,
  )
}

onEveryEngine('pages of a tag', (it) => {
  it('have its items in every order, of every list, as votes, ranks and updates leave them', async (world) => {
    const { alice, bob, admin, anonymous } = world
    const items = made(60, (index) => ({
      tags: index % 4 ? ['all'] : ['all', 'some'],
      ...(index % 10 === 9 && { kind: 'skill' }),
    }))
    await make(world, items)
    const listed = items.filter(({ kind }) => kind !== 'skill')
    const some = listed.filter(({ index }) => index % 4 === 0)
    for (const sort of orders) {
      const inOrder = (those: readonly MadeItem[]) => those.toSorted(by(sort))
      await assertPages(anonymous, { sort, tag: 'all' }, inOrder(listed))
      await assertPages(anonymous, { sort, tag: 'some' }, inOrder(some))
      await assertPages(
        anonymous,
        { sort, tag: 'all', kind: 'skill' },
        inOrder(items.filter((one) => one.kind === 'skill')),
      )
      await assertPages(
        anonymous,
        { sort, tag: 'some', kind: 'org' },
        inOrder(some.filter((one) => one.kind === 'org')),
      )
      await assertPages(
        anonymous,
        { sort, tag: 'all', scope: 'official' },
        inOrder(listed.filter(({ index }) => index % 5 === 0)),
      )
      await assertPages(alice, { sort, tag: 'some', scope: 'mine' }, inOrder(some))
    }
    const [first, last] = [required(some[0]), required(some.at(-1))]
    await bob.library.vote({ id: idOf(first.index), value: 1 })
    const voted = some.map((one) => (one === first ? { ...one, score: one.score + 1 } : one))
    await assertPages(anonymous, { sort: 'popular', tag: 'some' }, voted.toSorted(by('popular')))
    await alice.library.update({ id: idOf(last.index), visibility: 'private' })
    await assertPages(anonymous, { tag: 'some' }, some.slice(0, -1).toSorted(by('latest')))
    await alice.library.update({ id: idOf(last.index), visibility: 'public' })
    await admin.library.delete({ id: idOf(first.index), reason: 'A copy' })
    assert.equal((await anonymous.library.list({ tag: 'some' })).total, some.length - 1)
    // The items are made without votes and slugs.
    assert.deepEqual(
      (await complaintsOf(world)).filter((sentence) => sentence.includes('tag')),
      [],
    )
  })

  it('begin with what was published just now', async (world) => {
    const { alice, anonymous } = world
    await make(
      world,
      made(9, () => ({})),
    )
    const { id } = await alice.library.publish({
      kind: 'workflow',
      file: workflowFile(),
      visibility: 'public',
      tags: 'all',
    })
    assert.equal((await anonymous.library.list({ tag: 'all', per_page: 1 })).items[0]?.id, id)
    await alice.library.update({ id, tags: ['other'] })
    assert.equal((await anonymous.library.list({ tag: 'all' })).total, 9)
    assert.equal((await anonymous.library.list({ tag: 'other' })).items[0]?.id, id)
  })
})

onEveryEngine('a search of the library', (it) => {
  it('means its letters as they are, and one of a list its words', async ({ alice, anonymous }) => {
    const name = 'The agent restarts at night'
    await alice.library.publish({ kind: 'workflow', file: workflowFile({ name }), visibility: 'public' })
    await alice.bugs.create({ title: name, description: 'It does', severity: 'low' })
    const found = async (q: string) => [
      (await anonymous.bugs.list({ q })).total,
      (await anonymous.library.list({ q })).total,
    ]
    for (const [q, wanted] of [
      ['agent restarts', [1, 1]],
      ['GENT  rest', [1, 0]],
      ['gent rest', [1, 1]],
      ['restarts agent', [1, 0]],
      ['restarting', [1, 0]],
      ['restar', [1, 1]],
      ['ag', [1, 1]],
      ['a_ent', [0, 0]],
      ['"agent"', [0, 0]],
      ['%', [0, 0]],
      ['nothing agent', [0, 0]],
    ] as const) {
      assert.deepEqual(await found(q), wanted, q)
    }
  })
})

onEveryEngine('pages of a search', (it) => {
  it('have the hits in every order, wherever in it they are', async (world) => {
    const { anonymous } = world
    // More than can be paged through, behind all others in one order and between them in the others.
    const items = made(1_300, (index) => ({
      description: index < 1_010 ? 'early text' : 'late text',
      score: index < 1_010 ? 0 : 1,
      tags: index % 2 ? ['all'] : ['all', 'even'],
    }))
    await make(world, items)
    for (const sort of orders) {
      const inOrder = (those: readonly MadeItem[]) => those.toSorted(by(sort)).slice(0, 1_000)
      await assertPages(anonymous, { sort, q: 'early' }, inOrder(items.slice(0, 1_010)), 100)
      await assertPages(anonymous, { sort, q: 'late' }, inOrder(items.slice(1_010)), 100)
      await assertPages(anonymous, { sort, q: 'text' }, inOrder(items), 100)
      await assertPages(anonymous, { sort, q: 'xt' }, inOrder(items), 100)
      const even = items.filter(({ index }) => index % 2 === 0)
      await assertPages(
        anonymous,
        { sort, q: 'early', tag: 'even' },
        inOrder(even.filter(({ index }) => index < 1_010)),
        100,
      )
      await assertPages(
        anonymous,
        { sort, q: 'text', tag: 'all', kind: 'org' },
        inOrder(items.filter((one) => one.kind === 'org')),
        100,
      )
    }
  })

  it('follow a commit at once, and a cursor goes on where the item before it was', async (world) => {
    const { alice, bob, anonymous } = world
    const items = made(300, () => ({ score: 0 }))
    await make(world, items)
    const query = { q: 'common', sort: 'popular', per_page: 20 } as const
    const ordered = items.toSorted(by('popular')).map(({ index }) => idOf(index))
    const last = await anonymous.library.list({ ...query, page: 15 })
    assert.deepEqual(
      last.items.map(({ id }) => id),
      ordered.slice(280),
    )
    const page = await anonymous.library.list({ ...query, cursor: '' })
    await bob.library.vote({ id: required(ordered[19]), value: 1 })
    const next = await anonymous.library.list({ ...query, cursor: required(page.nextCursor) })
    assert.deepEqual(
      next.items.map(({ id }) => id),
      ordered.slice(20, 40),
    )
    assert.equal((await anonymous.library.list({ ...query, page: 1 })).items[0]?.id, ordered[19])
    await alice.library.update({ id: required(ordered[298]), visibility: 'private' })
    const shorter = await anonymous.library.list({ ...query, page: 15 })
    assert.deepEqual([shorter.total, shorter.items.at(-1)?.id], [299, ordered[299]])
  })
})

const insertOld = async (db: Db) => {
  const item = (
    rowId: number,
    score: number,
  ) => sql`(${rowId}, ${idOf(rowId)}, 'workflow', ${`slug-${rowId}`}, 'Name', '', '', 'owner',
    'public', 1, 0, '1.0.0', '', 2, '{}', '["old"]', ${score}, '2026-01-01', '2026-01-01')`
  await sql`insert into "libraryItem" ("rowId", id, kind, slug, name, description, keywords, "ownerId", visibility, listed, gallery, version,
    sha256, size, meta, tags, score, "createdAt", "updatedAt") values ${sql.join([item(1, 3), item(2, 5)])}`.execute(db)
  const tags = [1, 2].map((rowId) => sql`('old', ${idOf(rowId)})`)
  await sql`insert into "itemTag" (tag, "itemId") values ${sql.join(tags)}`.execute(db)
}

onOldDatabase('tags of before have what their items have', '0003-ordered-tags', async (db) => {
  await insertOld(db)
  await db.transaction().execute((transaction) => up(transaction))
  const scores = async () => await db.selectFrom('itemTag').select(['score', 'kind']).orderBy('score').execute()
  assert.deepEqual(await scores(), [
    { score: 3, kind: 'workflow' },
    { score: 5, kind: 'workflow' },
  ])
  await db.updateTable('libraryItem').set({ score: 9 }).where('rowId', '=', 1).execute()
  assert.deepEqual(
    (await scores()).map(({ score }) => score),
    [5, 9],
  )
})

/** So many newer items of the same text, without what the search does not read. */
async function addNewer(db: Db, like: string, { from, count }: { from: number; count: number }): Promise<void> {
  const item = await db.selectFrom('libraryItem').selectAll().where('id', '=', like).executeTakeFirstOrThrow()
  const text = await db.selectFrom('itemText').selectAll().where('rowId', '=', item.rowId).executeTakeFirstOrThrow()
  for (let begin = from; begin < from + count; begin += 500) {
    const some = Array.from({ length: Math.min(500, from + count - begin) }, (_, n) => begin + n)
    const places = some.map((n) => ({ rowId: 100_000 + n, id: idOf(n), slug: `slug-${n}` }))
    await db
      .insertInto('libraryItem')
      .values(places.map((place) => ({ ...item, ...place })))
      .execute()
    await db
      .insertInto('itemText')
      .values(places.map(({ rowId }) => ({ ...text, rowId })))
      .execute()
  }
}

onEveryEngine('a search for two characters', (it) => {
  it('looks at 10,000 items, and not at one more', async (world) => {
    const { db, anonymous } = world
    await make(
      world,
      made(2, (index) => ({ kind: 'workflow', description: index === 0 ? 'it has ~~ in it' : 'it has not' })),
    )
    const found = async () => (await anonymous.library.list({ q: '~~' })).items.map(({ id }) => id)
    await addNewer(db, idOf(1), { from: 10, count: 9_998 })
    assert.deepEqual(await found(), [idOf(0)])
    await addNewer(db, idOf(1), { from: 20_000, count: 1 })
    assert.deepEqual(await found(), [])
  })
})
