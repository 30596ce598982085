// Through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { BASE_URL, onEveryEngine } from '../../../test/world.ts'

const hello = { title: 'Hello', body: 'I am new here' } as const

onEveryEngine('posts', (it) => {
  it('are written by whoever is signed in, and read back by anybody', async ({ alice, bob, anonymous }) => {
    const post = await alice.posts.create({ ...hello, body: '  I am new here\n' })
    const { id: authorId } = await alice.account()
    assert.deepEqual(post, {
      ...hello,
      id: post.id,
      number: post.number,
      authorId,
      createdAt: post.createdAt,
      editedAt: null,
    })
    await alice.profile.setUsername({ username: 'Alice-1' })
    assert.deepEqual(await bob.posts.vote({ id: post.id, value: -1 }), { score: -1, myVote: -1 })
    const entry = {
      ...post,
      authorUsername: 'Alice-1',
      score: -1,
      myVote: 0,
      commentCount: 0,
      url: `/community/posts/${post.id}`,
      href: `${BASE_URL}/community/posts/${post.id}`,
      can: { edit: false, merge: false, delete: false, label: false },
      mergedCount: 0,
      labels: [],
      via: null,
    }
    assert.deepEqual(await anonymous.posts.get({ id: post.id }), entry)
    assert.deepEqual(await bob.posts.list(), { items: [{ ...entry, myVote: -1 }], hasMore: false, total: 1 })
    await assert.rejects(anonymous.posts.create(hello), { status: 401 })
    await assert.rejects(anonymous.posts.get({ id: 'nothing' }), { status: 404 })
  })

  it('take titles of 1 to 100 and bodies of 1 to 2000 characters', async ({ alice }) => {
    const create = (title: number, body: number) =>
      alice.posts.create({ title: 'x'.repeat(title), body: 'x'.repeat(body) })
    await create(1, 1)
    await create(100, 2000)
    for (const [title, body] of [
      [0, 1],
      [101, 1],
      [1, 0],
      [1, 2001],
    ] as const) {
      await assert.rejects(create(title, body), { status: 400 })
    }
  })

  it('are removed by their author, by moderators and by admins, and by nobody else', async (world) => {
    const { alice, bob, moderator, admin, blocked, anonymous, db } = world
    const first = await alice.posts.create(hello)
    const second = await alice.posts.create(hello)
    const third = await alice.posts.create(hello)
    await bob.posts.vote({ id: first.id, value: 1 })
    await assert.rejects(anonymous.posts.delete({ id: first.id }), { status: 401 })
    await assert.rejects(bob.posts.delete({ id: first.id }), { status: 403, message: 'Forbidden' })
    await assert.rejects(blocked.posts.delete({ id: first.id }), { status: 403, message: 'Account blocked' })
    await assert.rejects(bob.posts.delete({ id: 'nothing' }), { status: 404 })
    assert.deepEqual(await alice.posts.delete({ id: first.id }), { id: first.id })
    assert.deepEqual(await moderator.posts.delete({ id: second.id, reason: 'An advertisement' }), { id: second.id })
    assert.deepEqual(await admin.posts.delete({ id: third.id }), { id: third.id })
    await assert.rejects(alice.posts.delete({ id: first.id }), { status: 404 })
    for (const table of ['post', 'vote', 'feedEntry'] as const) {
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table)
    }
    assert.equal((await anonymous.posts.list()).total, 0)
    const { items } = await admin.admin.listAudit({ action: 'post.delete' })
    assert.deepEqual(
      items.map(({ targetId, reason }) => [targetId, reason]),
      [
        [third.id, null],
        [second.id, 'An advertisement'],
      ],
    )
  })

  it('come a page at a time in either order, from both ends of the list', async ({ alice, bob, anonymous }) => {
    const ids: string[] = []
    for (let n = 0; n < 7; n++) ids.unshift((await alice.posts.create({ ...hello, title: `Post ${n}` })).id)
    for (const id of [ids[4]!, ids[2]!]) await bob.posts.vote({ id, value: 1 })
    const pages = async (input: { sort?: 'latest' | 'popular'; per_page: number }) => {
      const walked: string[] = []
      for (let page = 0; ; page++) {
        const { items, hasMore, total } = await anonymous.posts.list({ ...input, page })
        assert.equal(total, 7)
        walked.push(...items.map(({ id }) => id))
        if (!hasMore) return walked
      }
    }
    const best = [ids[2], ids[4], ids[0], ids[1], ids[3], ids[5], ids[6]]
    for (const per_page of [1, 2, 3, 7, 100]) {
      assert.deepEqual(await pages({ per_page }), ids, `latest by ${per_page}`)
      assert.deepEqual(await pages({ per_page, sort: 'popular' }), best, `popular by ${per_page}`)
    }
    assert.deepEqual(await anonymous.posts.list({ page: 9 }), { items: [], hasMore: false, total: 7 })
    for (const per_page of [0, 101]) await assert.rejects(anonymous.posts.list({ per_page }), { status: 400 })
  })

  it('are found by parts of their words, a page at a time', async ({ alice, anonymous }) => {
    for (let n = 0; n < 5; n++) await alice.posts.create({ title: `Größe ${n}`, body: 'Ein "Zitat" und 50 % mehr' })
    await alice.posts.create({ title: 'Something', body: 'else' })
    for (const q of ['GRÖSSE', 'größe', 'rÖß', 'ÖS', 'ör', '"zitat"', '50 %', '%', '_']) {
      const found = await anonymous.posts.list({ q, per_page: 2, page: 1 })
      const expected = ['größe', 'rÖß', '"zitat"', '50 %', '%'].includes(q) ? 5 : 0
      assert.equal(found.total, expected, q)
      assert.equal(found.items.length, expected ? 2 : 0, q)
      assert.equal(found.hasMore, expected > 0, q)
    }
    const { id: authorId } = await alice.account()
    assert.equal((await anonymous.posts.list({ q: 'else', authorId })).total, 1)
    assert.equal((await anonymous.posts.list({ q: 'else', authorId: 'nobody' })).total, 0)
  })
})
