// What happened to a thing in one list, and what accounts saw and bookmarked; through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { BASE_URL, onEveryEngine, type Person } from '../../../test/world.ts'
import { putSetting } from '../../settings/queries.ts'
import { MAX_BOOKMARKS } from './contract.ts'
import { VISIT_DAYS } from './visit-rules.ts'

const crash = { title: 'Crash', description: 'It stops', severity: 'low' } as const

const actionsOf = async (person: Person, id: string) =>
  (await person.threads.changes({ id })).items.map(({ action }) => action).toReversed()

onEveryEngine('the timeline of a thing', (it) => {
  it('has what was decided, statuses, edits, labels and merges in their order', async (world) => {
    const { alice, bob, moderator, admin, anonymous } = world
    const { id } = await alice.bugs.create(crash)
    const other = await bob.bugs.create({ ...crash, title: 'The same' })
    const label = await admin.labels.create({ name: 'mail', color: '#aabbcc' })
    await alice.bugs.edit({ id, title: 'Crash at start' })
    await moderator.bugs.attachLabel({ id, labelId: label.id, reason: 'Between us' })
    await moderator.bugs.attachLabel({ id, labelId: label.id })
    await moderator.bugs.triage({ id, status: 'in_progress', reason: 'Seen' })
    await moderator.threads.pin({ id, pinned: true })
    await moderator.bugs.merge({ id: other.id, into: id, reason: 'Twice' })
    await moderator.bugs.detachLabel({ id, labelId: label.id })
    await alice.bugs.close({ id, closed: true })
    const all = ['edited', 'labelled', 'status', 'pinned', 'merged', 'unlabelled', 'status']
    assert.deepEqual(await actionsOf(anonymous, id), all)
    const { items, total } = await anonymous.threads.changes({ id })
    assert.equal(total, all.length)
    const of = (action: string) => items.findLast((one) => one.action === action)!
    assert.deepEqual([of('status').from, of('status').to, of('status').reason], ['open', 'in_progress', 'Seen'])
    assert.deepEqual(of('labelled').label, { id: label.id, name: 'mail', color: '#aabbcc' })
    assert.equal(of('labelled').reason, null, 'it is for the audit log')
    assert.deepEqual(of('merged').thing, { number: other.number, title: 'The same', url: null, href: null })
    assert.equal(of('merged').reason, 'Twice')
    for (const [asked, expected] of [
      [{ per_page: 3 }, items.slice(0, 3)],
      [{ per_page: 3, page: 2 }, items.slice(6)],
    ] as const)
      assert.deepEqual((await anonymous.threads.changes({ id, ...asked })).items, expected)
    const walked = []
    for (let cursor: string | null | undefined = ''; cursor != null; ) {
      const page = await anonymous.threads.changes({ id, per_page: 2, cursor })
      walked.push(...page.items)
      cursor = page.nextCursor
    }
    assert.deepEqual(walked, items)
  })

  it('names what refers to the thing, while everybody sees that', async (world) => {
    const { alice, bob, moderator, admin, anonymous } = world
    const bug = await alice.bugs.create(crash)
    const { id, number } = bug
    const post = await bob.posts.create({ title: 'News', body: `See #${number}, and again #${number}` })
    const comment = await alice.posts.comment({ id: post.id, body: `As in #${number}.` })
    await bob.posts.create({ title: 'Code', body: `\`#${number}\`\n\n> #${number}\n\nabc#${number}` })
    await bob.bugs.comment({ id, body: `This is #${number} itself` })
    const { items } = await anonymous.threads.changes({ id })
    const url = `/community/posts/${post.id}`
    const thing = { number: post.number, title: 'News', url, href: `${BASE_URL}${url}` }
    assert.deepEqual(
      items.map((one) => [one.action, one.thing, one.commentId]),
      [
        ['referenced', thing, comment.id],
        ['referenced', thing, null],
      ],
    )
    await alice.comments.delete({ id: comment.id })
    assert.deepEqual(await actionsOf(anonymous, id), ['referenced'])
    await admin.boards.create({ slug: 'inside', name: 'Inside', readers: 'roles: moderator' })
    await admin.boards.move({ board: 'inside', type: 'post', id: post.id, confirm: true, reason: 'Inside' })
    for (const person of [anonymous, moderator]) assert.deepEqual(await actionsOf(person, id), [])
    await moderator.posts.create({ board: 'inside', title: 'Secret', body: `#${number}` })
    assert.deepEqual(await actionsOf(anonymous, id), [])
    await moderator.posts.delete({ id: post.id })
    assert.deepEqual(await world.db.selectFrom('threadChange').select('id').where('fromId', '=', post.id).execute(), [])
  })

  it('says nothing of what a blocked account wrote', async (world) => {
    const { alice, bob, moderator, anonymous, db } = world
    const { id, number } = await alice.bugs.create(crash)
    const post = await bob.posts.create({ title: 'Buy this', body: `See #${number}` })
    const own = await alice.posts.create({ title: 'News', body: 'B' })
    await bob.posts.comment({ id: own.id, body: `See #${number}` })
    const same = await bob.bugs.create({ ...crash, title: 'Buy that' })
    await moderator.bugs.merge({ id: same.id, into: id, reason: 'Twice' })
    const of = (blockedAt: string | null) =>
      db.updateTable('user').set({ blockedAt }).where('id', '=', post.authorId).execute()
    await of('2026-01-01T00:00:00.000Z')
    for (const person of [anonymous, alice, moderator]) {
      const { items, total } = await person.threads.changes({ id })
      assert.deepEqual([items, total], [[], 0])
    }
    await of(null)
    assert.deepEqual(await actionsOf(anonymous, id), ['referenced', 'referenced', 'merged'])
  })

  it('says nothing of a part that is off, and neither do bookmarks', async (world) => {
    const { alice, db, dependencies } = world
    const { id, number } = await alice.bugs.create(crash)
    const post = await alice.posts.create({ title: 'News', body: `See #${number}` })
    for (const one of [id, post.id]) await alice.threads.bookmark({ id: one, bookmarked: true })
    for (const [value, referring, bookmarks] of [
      ['posts', 0, 1],
      ['', 1, 2],
    ] as const) {
      const setting = { name: 'PARTS_OFF', value, actorId: null, changedAt: '2026-01-01T00:00:00.000Z' }
      await db.transaction().execute((transaction) => putSetting(transaction, setting))
      await dependencies.settings.reload()
      const { items, total } = await alice.threads.changes({ id })
      assert.deepEqual([items.length, total], [referring, referring])
      const own = await alice.threads.bookmarks({})
      assert.deepEqual([own.items.length, own.total], [bookmarks, bookmarks])
    }
  })

  it('says ten references of a text at most', async ({ alice, anonymous }) => {
    const bugs = []
    for (let n = 0; n < 11; n++) bugs.push(await alice.bugs.create(crash))
    await alice.posts.create({ title: 'All', body: bugs.map(({ number }) => `#${number}`).join(' ') })
    const counts = await Promise.all(bugs.map(async ({ id }) => (await actionsOf(anonymous, id)).length))
    assert.deepEqual(counts, [...Array(10).fill(1), 0])
  })
})

onEveryEngine('what accounts saw', (it) => {
  it('is known to them alone, and goes forward only', async (world) => {
    const { alice, bob, anonymous } = world
    const { id } = await alice.posts.create({ title: 'News', body: 'B' })
    assert.deepEqual(await bob.threads.mine({ id }), { id, seenAt: null, bookmarked: false })
    const at = (await alice.posts.get({ id })).createdAt
    assert.equal((await bob.threads.visit({ id, seenAt: at })).seenAt, null)
    const early = '2001-02-03T04:05:06.000Z'
    assert.equal((await bob.threads.visit({ id, seenAt: early })).seenAt, at)
    await bob.threads.visit({ id, seenAt: '2999-01-01T00:00:00.000Z' })
    const { seenAt } = await bob.threads.mine({ id })
    assert.ok(String(seenAt) >= at && String(seenAt) < '2999', String(seenAt))
    assert.equal((await alice.threads.mine({ id })).seenAt, null)
    for (const call of [
      () => anonymous.threads.mine({ id }),
      () => anonymous.threads.visit({ id, seenAt: at }),
      () => anonymous.threads.bookmark({ id, bookmarked: true }),
      () => anonymous.threads.bookmarks({}),
    ])
      await assert.rejects(call(), { status: 401 })
    const release = await world.admin.changelog.create({
      version: '1.0',
      title: 'One',
      body: 'B',
      date: '2020-01-01',
    } as never)
    for (const gone of [release.id, '01a1fb4e-bb9a-7544-87a4-2785318c8f22']) {
      await assert.rejects(bob.threads.mine({ id: gone }), { status: 404 })
      await assert.rejects(bob.threads.visit({ id: gone, seenAt: at }), { status: 404 })
      await assert.rejects(bob.threads.bookmark({ id: gone, bookmarked: true }), { status: 404 })
    }
    await alice.posts.delete({ id })
    assert.deepEqual(await world.db.selectFrom('threadVisit').select('thingId').execute(), [])
  })

  it('can be bookmarked, up to a number, and listed while it is seen', async (world) => {
    const { alice, bob, admin } = world
    const post = await alice.posts.create({ title: 'News', body: 'B' })
    const bug = await alice.bugs.create(crash)
    for (const { id } of [post, bug, post]) await bob.threads.bookmark({ id, bookmarked: true })
    assert.deepEqual((await bob.threads.mine({ id: post.id })).bookmarked, true)
    const listed = async () => (await bob.threads.bookmarks({})).items.map(({ title }) => title)
    assert.deepEqual(await listed(), ['Crash', 'News'])
    assert.equal((await bob.threads.bookmarks({ per_page: 1, page: 1 })).items[0]?.number, post.number)
    assert.deepEqual((await alice.threads.bookmarks({})).items, [])
    await admin.boards.create({ slug: 'inside', name: 'Inside', readers: 'roles: moderator' })
    await admin.boards.move({ board: 'inside', type: 'bug', id: bug.id, confirm: true, reason: 'Inside' })
    assert.deepEqual(await listed(), ['News'])
    await bob.threads.bookmark({ id: post.id, bookmarked: false })
    assert.deepEqual(await listed(), [])
    const { id: userId } = await bob.account()
    const now = new Date().toISOString()
    const row = (n: number) => ({ userId, thingId: `x${n}`, seenAt: now, bookmarkedAt: now })
    const has = async () =>
      (await world.db.selectFrom('threadVisit').select('thingId').where('bookmarkedAt', 'is not', null).execute())
        .length
    const rows = Array.from({ length: MAX_BOOKMARKS - 1 - (await has()) }, (_, n) => row(n))
    for (let at = 0; at < rows.length; at += 100)
      await world.db
        .insertInto('threadVisit')
        .values(rows.slice(at, at + 100))
        .execute()
    await bob.threads.bookmark({ id: post.id, bookmarked: true })
    const another = await alice.posts.create({ title: 'More', body: 'B' })
    await assert.rejects(bob.threads.bookmark({ id: another.id, bookmarked: true }), { status: 409 })
  })

  it('is forgotten after a time, but for bookmarks', async ({ alice, app, clock, db }) => {
    const [seen, kept] = [
      await alice.posts.create({ title: 'Seen', body: 'B' }),
      await alice.posts.create({ title: 'Kept', body: 'B' }),
    ]
    for (const { id, createdAt } of [seen, kept]) await alice.threads.visit({ id, seenAt: createdAt })
    await alice.threads.bookmark({ id: kept.id, bookmarked: true })
    const left = async () =>
      (await db.selectFrom('threadVisit').select('thingId').execute()).map(({ thingId }) => thingId)
    clock.pass(VISIT_DAYS * 86_400 - 3600)
    await app.cleanUp()
    assert.equal((await left()).length, 2)
    clock.pass(7200)
    await app.cleanUp()
    assert.deepEqual(await left(), [kept.id])
  })
})
