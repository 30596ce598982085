// The feed: its entries, order and pages.
import assert from 'node:assert/strict'
import { it as plainIt } from 'node:test'
import { sql } from 'kysely'
import { BASE_URL, onEveryEngine } from '../../../test/world.ts'
import { engineOf } from '../../database/engine.ts'
import { preview } from '../preview.ts'

const bug = (title: string, description = 'It stops') => ({ title, description, severity: 'low' as const })

onEveryEngine('the feed', (it) => {
  it('shows the newest first, in pages of 20, to anybody', async ({ alice, anonymous }) => {
    await alice.profile.setUsername({ username: 'alice' })
    for (let index = 0; index < 21; index++) await alice.bugs.create(bug(`Bug ${index}`))
    const { items, hasMore } = await anonymous.feed.list()
    assert.equal(hasMore, true)
    assert.deepEqual(
      items.map(({ title }) => title),
      Array.from({ length: 20 }, (_, index) => `Bug ${20 - index}`),
    )
    const { id: authorId } = await alice.account()
    assert.deepEqual(items[0], {
      id: items[0]!.id,
      type: 'bug',
      title: 'Bug 20',
      preview: 'It stops',
      authorId,
      authorUsername: 'alice',
      createdAt: items[0]!.createdAt,
      updatedAt: items[0]!.createdAt,
      score: 0,
      myVote: 0,
      commentCount: 0,
      url: `/community/bugs/${items[0]!.id}`,
      href: `${BASE_URL}/community/bugs/${items[0]!.id}`,
      number: 21,
      status: 'open',
      via: null,
    })
    const rest = await anonymous.feed.list({ page: 1 })
    assert.deepEqual([rest.items.map(({ title }) => title), rest.hasMore], [['Bug 0'], false])
    assert.deepEqual(await anonymous.feed.list({ page: 2 }), { items: [], hasMore: false })
  })

  it('takes a page that makes no sense for the first, and a sort it does not know for the latest', async ({
    alice,
    anonymous,
  }) => {
    await alice.bugs.create(bug('One'))
    for (const query of [
      'page=-1',
      'page=x',
      'page=1.5',
      'page=',
      'page=1e999',
      'sort=worst',
      'sort=',
      'authorId=',
      'type=',
      'type=worm',
    ]) {
      const response = await anonymous.request(`/api/community/feed?${query}`)
      assert.equal(response.status, 200, query)
      assert.equal((await response.json()).items.length, query === 'authorId=' ? 0 : 1, query)
    }
  })

  it('is empty past its end, however far', async ({ alice, anonymous }) => {
    await alice.bugs.create(bug('One'))
    for (const page of ['1', '1000000000', '1000000001', '99999999999999999999', '1e99']) {
      const response = await anonymous.request(`/api/community/feed?page=${page}`)
      assert.deepEqual([response.status, await response.json()], [200, { items: [], hasMore: false }], page)
      const bugs = await anonymous.request(`/api/community/bugs?page=${page}`)
      assert.deepEqual([bugs.status, (await bugs.json()).items], [200, []], page)
    }
  })

  it('sorts by score and then by time, and knows my vote', async ({ alice, bob, anonymous }) => {
    const [one, two, three] = [
      await alice.bugs.create(bug('1')),
      await alice.bugs.create(bug('2')),
      await alice.bugs.create(bug('3')),
    ]
    await bob.bugs.vote({ id: two.id, value: 1 })
    await bob.bugs.vote({ id: three.id, value: -1 })
    const popular = await bob.feed.list({ sort: 'popular' })
    assert.deepEqual(
      popular.items.map(({ id, score, myVote }) => [id, score, myVote]),
      [
        [two.id, 1, 1],
        [one.id, 0, 0],
        [three.id, -1, -1],
      ],
    )
    assert.ok((await anonymous.feed.list()).items.every(({ myVote }) => myVote === 0))
  })

  it('shows one author on request, and never a blocked one', async ({ alice, blocked, db }) => {
    const mine = await alice.bugs.create(bug('Mine'))
    const { id: blockedId } = await blocked.account()
    await db.updateTable('user').set({ blockedAt: null }).where('id', '=', blockedId).execute()
    await blocked.bugs.create(bug('Theirs'))
    assert.equal((await alice.feed.list()).items.length, 2)
    assert.deepEqual(
      (await alice.feed.list({ authorId: mine.authorId })).items.map(({ id }) => id),
      [mine.id],
    )
    await db.updateTable('user').set({ blockedAt: new Date().toISOString() }).where('id', '=', blockedId).execute()
    assert.deepEqual(
      (await alice.feed.list()).items.map(({ id }) => id),
      [mine.id],
    )
    assert.deepEqual((await alice.feed.list({ authorId: blockedId })).items, [])
    assert.equal((await blocked.feed.list()).items.length, 1, 'a blocked reader is an anonymous user, not an error')
  })
})

onEveryEngine('the feed of one type', (it) => {
  it('shows that type alone, in either order, of one author too', async ({ alice, bob, anonymous }) => {
    const first = await alice.bugs.create(bug('First bug'))
    const second = await bob.bugs.create(bug('Second bug'))
    const post = await alice.posts.create({ title: 'A post', body: 'Of words' })
    await alice.bugs.vote({ id: first.id, value: 1 })
    const ids = async (input: Parameters<typeof anonymous.feed.list>[0]) =>
      (await anonymous.feed.list(input)).items.map(({ id }) => id)
    assert.deepEqual(await ids({ type: 'bug' }), [second.id, first.id])
    assert.deepEqual(await ids({ type: 'bug', sort: 'popular' }), [first.id, second.id])
    assert.deepEqual(await ids({ type: 'post' }), [post.id])
    assert.deepEqual(await ids({ type: 'org' }), [])
    assert.deepEqual(await ids({ type: 'bug', authorId: post.authorId }), [first.id])
    assert.deepEqual(await ids({ type: 'bug', authorId: second.authorId, sort: 'popular' }), [second.id])
    await alice.posts.delete({ id: post.id })
    assert.deepEqual(await ids({ type: 'post' }), [])
    assert.deepEqual(await ids({}), [second.id, first.id])
  })
})

onEveryEngine('pages far down the feed', (it) => {
  it('go on where the one before ended, in either order and whoever is blocked', async ({ alice, bob, db, clock }) => {
    const people = [alice, bob]
    const made: { id: string; type: 'bug' | 'post'; authorId: string; score: number }[] = []
    for (let n = 0; n < 480; n++) {
      const author = people[n % 3 === 0 ? 1 : 0]!
      const type = n % 11 < 3 ? 'post' : 'bug'
      const slice = { post: author.posts, bug: author.bugs }[type]
      const { id, authorId } = await (type === 'post'
        ? author.posts.create({ title: `Post ${n}`, body: 'Of words' })
        : author.bugs.create(bug(`Bug ${n}`)))
      const score = n % 7 === 0 ? 1 : 0
      if (score) await slice.vote({ id, value: 1 })
      made.unshift({ id, type, authorId, score })
      clock.pass(n % 2)
    }
    const { id: bobsId } = await bob.account()
    const tied = new Map(
      (await db.selectFrom('feedEntry').select(['id', 'createdAt']).execute()).map((e) => [e.id, e.createdAt]),
    )
    const inTime = (a: string, b: string) => {
      const [one, other] = [`${tied.get(a)} ${a}`, `${tied.get(b)} ${b}`]
      return one < other ? 1 : -1
    }
    made.sort((a, b) => inTime(a.id, b.id))
    for (const blockedAt of [null, new Date().toISOString()]) {
      await db.updateTable('user').set({ blockedAt }).where('id', '=', bobsId).execute()
      const ways = (['latest', 'popular'] as const).flatMap((sort) => [{ sort }, { sort, type: 'bug' as const }])
      for (const { sort, type } of ways as { sort: 'latest' | 'popular'; type?: 'bug' }[]) {
        const expected = made
          .filter(({ authorId }) => blockedAt === null || authorId !== bobsId)
          .filter((entry) => type === undefined || entry.type === type)
        if (sort === 'popular') expected.sort((a, b) => b.score - a.score)
        const found: string[] = []
        for (let page = 0; ; page++) {
          const { items, hasMore } = await alice.feed.list({ sort, type, page })
          found.push(...items.map(({ id }) => id))
          if (!hasMore) break
        }
        assert.deepEqual(
          found,
          expected.map(({ id }) => id),
        )
        assert.deepEqual(await alice.feed.list({ sort, type, page: 1000 }), { items: [], hasMore: false })
        const bobs = await alice.feed.list({ sort, type, page: 2, authorId: bobsId })
        assert.equal(bobs.items.length, blockedAt === null ? 20 : 0)
      }
    }
  })
})

plainIt(
  'A preview is the first 200 characters, with an ellipsis when there are more, and never half a character',
  () => {
    assert.equal(preview('x'.repeat(200)), 'x'.repeat(200))
    assert.equal(preview('x'.repeat(201)), `${'x'.repeat(200)}…`)
    assert.equal(preview(`${'x'.repeat(199)}😀y`), `${'x'.repeat(199)}…`)
  },
)

onEveryEngine('what trends', (it) => {
  const DAY = 86_400

  it('is decided by votes and comments, and by age: ten times as many outweigh three days', async (world) => {
    const { alice, bob, moderator, anonymous, clock } = world
    const old = await alice.bugs.create(bug('Old and much voted on'))
    await bob.bugs.vote({ id: old.id, value: 1 })
    for (let n = 0; n < 8; n++) await bob.bugs.comment({ id: old.id, body: `Comment ${n}` })
    const titles = async () => (await anonymous.feed.trending({})).items.map(({ title }) => title)
    clock.pass(3 * DAY - 60)
    const young = await moderator.bugs.create(bug('Young'))
    assert.deepEqual(await titles(), ['Old and much voted on', 'Young'], '10 times as much, and less than three days')
    clock.pass(120)
    await moderator.bugs.create(bug('Younger'))
    assert.deepEqual(await titles(), ['Younger', 'Old and much voted on', 'Young'])
    await bob.bugs.vote({ id: young.id, value: 1 })
    assert.deepEqual(await titles(), ['Young', 'Younger', 'Old and much voted on'])
    await bob.bugs.vote({ id: young.id, value: -1 })
    assert.deepEqual(await titles(), ['Younger', 'Old and much voted on', 'Young'], 'voted down is as nothing')
  })

  it('has nothing of blocked authors, one’s own vote, and as much as one asks for', async ({
    alice,
    bob,
    admin,
    anonymous,
  }) => {
    const mine = await alice.bugs.create(bug('Mine'))
    await bob.bugs.create(bug('Theirs'))
    await bob.bugs.vote({ id: mine.id, value: 1 })
    assert.deepEqual(
      (await bob.feed.trending({})).items.map(({ title, myVote }) => [title, myVote]),
      [
        ['Mine', 1],
        ['Theirs', 0],
      ],
    )
    assert.equal((await anonymous.feed.trending({ per_page: 1 })).items.length, 1)
    await assert.rejects(anonymous.feed.trending({ per_page: 101 }), { status: 400 })
    await admin.admin.block({ id: (await alice.account()).id, blocked: true })
    assert.deepEqual(
      (await anonymous.feed.trending({})).items.map(({ title }) => title),
      ['Theirs'],
    )
  })

  it('is read along an index', async ({ db }) => {
    const query = sql`select id from "feedEntry" as entry order by heat desc, id desc limit 5`
    if (engineOf(db) === 'postgres') {
      // A table of a few rows is sorted faster than its index is read, unless that is not allowed.
      const plan = await db.transaction().execute(async (transaction) => {
        await sql`set local enable_sort = off`.execute(transaction)
        return sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(transaction)
      })
      assert.match(JSON.stringify(plan.rows), /feedEntry_trending/)
    } else {
      const { rows } = await sql<{ detail: string }>`explain query plan ${query}`.execute(db)
      assert.match(JSON.stringify(rows), /feedEntry_trending/)
      assert.doesNotMatch(JSON.stringify(rows), /TEMP B-TREE/)
    }
  })
})

onEveryEngine('the status in the feed, and its numbers', (it) => {
  it('is that of the bug or the request, and of nothing else', async ({ alice, moderator, anonymous }) => {
    const made = await alice.bugs.create(bug('Mine'))
    await alice.posts.create({ title: 'A post', body: 'Of words' })
    await moderator.bugs.triage({ id: made.id, status: 'resolved' })
    await alice.features.create({ title: 'Pause', description: 'At night' })
    const { items } = await anonymous.feed.list()
    assert.deepEqual(
      items.map(({ type, status }) => [type, status]),
      [
        ['feature', 'open'],
        ['post', null],
        ['bug', 'resolved'],
      ],
    )
    const { counts } = await anonymous.feed.counts({})
    assert.deepEqual([counts['bug'], counts['post'], counts['feature'], counts['org']], [1, 1, 1, 0])
    assert.equal((await anonymous.feed.counts({ by: 'agents' })).counts['bug'], 0)
    const { id: authorId } = await moderator.account()
    assert.equal((await anonymous.feed.counts({ authorId })).counts['bug'], 0)
  })
})
