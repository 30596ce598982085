// The feed of one board, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'

const bug = { description: 'It stops', severity: 'low' } as const

/** Two things of each kind in a board, in turns with others in the first one; the ids, newest first. */
async function fill({ alice, moderator, clock }: World, board: string | undefined): Promise<string[]> {
  const ids: string[] = []
  const place = board === undefined ? {} : { board }
  for (const at of [1, 2]) {
    const title = `Thing ${at}`
    const made = [
      () => moderator.bugs.create({ ...bug, title, ...place }),
      () => moderator.features.create({ title, description: 'D'.repeat(300), ...place }),
      () => (board === 'staff' ? moderator : alice).posts.create({ title, body: 'B', ...place }),
      () => moderator.changelog.create({ title, body: 'B', ...place }),
    ]
    for (const make of made) {
      ids.unshift((await make()).id)
      clock.pass(1)
    }
  }
  return ids
}

async function twoBoards({ admin }: World) {
  await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
  await admin.boards.create({ slug: 'labs', name: 'Labs' })
}

const idsOf = async (person: Person, input: Parameters<Person['feed']['list']>[0]) =>
  (await person.feed.list(input)).items.map(({ id }) => id)

/** All pages, by their numbers and by cursors. */
async function paged(person: Person, input: { board: string; per_page: number; sort?: 'latest' | 'popular' }) {
  const numbered: string[] = []
  for (let page = 0, more = true; more; page++) {
    const found = await person.feed.list({ ...input, page })
    numbered.push(...found.items.map(({ id }) => id))
    more = found.hasMore
  }
  const followed: string[] = []
  for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
    const { items, nextCursor }: Awaited<ReturnType<Person['feed']['list']>> = await person.feed.list({
      ...input,
      cursor,
    })
    followed.push(...items.map(({ id }) => id))
    cursor = nextCursor
  }
  return { numbered, followed }
}

onEveryEngine('the feed of a board', (it) => {
  it('has what is in an open board, in the first one or in a closed one, page by page', async (world) => {
    const { alice, anonymous, moderator } = world
    await twoBoards(world)
    const [main, labs, staff] = [await fill(world, undefined), await fill(world, 'labs'), await fill(world, 'staff')]
    for (const [board, ids] of [
      ['main', main],
      ['labs', labs],
      ['staff', staff],
    ] as const) {
      for (const per_page of [1, 3, 100]) {
        const { numbered, followed } = await paged(moderator, { board, per_page })
        assert.deepEqual([numbered, followed], [ids, ids], `${board} by ${per_page}`)
      }
      await moderator.bugs.vote({ id: ids[7]!, value: 1 })
      const { numbered, followed } = await paged(moderator, { board, per_page: 3, sort: 'popular' })
      assert.deepEqual(numbered, [ids[7], ...ids.slice(0, 7)])
      assert.deepEqual(followed, numbered)
    }
    for (const person of [alice, anonymous]) {
      assert.deepEqual(await idsOf(person, { board: 'labs' }), labs)
      for (const board of ['staff', 'none'])
        await assert.rejects(person.feed.list({ board }), { status: 404 }, `${board} is not there`)
    }
    assert.equal((await anonymous.feed.list({ per_page: 100 })).items.length, main.length + labs.length)
  })

  it('shows things as the feed does, with its filters', async (world) => {
    const { alice, moderator, anonymous } = world
    await twoBoards(world)
    await fill(world, 'labs')
    const whole = new Map((await anonymous.feed.list()).items.map((item) => [item.id, item]))
    const { items } = await anonymous.feed.list({ board: 'labs' })
    assert.equal(items.length, whole.size)
    for (const item of items) assert.deepEqual(item, whole.get(item.id))
    const { id: authorId } = await alice.account()
    assert.equal((await anonymous.feed.list({ board: 'labs', authorId })).items.length, 2)
    assert.equal((await anonymous.feed.list({ board: 'labs', type: 'bug' })).items.length, 2)
    assert.deepEqual((await anonymous.feed.list({ board: 'labs', type: 'org' })).items, [])
    assert.equal((await anonymous.feed.list({ board: 'labs', by: 'people' })).items.length, 8)
    assert.deepEqual((await anonymous.feed.list({ board: 'labs', by: 'agents' })).items, [])
    const { nextCursor } = await anonymous.feed.list({ board: 'labs', per_page: 1, cursor: '' })
    await assert.rejects(anonymous.feed.list({ board: 'main', cursor: nextCursor! }), { status: 400 })
    await fill(world, 'staff')
    const { items: inside } = await moderator.feed.list({ board: 'staff', per_page: 1 })
    assert.deepEqual(inside[0]?.url, `/community/changelog/${inside[0]?.id}`)
  })

  it('leaves out what is hidden and what a blocked account wrote', async (world) => {
    const { admin, alice, moderator } = world
    await twoBoards(world)
    await fill(world, 'labs')
    const { id } = await moderator.posts.create({ title: 'Gone', body: 'B', board: 'labs' })
    await moderator.posts.delete({ id })
    await admin.admin.block({ id: (await alice.account()).id, blocked: true })
    const { items } = await moderator.feed.list({ board: 'labs' })
    assert.equal(items.length, 6)
    assert.ok(items.every(({ type }) => type !== 'post'))
  })

  it('is counted by type, for those who read the board, without what is hidden and of who is blocked', async (world) => {
    const { admin, alice, bob, moderator, anonymous } = world
    await twoBoards(world)
    await fill(world, 'labs')
    await fill(world, 'staff')
    const of = async (person: typeof anonymous, board: string, more: object = {}) =>
      (await person.feed.counts({ board, ...more })).counts
    const lists = async (person: typeof anonymous, board: string) => {
      const { items } = await person.feed.list({ board, per_page: 100 })
      const types = Map.groupBy(items, ({ type }) => type)
      return Object.fromEntries([...types].map(([type, some]) => [type, some.length]))
    }
    for (const board of ['labs', 'staff']) assert.deepEqual(await of(moderator, board), await lists(moderator, board))
    const { id: authorId } = await alice.account()
    const mine = await of(anonymous, 'labs', { authorId })
    assert.equal(
      Object.values(mine).reduce((sum, count) => sum + count),
      2,
    )
    assert.deepEqual(Object.values(await of(anonymous, 'labs', { by: 'agents' })), [0, 0, 0, 0])
    for (const person of [anonymous, bob]) await assert.rejects(of(person, 'staff'), { status: 404 })
    await assert.rejects(of(moderator, 'none'), { status: 404 })
    await admin.admin.block({ id: authorId, blocked: true })
    assert.deepEqual(
      Object.fromEntries(Object.entries(await of(anonymous, 'labs')).filter(([, count]) => count > 0)),
      await lists(anonymous, 'labs'),
    )
    await admin.settings.change({ changes: { PARTS_OFF: 'bugs' } })
    assert.equal('bug' in (await of(anonymous, 'labs')), false)
  })
})
