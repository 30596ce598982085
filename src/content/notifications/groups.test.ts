// The inbox by things, and what is marked as unread, through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

const unread = async (person: Person) => (await person.notifications.count()).unread

/** What the inbox has of each thing. */
async function groups(person: Person, input: Parameters<Person['notifications']['groups']>[0] = {}) {
  const { items, ...page } = await person.notifications.groups(input)
  return {
    ...page,
    items: items.map(({ target, count, unread, lines }) => ({
      ...{ title: target.title, count, unread },
      lines: lines.map(({ excerpt }) => excerpt),
    })),
  }
}

/** Things of alice with as many comments of bob each as told. */
async function things({ alice, bob, app }: World, comments: Readonly<Record<string, number>>) {
  const ids: string[] = []
  for (const [title, count] of Object.entries(comments)) {
    const { id } = await alice.bugs.create({ ...crash, title })
    for (let n = 1; n <= count; n++) await bob.bugs.comment({ id, body: `${title} ${n}` })
    ids.push(id)
  }
  await app.deliver()
  return ids
}

onEveryEngine('an inbox by things', (it) => {
  it('has one entry a thing, that of the newest line first, with what is unread', async (world) => {
    const { alice, bob, app } = world
    const [one = ''] = await things(world, { One: 2, Two: 1 })
    await bob.bugs.comment({ id: one, body: 'One again' })
    await app.deliver()
    await alice.notifications.read({ ids: ['1'] })
    assert.deepEqual(await groups(alice), {
      items: [
        { title: 'One', count: 3, unread: 2, lines: ['One again', 'One 2', 'One 1'] },
        { title: 'Two', count: 1, unread: 1, lines: ['Two 1'] },
      ],
      ...{ hasMore: false, nextCursor: null, unread: 3 },
    })
    const only = await groups(alice, { unread: 'true' })
    assert.deepEqual(only.items[0], { title: 'One', count: 2, unread: 2, lines: ['One again', 'One 2'] })
    assert.deepEqual((await groups(bob)).items, [])
  })

  it('gives a thing on the page of its newest line, and not again', async (world) => {
    const { alice, bob, app } = world
    const [one = '', two = ''] = await things(world, { One: 1, Two: 1, Three: 1, Four: 1 })
    await bob.bugs.comment({ id: one, body: 'One again' })
    await app.deliver()
    const titles = async (cursor: string) => {
      const { items, hasMore, nextCursor } = await groups(alice, { per_page: 2, cursor })
      return [items.map(({ title }) => title), hasMore, nextCursor ?? ''] as const
    }
    const [first, , cursor] = await titles('')
    assert.deepEqual(first, ['One', 'Four'])
    assert.deepEqual(await titles(cursor), [['Three', 'Two'], false, ''])
    await bob.bugs.comment({ id: two, body: 'Two again' })
    await app.deliver()
    assert.deepEqual(await titles(cursor), [['Three'], false, ''], 'what moved to the top comes on no later page')
    assert.deepEqual((await titles(''))[0], ['Two', 'One'])
    await assert.rejects(alice.notifications.groups({ cursor, unread: 'true' }), { status: 400 })
    await assert.rejects(alice.notifications.groups({ per_page: 101 }), { status: 400 })
  })

  it('counts 500 of one thing, with the newest ten, and marks all of them at once', async (world) => {
    const { alice, bob, app, db } = world
    const [one = ''] = await things(world, { One: 1, Two: 1 })
    const [event] = await db
      .selectFrom('event')
      .selectAll()
      .where('kind', '=', 'comment')
      .where('targetId', '=', one)
      .execute()
    const { id: userId } = await alice.account()
    const events = Array.from({ length: 499 }, (_, n) => ({ ...event!, id: `${event!.id}-${n}`, sequence: undefined }))
    const rows = events.map(({ sequence: _, ...row }, n) => ({ ...row, excerpt: `More ${n + 1}`, recipients: 1 }))
    for (let n = 0; n < rows.length; n += 100)
      await db
        .insertInto('event')
        .values(rows.slice(n, n + 100))
        .execute()
    const told = rows.map(({ id: eventId, createdAt }, n) => ({
      ...{ userId, position: n + 3, eventId, kind: 'comment' as const, read: 0 as const, createdAt },
      ...{ mail: null, mailAt: null },
    }))
    for (let n = 0; n < told.length; n += 100)
      await db
        .insertInto('notification')
        .values(told.slice(n, n + 100))
        .execute()
    await db.updateTable('inbox').set({ last: 501, unread: 501 }).where('userId', '=', userId).execute()
    const { items, unread: all } = await groups(alice, { per_page: 1 })
    const [group] = items
    assert.deepEqual(
      [group?.count, group?.unread, group?.lines.length, group?.lines[0], all],
      [500, 500, 10, 'More 499', 501],
    )
    const found = await alice.notifications.list({ target: one, per_page: 100, cursor: '' })
    assert.deepEqual([found.items.length, found.hasMore], [100, true])
    await bob.bugs.comment({ id: one, body: 'Not seen yet' })
    await app.deliver()
    assert.deepEqual(await alice.notifications.read({ target: one, through: '501' }), { unread: 2 })
    assert.deepEqual(await alice.notifications.read({ target: one }), { unread: 1 })
    assert.deepEqual(
      (await groups(alice, { unread: 'true' })).items.map(({ title }) => title),
      ['Two'],
    )
  })

  it('leaves out what an inbox does not show, and is of the account alone', async (world) => {
    const { alice, bob, moderator, anonymous, app } = world
    const [one = '', two = ''] = await things(world, { One: 2, Two: 1 })
    const comments = await bob.bugs.comments({ id: one })
    await bob.bugs.deleteComment({ id: one, commentId: comments.items[0]!.id })
    await app.deliver()
    assert.deepEqual(
      (await groups(alice)).items.map(({ title, count }) => [title, count]),
      [
        ['Two', 1],
        ['One', 1],
      ],
    )
    await moderator.admin.block({ id: (await bob.account()).id, blocked: true })
    assert.deepEqual((await groups(alice)).items, [])
    await app.deliver()
    assert.deepEqual((await alice.notifications.list({ target: two })).items, [])
    await assert.rejects(anonymous.notifications.groups({}), { status: 401 })
    await assert.rejects(alice.notifications.list({ target: '' }), { status: 400 })
    await assert.rejects(alice.notifications.read({ target: 'x'.repeat(101) }), { status: 400 })
    assert.deepEqual(await alice.notifications.read({ target: 'x'.repeat(100) }), { unread: 0 })
  })
})

onEveryEngine('notifications marked as unread', (it) => {
  it('count again, each once, and only what was read', async (world) => {
    const { alice, bob } = world
    await things(world, { One: 3 })
    await alice.notifications.read({ through: '3' })
    assert.deepEqual(await alice.notifications.unread({ ids: ['2', '2', '3', '99'] }), { unread: 2 })
    assert.deepEqual(await alice.notifications.unread({ ids: ['2'] }), { unread: 2 })
    assert.deepEqual(await bob.notifications.unread({ ids: ['2'] }), { unread: 0 })
    const { items } = await alice.notifications.list({ unread: 'true' })
    assert.deepEqual(
      items.map(({ id }) => id),
      ['3', '2'],
    )
  })

  it('are at most 100 a call, of the account alone', async ({ alice, anonymous }) => {
    const ids = (count: number) => Array.from({ length: count }, (_, n) => String(n + 1))
    assert.deepEqual(await alice.notifications.unread({ ids: ids(100) }), { unread: 0 })
    for (const wrong of [ids(101), [], ['x'], ['-1']]) {
      await assert.rejects(alice.notifications.unread({ ids: wrong }), { status: 400 })
    }
    await assert.rejects(anonymous.notifications.unread({ ids: ['1'] }), { status: 401 })
  })

  it('send no mail again', async (world) => {
    const { alice, db, mails } = world
    await alice.notifications.updateSettings({ comment: 'mail' })
    const { id } = await alice.account()
    await db.updateTable('user').set({ emailVerifiedAt: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute()
    await things(world, { One: 1 })
    const before = (await mails(alice.email)).length
    await alice.notifications.read({ ids: ['1'] })
    await alice.notifications.unread({ ids: ['1'] })
    world.clock.pass(86_400)
    await world.app.deliver()
    assert.equal((await mails(alice.email)).length, before)
  })

  it('keep the counter right beside what is read, told and removed at once', async (world) => {
    const { alice, bob, app, db } = world
    const [one = ''] = await things(world, { One: 6 })
    const { id: userId } = await alice.account()
    const comments = (await bob.bugs.comments({ id: one })).items
    for (let turn = 0; turn < 10; turn++) {
      const half = turn % 2 === 0 ? ['1', '2', '3'] : ['3', '4', '5', '6']
      await Promise.all([
        alice.notifications.unread({ ids: half }),
        alice.notifications.read({ ids: ['2', '3', '4'] }),
        alice.notifications.unread({ ids: ['3'] }),
        alice.notifications.read({ target: one, through: '4' }),
        bob.bugs.comment({ id: one, body: `Turn ${turn}` }),
        ...(turn === 4 ? [bob.bugs.deleteComment({ id: one, commentId: comments[2]!.id })] : []),
        app.deliver(),
      ])
      await app.deliver()
      const rows = await db.selectFrom('notification').select('read').where('userId', '=', userId).execute()
      assert.equal(await unread(alice), rows.filter(({ read }) => read === 0).length, `turn ${turn}`)
    }
  })
})
