// Through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { BASE_URL, onEveryEngine, type World } from '../../../test/world.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const
/** What is left of a bug anywhere. */
async function traces({ db }: World, id: string): Promise<number> {
  const rows = await Promise.all([
    db.selectFrom('bug').select('id').where('id', '=', id).execute(),
    db.selectFrom('vote').select('userId').where('targetId', '=', id).execute(),
    db.selectFrom('comment').select('id').where('targetId', '=', id).execute(),
    db.selectFrom('bugLabel').select('labelId').where('bugId', '=', id).execute(),
    db.selectFrom('feedEntry').select('id').where('id', '=', id).execute(),
    db.selectFrom('searchText').select('id').where('id', '=', id).execute(),
  ])
  return rows.flat().length
}

onEveryEngine('bugs', (it) => {
  it('are filed open, by whoever is signed in, and read back by anybody', async ({ alice, anonymous }) => {
    const bug = await alice.bugs.create({ ...crash, title: '  Crash  ' })
    const { id: authorId } = await alice.account()
    assert.deepEqual(await anonymous.bugs.get({ id: bug.id }), {
      id: bug.id,
      number: bug.number,
      title: 'Crash',
      description: crash.description,
      severity: 'high',
      status: 'open',
      authorId,
      createdAt: bug.createdAt,
      updatedAt: bug.createdAt,
      editedAt: null,
      authorUsername: null,
      score: 0,
      myVote: 0,
      commentCount: 0,
      labels: [],
      url: `/community/bugs/${bug.id}`,
      href: `${BASE_URL}/community/bugs/${bug.id}`,
      can: { edit: false, close: false, merge: false, delete: false, triage: false },
      mergedCount: 0,
      via: null,
    })
  })

  it('have titles of 1-100 and descriptions of 1-1000 characters, counted after trimming', async ({ alice }) => {
    const file = (title: string, description: string) => alice.bugs.create({ ...crash, title, description })
    assert.equal((await file('t'.repeat(100), 'd'.repeat(1000))).title.length, 100)
    assert.equal((await file(` ${'t'.repeat(100)} `, 'd')).title.length, 100)
    await assert.rejects(file('t'.repeat(101), 'd'), {
      status: 400,
      message: 'title: must have at most 100 characters',
    })
    await assert.rejects(file('t', 'd'.repeat(1001)), {
      status: 400,
      message: 'description: must have at most 1000 characters',
    })
    await assert.rejects(file('  ', 'd'), { status: 400, message: 'title: must have at least 1 character' })
    await assert.rejects(alice.bugs.create({ ...crash, severity: 'awful' as 'low' }), {
      status: 400,
      message: /^severity: must be one of low/,
    })
  })

  it('lets moderators triage, and nobody below them', async ({ alice, moderator }) => {
    const { id } = await alice.bugs.create(crash)
    await assert.rejects(alice.bugs.triage({ id, status: 'resolved' }), { status: 403, message: 'Forbidden' })
    assert.deepEqual(await moderator.bugs.triage({ id, status: 'resolved' }), { status: 'resolved' })
    assert.deepEqual(await moderator.bugs.triage({ id, status: 'open', severity: 'low', reason: 'Rare' }), {
      status: 'open',
      severity: 'low',
    })
    const bug = await alice.bugs.get({ id })
    assert.deepEqual([bug.status, bug.severity], ['open', 'low'])
    await assert.rejects(moderator.bugs.triage({ id }), { status: 400 })
    await assert.rejects(moderator.bugs.triage({ id, reason: 'None' }), { status: 400 })
    await assert.rejects(moderator.bugs.triage({ id: 'nothing', status: 'open' }), { status: 404 })
  })

  it('are filtered by everything at once, and counted right', async ({ alice, bob, moderator, anonymous }) => {
    const ui = await moderator.labels.create({ name: 'UI', color: '#336699' })
    const net = await moderator.labels.create({ name: 'net', color: '#339966' })
    const bugs = []
    for (let n = 0; n < 12; n++) {
      const severity = n % 2 ? 'low' : 'high'
      const bug = await (n % 3 ? alice : bob).bugs.create({ ...crash, title: `Crash ${n}`, severity })
      if (n % 4 === 0) await moderator.bugs.attachLabel({ id: bug.id, labelId: ui.id })
      if (n % 6 === 0) await moderator.bugs.attachLabel({ id: bug.id, labelId: net.id })
      if (n % 4 === 0) await moderator.bugs.triage({ id: bug.id, status: 'resolved' })
      if (n % 5 === 0) await alice.bugs.vote({ id: bug.id, value: 1 })
      bugs.push(bug)
    }
    await moderator.bugs.detachLabel({ id: bugs[8]!.id, labelId: ui.id })
    await moderator.bugs.delete({ id: bugs[6]!.id })
    const { id: authorId } = await bob.account()
    const numbers = async (input: Parameters<typeof anonymous.bugs.list>[0]) => {
      const { items, total } = await anonymous.bugs.list(input)
      assert.equal(total, items.length, JSON.stringify(input))
      return items.map(({ title }) => Number(title.slice(6)))
    }
    assert.deepEqual(await numbers({}), [11, 10, 9, 8, 7, 5, 4, 3, 2, 1, 0])
    assert.deepEqual(await numbers({ sort: 'popular' }), [10, 5, 0, 11, 9, 8, 7, 4, 3, 2, 1])
    assert.deepEqual(await numbers({ status: 'resolved' }), [8, 4, 0])
    assert.deepEqual(await numbers({ severity: 'low', status: 'open' }), [11, 9, 7, 5, 3, 1])
    assert.deepEqual(await numbers({ authorId }), [9, 3, 0])
    assert.deepEqual(await numbers({ authorId, q: ' ' }), [9, 3, 0])
    assert.deepEqual(await numbers({ authorId, status: 'resolved' }), [0])
    assert.deepEqual(await numbers({ label: ui.id }), [4, 0])
    assert.deepEqual(await numbers({ label: 'ui', sort: 'popular' }), [0, 4])
    assert.deepEqual(await numbers({ label: 'UI', status: 'open' }), [])
    assert.deepEqual(await numbers({ label: 'net' }), [0])
    assert.deepEqual(await numbers({ label: 'net', authorId, status: 'resolved', severity: 'high', q: 'crash' }), [0])
    assert.deepEqual(await numbers({ label: 'ui', authorId }), [0])
    assert.deepEqual(await numbers({ label: 'nothing' }), [])
    assert.deepEqual(await numbers({ q: 'rash 1' }), [11, 10, 1])
    assert.deepEqual(await numbers({ q: 'rash 1', status: 'resolved' }), [])
    assert.deepEqual(await numbers({ authorId: `${authorId}/open` }), [])
    for (const wrong of [{ status: 'done' }, { severity: 'none' }, { per_page: 101 }]) {
      await assert.rejects(anonymous.bugs.list(wrong as never), { status: 400 })
    }
  })

  it('are listed by filter, newest or most voted first, with totals', async ({ alice, bob, moderator, anonymous }) => {
    const first = await alice.bugs.create(crash)
    const second = await alice.bugs.create({ ...crash, severity: 'low' })
    const third = await bob.bugs.create({ ...crash, severity: 'low', description: 'Straße 100%_' })
    await moderator.bugs.triage({ id: second.id, status: 'resolved' })
    await bob.bugs.vote({ id: first.id, value: 1 })
    const ids = async (input: Parameters<typeof anonymous.bugs.list>[0]) => {
      const { items, total } = await anonymous.bugs.list(input)
      assert.equal(total, items.length)
      return items.map(({ id }) => id)
    }
    assert.deepEqual(await ids({}), [third.id, second.id, first.id])
    assert.deepEqual(await ids({ sort: 'popular' }), [first.id, third.id, second.id])
    assert.deepEqual(await ids({ status: 'open' }), [third.id, first.id])
    assert.deepEqual(await ids({ severity: 'low' }), [third.id, second.id])
    assert.deepEqual(await ids({ severity: 'low', status: 'resolved' }), [second.id])
    assert.deepEqual(await ids({ authorId: first.authorId }), [second.id, first.id])
    assert.deepEqual(await ids({ q: 'STRASSE' }), [])
    assert.deepEqual(await ids({ q: 'straße' }), [third.id])
    assert.deepEqual(await ids({ q: '%_' }), [third.id])
    assert.deepEqual(await ids({ q: 'ON START' }), [second.id, first.id])
    assert.deepEqual(await ids({ q: '"start" OR *' }), [])
  })

  it('come in pages of 20, or of at most 100', async ({ alice, anonymous }) => {
    for (let index = 0; index < 21; index++) await alice.bugs.create(crash)
    const first = await anonymous.bugs.list()
    assert.deepEqual([first.items.length, first.hasMore, first.total], [20, true, 21])
    const second = await anonymous.bugs.list({ page: 1 })
    assert.deepEqual([second.items.length, second.hasMore], [1, false])
    assert.deepEqual((await anonymous.bugs.list({ page: 7 })).items, [])
    assert.equal((await anonymous.bugs.list({ per_page: 100 })).items.length, 21)
    for (const per_page of [0, 101, 'many']) await assert.rejects(anonymous.bugs.list({ per_page }), { status: 400 })
    for (const page of [-1, 'x', 1.5]) assert.equal((await anonymous.bugs.list({ page })).items.length, 20)
  })

  it('take one vote a person: up, down, and back', async ({ alice, bob, anonymous }) => {
    const { id } = await alice.bugs.create(crash)
    assert.deepEqual(await bob.bugs.vote({ id, value: 0 }), { score: 0, myVote: 0 })
    assert.deepEqual(await bob.bugs.vote({ id, value: 1 }), { score: 1, myVote: 1 })
    assert.deepEqual(await bob.bugs.vote({ id, value: 1 }), { score: 1, myVote: 1 })
    assert.deepEqual(await alice.bugs.vote({ id, value: -1 }), { score: 0, myVote: -1 })
    assert.deepEqual(await bob.bugs.vote({ id, value: -1 }), { score: -2, myVote: -1 })
    assert.equal((await bob.bugs.get({ id })).myVote, -1)
    assert.equal((await anonymous.bugs.get({ id })).myVote, 0)
    assert.deepEqual(await bob.bugs.vote({ id, value: 0 }), { score: -1, myVote: 0 })
    await assert.rejects(bob.bugs.vote({ id: 'nothing', value: 1 }), { status: 404, message: 'No such bug' })
    for (const value of [2, '1', 0.5, null, true]) {
      await assert.rejects(bob.bugs.vote({ id, value: value as 1 }), {
        status: 400,
        message: 'value: must be the number 1, -1 or 0',
      })
    }
  })

  it('have the right score, here and in the feed, however many vote at once', async (world) => {
    const { id } = await world.alice.bugs.create(crash)
    const voters = Array.from({ length: 12 }, (_, index) => world.person(`voter${index}`))
    await Promise.all(
      voters.flatMap((voter) => ([1, -1, 1, 0, 1] as const).map((value) => voter.bugs.vote({ id, value }))),
    )
    await Promise.all(voters.map((voter, index) => voter.bugs.vote({ id, value: index % 3 === 0 ? -1 : 1 })))
    assert.equal((await world.alice.bugs.get({ id })).score, 4)
    assert.equal((await world.alice.feed.list()).items[0]!.score, 4)
  })

  it('are commented on, oldest first; a comment goes by its author or a moderator', async ({
    alice,
    bob,
    moderator,
    anonymous,
  }) => {
    const { id } = await alice.bugs.create(crash)
    await bob.profile.setUsername({ username: 'Bob' })
    const first = await bob.bugs.comment({ id, body: ' Me too ' })
    const { id: bobsId } = await bob.account()
    assert.deepEqual(first, {
      id: first.id,
      bugId: id,
      authorId: bobsId,
      authorUsername: 'Bob',
      body: 'Me too',
      createdAt: first.createdAt,
      parentId: null,
    })
    const second = await alice.bugs.comment({ id, body: 'x'.repeat(1000) })
    await assert.rejects(alice.bugs.comment({ id, body: 'x'.repeat(1001) }), { status: 400 })
    await assert.rejects(alice.bugs.comment({ id: 'nothing', body: 'x' }), { status: 404 })
    const page = await anonymous.bugs.comments({ id })
    assert.deepEqual(
      [page.items.map((comment) => comment.id), page.total, page.hasMore],
      [[first.id, second.id], 2, false],
    )
    assert.equal((await anonymous.bugs.comments({ id, per_page: 1 })).hasMore, true)
    await assert.rejects(anonymous.bugs.comments({ id: 'nothing' }), { status: 404 })
    await assert.rejects(alice.bugs.deleteComment({ id, commentId: first.id }), { status: 403 })
    assert.deepEqual(await bob.bugs.deleteComment({ id, commentId: first.id }), { id: first.id })
    await assert.rejects(bob.bugs.deleteComment({ id, commentId: first.id }), { status: 404 })
    assert.equal((await anonymous.bugs.get({ id })).commentCount, 1)
    const other = await alice.bugs.create(crash)
    await assert.rejects(moderator.bugs.deleteComment({ id: other.id, commentId: second.id }), { status: 404 })
    await moderator.bugs.deleteComment({ id, commentId: second.id })
    assert.equal((await anonymous.feed.list()).items.find((item) => item.id === id)!.commentCount, 0)
  })

  it('go with everything that hangs on them', async (world) => {
    const { alice, moderator } = world
    const { id } = await alice.bugs.create(crash)
    const label = await moderator.labels.create({ name: 'Startup', color: '#b4552d' })
    await alice.bugs.vote({ id, value: 1 })
    await alice.bugs.comment({ id, body: 'x' })
    await moderator.bugs.attachLabel({ id, labelId: label.id })
    assert.deepEqual(await moderator.bugs.delete({ id }), { id })
    assert.equal(await traces(world, id), 0)
    assert.equal((await alice.bugs.list()).total, 0)
    await assert.rejects(moderator.bugs.delete({ id }), { status: 404 })
  })

  it('leave no orphans when votes, comments and labels race the delete', async (world) => {
    const { alice, bob, moderator } = world
    const label = await moderator.labels.create({ name: 'Startup', color: '#b4552d' })
    await bob.account()
    for (let round = 0; round < 5; round++) {
      const { id } = await alice.bugs.create(crash)
      const acts = await Promise.allSettled([
        bob.bugs.vote({ id, value: 1 }),
        alice.bugs.comment({ id, body: 'x' }),
        moderator.bugs.delete({ id }),
        moderator.bugs.attachLabel({ id, labelId: label.id }),
        alice.bugs.vote({ id, value: 1 }),
        bob.bugs.comment({ id, body: 'x' }),
      ])
      for (const act of acts) if (act.status === 'rejected') assert.equal(act.reason.status, 404)
      assert.equal(await traces(world, id), 0)
    }
    assert.equal((await alice.bugs.list()).total, 0)
  })
})
