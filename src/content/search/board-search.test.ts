// The search of one board, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { MAX_CHARACTERS } from './board-search.ts'

const bug = { description: 'It stops', severity: 'low' } as const

async function fill({ admin, alice, moderator }: World) {
  await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
  await admin.boards.create({ slug: 'labs', name: 'Labs' })
  const ids: Record<string, string> = {}
  for (const [board, author] of [
    ['main', alice],
    ['labs', alice],
    ['staff', moderator],
  ] as const) {
    const { id } = await author.bugs.create({ ...bug, title: `Wombats burrow in ${board}`, board })
    await author.bugs.comment({ id, body: 'A burrow has a wombat' })
    await author.posts.create({ title: 'Prüfungen', body: `Of the **burrow**, v1.4.2: \`find_operation\``, board })
    await author.features.create({ title: 'Nothing', description: 'Else', board })
    ids[board] = id
  }
  return ids
}

const found = async (person: Person, input: Parameters<Person['search']['find']>[0]) =>
  (await person.search.find(input)).items.map(({ type, id }) => `${type} ${id}`)

const textOf = (parts: { text: string }[]) => parts.map(({ text }) => text).join('')

onEveryEngine('the search of a board', (it) => {
  it('finds things and comments of an open one, and nothing of others', async (world) => {
    const ids = await fill(world)
    const { anonymous } = world
    for (const board of ['main', 'labs']) {
      const { items, counts, total } = await anonymous.search.find({ q: 'wombat burrow', board })
      assert.deepEqual(items.map(({ type }) => type).sort(), ['bug', 'comment'], board)
      assert.equal(items.find(({ type }) => type === 'bug')?.id, ids[board])
      assert.deepEqual([total, counts.map(({ type }) => type).sort()], [2, ['bug', 'comment']])
      assert.deepEqual(await found(anonymous, { q: 'wombat burrow', board, type: 'bug' }), [`bug ${ids[board]}`])
    }
    assert.equal((await anonymous.search.find({ q: 'wombat burrow' })).total, 4)
    const first = await anonymous.search.find({ q: 'burrow', board: 'labs', per_page: 1, cursor: '' })
    assert.equal(typeof first.nextCursor, 'string')
    await assert.rejects(anonymous.search.find({ q: 'burrow', board: 'main', cursor: first.nextCursor! }), {
      status: 400,
    })
    const second = await anonymous.search.find({ q: 'burrow', board: 'labs', per_page: 1, cursor: first.nextCursor! })
    assert.notEqual(second.items[0]?.id, first.items[0]?.id)
  })

  it('looks through a closed one for who reads it, by the words of the index', async (world) => {
    const ids = await fill(world)
    const { alice, anonymous, moderator } = world
    const { items, counts, total, corrected } = await moderator.search.find({ q: 'burrows wombat', board: 'staff' })
    assert.deepEqual([total, corrected, counts], [1, [], [{ type: 'bug', count: 1, more: false }]])
    const [hit] = items
    assert.deepEqual([hit?.id, hit?.url], [ids['staff'], `/community/bugs/${ids['staff']}`])
    assert.equal(textOf(hit!.title), 'Wombats burrow in staff')
    assert.deepEqual(
      hit!.title.filter(({ match }) => match).map(({ text }) => text),
      ['Wombats', 'burrow'],
    )
    assert.notEqual(hit?.updatedAt, null)
    for (const q of ['prufung', 'PRÜFUNGEN', 'find operation', 'findOperation', '1.4.2', 'the burrow of'])
      assert.ok(
        (await found(moderator, { q, board: 'staff' })).some((one) => one.startsWith('post ')),
        q,
      )
    for (const q of ['wombat zebra', '', '%', "'", '\u0000'.slice(1)])
      assert.deepEqual(await found(moderator, { q, board: 'staff' }), [], q)
    assert.equal((await found(moderator, { q: 'burrow', board: 'staff', sort: 'newest' }))[0]?.slice(0, 4), 'post')
    assert.equal((await found(moderator, { q: 'burrow', board: 'staff', by: 'people' })).length, 2)
    assert.deepEqual(await found(moderator, { q: 'burrow', board: 'staff', by: 'agents' }), [])
    assert.deepEqual(await found(moderator, { q: 'burrow', board: 'staff', type: 'feature' }), [])
    for (const person of [alice, anonymous])
      for (const board of ['staff', 'none'])
        await assert.rejects(person.search.find({ q: 'burrow', board }), { status: 404 })
    for (const person of [alice, anonymous, moderator])
      assert.equal((await person.search.find({ q: 'wombat burrow' })).total, 4)
  })

  it('looks through so many characters of a closed one and no more, the newest first', async (world) => {
    const { admin, moderator, db } = world
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
    const older = await moderator.bugs.create({ ...bug, title: 'An old wombat', board: 'staff' })
    const newer = await moderator.bugs.create({ ...bug, title: 'A long text', board: 'staff' })
    const search = async (length: number) => {
      const description = 'x'.repeat(length)
      await db.updateTable('bug').set({ description }).where('id', '=', newer.id).execute()
      return moderator.search.find({ q: 'wombat', board: 'staff' })
    }
    const within = await search(MAX_CHARACTERS - 1)
    assert.deepEqual([within.items[0]?.id, within.total], [older.id, 1])
    assert.equal((await search(MAX_CHARACTERS)).total, 0)
  })

  it('pages through what it finds in a closed one', async (world) => {
    const { admin, moderator } = world
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
    for (let at = 0; at < 5; at++) await moderator.bugs.create({ ...bug, title: `Wombat ${at}`, board: 'staff' })
    const seen: string[] = []
    for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
      const page: Awaited<ReturnType<Person['search']['find']>> = await moderator.search.find({
        ...{ q: 'wombat', board: 'staff', per_page: 2, cursor },
      })
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    }
    assert.equal(new Set(seen).size, 5)
  })
})
