// Lists, search, tags and totals, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { automationFile, orgFile, workflowFile } from '../../test/library.ts'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'
import { addItem, type NewItem } from './changing/changes.ts'
import { insertDetails } from './items/version-queries.ts'

const names = (page: { items: { name: string }[] }) => page.items.map(({ name }) => name)

const publish = (person: Person, name: string, more: object = {}) =>
  person.library.publish({ kind: 'workflow', file: workflowFile({ name }), visibility: 'public', ...more })

/** Many items without the cost of uploading each; the name of item `i` holds `word-i`. */
/** In the order of their numbers. */
const idOf = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`

async function fillWith({ db, alice }: World, count: number, more: (index: number) => object = () => ({})) {
  const { id: ownerId } = await alice.account()
  await db.transaction().execute(async (transaction) => {
    for (let index = 0; index < count; index++) {
      const at = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString()
      const item: NewItem = {
        ...{
          id: idOf(index),
          kind: 'workflow',
          slug: `slug-${index}`,
          ownerId,
          gallery: 0,
        },
        ...{ name: `word-${index}`, description: 'common text', keywords: '', visibility: 'public', version: '1.0.0' },
        ...{
          sha256: 'a'.repeat(64),
          size: 2,
          meta: {},
          tags: ['all'],
          createdAt: at,
          updatedAt: at,
        },
        ...more(index),
      }
      const { id: itemId, version } = item
      const details = { itemId, version, readme: null, contents: '{}', meta: null }
      await addItem(transaction, item, () => insertDetails(transaction, details))
    }
  })
}

onEveryEngine('library lists', (it) => {
  it('filter by kind, scope, tag and text, with totals', async ({ alice, bob, admin, anonymous }) => {
    await alice.library.publish({ kind: 'automation', file: automationFile(), visibility: 'public', tags: 'a,b' })
    await alice.library.publish({ kind: 'org', file: orgFile(), visibility: 'public', tags: 'b' })
    await publish(admin, 'Official One', { visibility: 'official', tags: 'a' })
    await publish(alice, 'Hidden', { visibility: 'private', tags: 'a' })
    const count = async (query: string, person: Person = anonymous) => {
      const answer = await person.request(`/api/library/items${query}`)
      const page = (await answer.json()) as { items: unknown[]; total: number }
      assert.equal(page.items.length, page.total, query)
      return page.total
    }
    for (const [query, total] of [
      ...([
        ['', 3],
        ['?kind=', 3],
        ['?kind=Workflows', 1],
        ['?kind=ORG', 1],
        ['?scope=official', 1],
      ] as const),
      ...([
        ['?scope=official&kind=org', 0],
        ['?tag=a', 2],
        ['?tag=A', 2],
        ['?tag=b&kind=org', 1],
        ['?tag=c', 0],
      ] as const),
      ...([
        ['?q=board', 1],
        ['?q=BOARD', 1],
        ['?q=hidden', 0],
        ['?q=a&kind=org', 1],
        ['?q=harbor-board&tag=b', 1],
      ] as const),
      ...([
        ['?q=harbor-board&tag=c', 0],
        ['?q=official&scope=official', 1],
        ['?q=board&scope=official', 0],
      ] as const),
      ...([
        ['?q=%25', 0],
        ['?q=_', 0],
        ['?q=%22', 0],
        ['?q=b%20OR%20a', 0],
        ['?q=%20', 3],
        ['?q=hidden&tag=a', 0],
      ] as const),
    ]) {
      assert.equal(await count(query), total, query)
    }
    assert.equal(await count('?scope=mine', alice), 3)
    assert.equal(await count('?scope=mine&kind=workflow', alice), 1)
    assert.equal(await count('?scope=mine&q=hidden', alice), 1)
    assert.equal(await count('?scope=mine&tag=a', alice), 2)
    assert.equal(await count('?scope=mine', bob), 0)
    for (const query of [
      'kind=widget',
      'scope=all',
      'sort=worst',
      'page=0',
      'page=x',
      'page=1.5',
      'per_page=101',
      'per_page=0',
    ]) {
      const answer = await anonymous.request(`/api/library/items?${query}`)
      assert.equal(answer.status, 400, query)
      assert.equal(((await answer.json()) as { error: { code: string } }).error.code, 'invalid_request')
    }
    assert.equal((await anonymous.library.list({ per_page: 100, page: 9 })).items.length, 0)
    assert.equal((await anonymous.library.list({ per_page: 1 })).total, 3)
    assert.deepEqual((await anonymous.library.list()).per_page, 24)
  })

  it('are ordered by update or votes, with no item twice', async (world) => {
    const { alice, bob, anonymous } = world
    await fillWith(world, 60, (index) => ({ updatedAt: `2026-01-01T00:00:00.${String(index >> 3).padStart(3, '0')}Z` }))
    const walk = async (sort: 'latest' | 'popular', more: object = {}) => {
      const seen: string[] = []
      for (let page = 1; ; page++) {
        const { items, total } = await anonymous.library.list({ sort, page, per_page: 7, ...more })
        assert.equal(total, 60)
        seen.push(...items.map(({ id }) => id))
        if (items.length < 7) return seen
      }
    }
    const newestFirst = Array.from({ length: 60 }, (_, index) => idOf(59 - index))
    assert.deepEqual(await walk('latest'), newestFirst)
    assert.deepEqual(await walk('latest', { q: 'common' }), newestFirst)
    assert.deepEqual(await walk('latest', { q: 'co' }), newestFirst)
    assert.deepEqual(await walk('latest', { tag: 'all' }), newestFirst)
    await alice.library.vote({ id: idOf(3), value: 1 })
    await bob.library.vote({ id: idOf(3), value: 1 })
    await alice.library.vote({ id: idOf(40), value: -1 })
    const rest = newestFirst.filter((id) => id !== idOf(3) && id !== idOf(40))
    for (const more of [{}, { q: 'common' }, { tag: 'all' }, { q: 'te' }]) {
      assert.deepEqual(await walk('popular', more), [idOf(3), ...rest, idOf(40)])
    }
    await alice.library.update({ id: idOf(3), name: 'Newest' })
    assert.equal((await anonymous.library.list()).items[0]!.name, 'Newest')
    assert.equal((await alice.library.list({ q: 'newest' })).items[0]!.my_vote, 1)
  })

  it('count a common word up to 1,000, and find in it what is rare', async (world) => {
    const { anonymous } = world
    await fillWith(world, 1_102, (index) =>
      index % 2 ? {} : { kind: 'org', visibility: index % 200 ? 'public' : 'official' },
    )
    assert.equal((await anonymous.library.list({ q: 'common' })).total, 1_000)
    assert.equal((await anonymous.library.list({ tag: 'all' })).total, 1_102)
    assert.equal((await anonymous.library.list({ q: 'common', kind: 'org' })).total, 551)
    assert.equal((await anonymous.library.list({ q: 'common', scope: 'official' })).total, 6)
    assert.equal((await anonymous.library.list({ q: 'common', tag: 'all' })).total, 1_000)
    const late = await anonymous.library.list({ q: 'common', page: 40, per_page: 25 })
    assert.deepEqual(names(late), names(await anonymous.library.list({ page: 40, per_page: 25 })))
    assert.deepEqual((await anonymous.library.list({ q: 'common', page: 41, per_page: 25 })).items, [])
    assert.deepEqual(names(await anonymous.library.list({ tag: 'all', page: 111, per_page: 10 })), ['word-1', 'word-0'])
    assert.deepEqual(names(await anonymous.library.list({ q: 'ord-1101' })), ['word-1101'])
    assert.equal((await anonymous.library.list({ q: '11' })).total, 22)
  })

  it('find by every text an item has, and by its owner as he is called now', async ({ alice, anonymous }) => {
    await alice.profile.setUsername({ username: 'Quayside' })
    const { id } = await publish(alice, 'Grüße vom Ærø-Fähranleger', { description: 'Σίσυφος waits', tags: 'ferries' })
    const total = async (q: string) => (await anonymous.library.list({ q })).total
    for (const q of [
      'grüsse',
      'GRÜßE',
      'fähr',
      'Fa\u0308hr',
      'σίσ',
      'ΊΣΥ',
      'ferri',
      'hranleg',
      'quays',
      'AYSI',
      'ey',
    ]) {
      assert.equal(await total(q), q === 'grüsse' || q === 'ey' ? 0 : 1, q)
    }
    await alice.profile.setUsername({ username: 'Harbourmaster' })
    assert.equal(await total('quays'), 0)
    assert.equal(await total('bourmas'), 1)
    await alice.library.update({ id, name: 'Plain', description: '', tags: ['other'] })
    assert.equal(await total('fähr'), 0)
    assert.equal(await total('fahranl'), 1)
    assert.equal(await total('σίσ'), 0)
    assert.equal(await total('ferries'), 0)
    assert.equal(await total('bourmas'), 1)
    assert.equal((await anonymous.library.list({ tag: 'ferries' })).total, 0)
    assert.equal((await anonymous.library.list({ tag: 'other' })).total, 1)
  })

  it('count tags as items come, change and go', async ({ alice, admin, anonymous }) => {
    const tags = async (query: Parameters<Person['library']['tags']>[0] = {}) =>
      Object.fromEntries((await anonymous.library.tags(query)).items.map(({ tag, count }) => [tag, count]))
    const one = await publish(alice, 'One', { tags: 'a,b' })
    const two = await publish(alice, 'Two', { tags: 'a' })
    await alice.library.publish({ kind: 'org', file: orgFile(), tags: 'a,c' })
    assert.deepEqual(await tags(), { a: 2, b: 1 })
    await alice.library.update({ id: two.id, tags: ['c'] })
    assert.deepEqual(await tags(), { a: 1, b: 1, c: 1 })
    await alice.library.update({ id: one.id, visibility: 'private' })
    assert.deepEqual(await tags(), { c: 1 })
    await admin.library.update({ id: two.id, visibility: 'official' })
    assert.deepEqual(await tags({ scope: 'official' }), { c: 1 })
    assert.deepEqual(await tags({ kind: 'workflows' }), { c: 1 })
    assert.deepEqual(await tags({ kind: 'org' }), {})
    await alice.library.update({ id: one.id, visibility: 'public' })
    const { items, total } = await anonymous.library.tags({ per_page: 2 })
    assert.deepEqual([items.map(({ tag }) => tag), total], [['a', 'b'], 3])
    await alice.library.delete({ id: one.id })
    await admin.library.delete({ id: two.id })
    assert.deepEqual(await tags(), {})
    assert.equal((await anonymous.library.list()).total, 0)
  })

  it('keep right totals when many publish at once', async ({ alice, bob, moderator, anonymous }) => {
    const people = [alice, bob, moderator]
    await Promise.all(people.map((person) => person.account()))
    const racing = Array.from({ length: 30 }, (_, index) =>
      publish(people[index % 3]!, `Same ${index % 4}`, { tags: ['a,b,c', 'c,b', 'b,a'][index % 3] }),
    )
    const items = await Promise.all(racing)
    await Promise.all(items.slice(0, 10).map(({ id }, index) => people[index % 3]!.library.update({ id, tags: ['c'] })))
    await Promise.all(items.slice(10, 20).map(({ id }, index) => people[(index + 10) % 3]!.library.delete({ id })))
    assert.equal((await anonymous.library.list()).total, 20)
    const { items: tags } = await anonymous.library.tags()
    for (const { tag, count } of tags)
      assert.equal((await anonymous.library.list({ tag, per_page: 50 })).items.length, count)
    assert.equal(tags.find(({ tag }) => tag === 'c')!.count, 16)
  })
})
