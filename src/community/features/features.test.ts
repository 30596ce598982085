// Through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { BASE_URL, onEveryEngine } from '../../../test/world.ts'

const wish = { title: 'Dark mode', description: 'For the night' } as const

onEveryEngine('feature requests', (it) => {
  it('are on the roadmap by status, the most voted first', async ({ alice, bob, admin, anonymous }) => {
    const made = []
    for (let n = 0; n < 5; n++) made.push(await alice.features.create({ title: `Wish ${n}`, description: 'Please' }))
    const [, first, planned, shipped, declined] = made.map(({ id }) => id) as [string, string, string, string, string]
    await bob.features.vote({ id: first, value: 1 })
    for (const [id, status] of [
      [planned, 'planned'],
      [shipped, 'shipped'],
      [declined, 'declined'],
    ] as const) {
      await admin.features.setStatus({ id, status })
    }
    const { columns } = await anonymous.features.roadmap()
    assert.deepEqual(
      columns.map(({ status, total, items }) => [status, total, items.map(({ title, score }) => `${title} ${score}`)]),
      [
        ['open', 2, ['Wish 1 1', 'Wish 0 0']],
        ['planned', 1, ['Wish 2 0']],
        ['shipped', 1, ['Wish 3 0']],
      ],
    )
    for (let n = 0; n < 20; n++) await alice.features.create({ title: `More ${n}`, description: 'Please' })
    const [open] = (await anonymous.features.roadmap()).columns
    assert.deepEqual([open?.total, open?.items.length], [22, 20])
  })

  it('are asked for open, and read back by anybody', async ({ alice, anonymous }) => {
    const feature = await alice.features.create({ title: '  Dark mode ', description: 'For the night' })
    assert.equal(feature.title, 'Dark mode')
    assert.equal(feature.status, 'open')
    assert.equal(feature.createdAt, feature.updatedAt)
    const { id: authorId } = await alice.account()
    const entry = {
      ...feature,
      authorId,
      authorUsername: null,
      score: 0,
      myVote: 0,
      commentCount: 0,
      url: `/community/features/${feature.id}`,
      href: `${BASE_URL}/community/features/${feature.id}`,
      can: { edit: false, close: false, merge: false, delete: false, label: false, setStatus: false },
      mergedCount: 0,
      labels: [],
      via: null,
    }
    assert.deepEqual(await anonymous.features.get({ id: feature.id }), entry)
    assert.deepEqual(await anonymous.features.list(), { items: [entry], hasMore: false, total: 1 })
    const { items } = await anonymous.feed.list()
    assert.deepEqual(
      items.map(({ id, type, preview }) => ({ id, type, preview })),
      [{ id: feature.id, type: 'feature', preview: 'For the night' }],
    )
    await assert.rejects(anonymous.features.get({ id: 'nothing' }), { status: 404 })
  })

  it('take titles of 1 to 100 and descriptions of 1 to 1000 characters', async ({ alice }) => {
    const create = (title: number, description: number) =>
      alice.features.create({ title: 'x'.repeat(title), description: 'x'.repeat(description) })
    await create(1, 1)
    await create(100, 1000)
    for (const [title, description] of [
      [0, 1],
      [101, 1],
      [1, 0],
      [1, 1001],
    ] as const) {
      await assert.rejects(create(title, description), { status: 400 })
    }
    await assert.rejects(alice.features.create({ ...wish, title: '   ' }), { status: 400 })
  })

  it('get their status from admins only', async ({ alice, moderator, admin, blocked, anonymous }) => {
    const { id } = await alice.features.create(wish)
    const set = { id, status: 'planned' } as const
    await assert.rejects(anonymous.features.setStatus(set), { status: 401 })
    await assert.rejects(alice.features.setStatus(set), { status: 403, message: 'Forbidden' })
    await assert.rejects(moderator.features.setStatus(set), { status: 403, message: 'Forbidden' })
    await assert.rejects(blocked.features.setStatus(set), { status: 403, message: 'Forbidden' })
    assert.deepEqual(await admin.features.setStatus(set), { status: 'planned' })
    assert.equal((await alice.features.get({ id })).status, 'planned')
    assert.deepEqual(await admin.features.setStatus({ id, status: 'open' }), { status: 'open' })
    await assert.rejects(admin.features.setStatus({ id, status: 'done' as 'open' }), { status: 400 })
    await assert.rejects(admin.features.setStatus({ id: 'nothing', status: 'open' }), { status: 404 })
  })

  it('are removed by their author, whatever others voted, and by moderators', async (world) => {
    const { alice, bob, moderator, blocked, anonymous, db } = world
    const { id } = await alice.features.create(wish)
    await bob.features.vote({ id, value: 1 })
    await assert.rejects(anonymous.features.delete({ id }), { status: 401 })
    for (const person of [bob, blocked]) {
      await assert.rejects(person.features.delete({ id }), { status: 403, message: 'Forbidden' })
      await assert.rejects(person.features.delete({ id: 'nothing' }), { status: 403, message: 'Forbidden' })
    }
    assert.deepEqual(await alice.features.delete({ id }), { id })
    await assert.rejects(alice.features.delete({ id }), { status: 403 })
    await assert.rejects(moderator.features.delete({ id }), { status: 404 })
    const other = await bob.features.create(wish)
    assert.deepEqual(await moderator.features.delete({ id: other.id }), { id: other.id })
    for (const table of ['feature', 'vote', 'feedEntry'] as const) {
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table)
    }
    const found = await anonymous.features.list()
    assert.deepEqual(found, { items: [], hasMore: false, total: 0 })
  })

  it('are filtered by status, author and words, and counted right', async ({ alice, bob, admin, anonymous }) => {
    const made = []
    for (const title of ['Dark mode', 'Light mode', 'Sound']) made.push(await alice.features.create({ ...wish, title }))
    const his = await bob.features.create({ ...wish, title: 'Dark sounds' })
    await admin.features.setStatus({ id: made[0]!.id, status: 'shipped' })
    await bob.features.vote({ id: made[1]!.id, value: 1 })
    const titles = async (input: Parameters<typeof anonymous.features.list>[0]) => {
      const { items, total, hasMore } = await anonymous.features.list(input)
      assert.equal(hasMore, false)
      assert.equal(total, items.length)
      return items.map(({ title }) => title)
    }
    assert.deepEqual(await titles({}), ['Dark sounds', 'Sound', 'Light mode', 'Dark mode'])
    assert.deepEqual(await titles({ sort: 'popular' }), ['Light mode', 'Dark sounds', 'Sound', 'Dark mode'])
    assert.deepEqual(await titles({ status: 'shipped' }), ['Dark mode'])
    assert.deepEqual(await titles({ status: 'open', authorId: his.authorId }), ['Dark sounds'])
    assert.deepEqual(await titles({ authorId: made[0]!.authorId }), ['Sound', 'Light mode', 'Dark mode'])
    assert.deepEqual(await titles({ q: 'DARK' }), ['Dark sounds', 'Dark mode'])
    assert.deepEqual(await titles({ q: 'da' }), ['Dark sounds', 'Dark mode'])
    assert.deepEqual(await titles({ q: 'sound', status: 'shipped' }), [])
    assert.deepEqual(await titles({ q: '100%_' }), [])
    assert.deepEqual((await bob.features.list({ sort: 'popular' })).items[0]!.myVote, 1)
  })
})
