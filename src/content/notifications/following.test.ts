// Following members and being told of what they post, and the list of what one follows; through the front door, on both engines.
import assert from 'node:assert/strict'
import { orgFile, workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { BATCH } from '../delivery/telling.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

/** What an inbox says, oldest first. */
async function told({ app }: World, person: Person) {
  await app.deliver()
  const { items } = await person.notifications.list({ after: '0', per_page: 100 })
  return items.map(({ type, target }) => `${type}: ${target.type} ${target.title}`)
}

async function named(person: Person, username: string): Promise<string> {
  await person.profile.setUsername({ username })
  return (await person.account()).id
}

/** Alice follows Bob. */
async function followed(world: World): Promise<string> {
  const id = await named(world.bob, 'bob-f')
  await world.alice.follows.set({ id, state: 'following' })
  return id
}

onEveryEngine('members who follow a member', (it) => {
  it('are told of everything that is new, and of no comment', async (world) => {
    const { alice, bob } = world
    await bob.posts.create({ title: 'Before', body: 'B' })
    await world.app.deliver()
    const id = await followed(world)
    assert.equal((await alice.follows.get({ id })).state, 'following')
    await bob.bugs.create(crash)
    await bob.features.create({ title: 'Dark mode', description: 'D' })
    const post = await bob.posts.create({ title: 'Hello', body: 'The first words' })
    await bob.orgs.create({ orgJson: await orgFile({ name: 'Desk' }).text() })
    await bob.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile({ name: 'Flow' }) })
    await bob.library.publish({ kind: 'org', visibility: 'public', file: orgFile({ name: 'Team' }) })
    await bob.posts.comment({ id: post.id, body: 'And more' })
    await bob.posts.edit({ id: post.id, body: 'Other words' })
    assert.deepEqual(await told(world, alice), [
      'posted: bug Crash',
      'posted: feature Dark mode',
      'posted: post Hello',
      'posted: org Desk',
      'posted: item Flow',
      'posted: item Team',
    ])
    const { items } = await alice.notifications.list()
    assert.deepEqual(
      items.filter(({ target }) => target.id === post.id).map(({ excerpt, url, actor }) => [excerpt, url, actor]),
      [['The first words', `/community/posts/${post.id}`, { id, username: 'bob-f' }]],
    )
    assert.deepEqual(await told(world, bob), [])
  })

  it('are told once of what mentions them, and of nothing once they follow no longer', async (world) => {
    const { alice, bob } = world
    await named(alice, 'alice-f')
    const id = await followed(world)
    await bob.posts.create({ title: 'For you', body: 'Look, @alice-f' })
    assert.deepEqual(await told(world, alice), ['mention: post For you'])
    await alice.follows.set({ id, state: 'none' })
    await bob.posts.create({ title: 'Later', body: 'B' })
    assert.deepEqual(await told(world, alice), ['mention: post For you'])
  })

  it('are told of what is private when everybody sees it, and no longer of what is hidden', async (world) => {
    const { alice, bob, moderator } = world
    await followed(world)
    const item = await bob.library.publish({ kind: 'workflow', file: workflowFile({ name: 'Flow' }) })
    await bob.library.publishVersion({ id: item.id, file: workflowFile({ name: 'Flow', description: 'Newer' }) })
    assert.deepEqual(await told(world, alice), [])
    await bob.library.update({ id: item.id, visibility: 'public' })
    const post = await bob.posts.create({ title: 'Gone soon', body: 'B' })
    assert.deepEqual(await told(world, alice), ['posted: item Flow', 'posted: post Gone soon'])
    await bob.library.update({ id: item.id, visibility: 'private' })
    await moderator.posts.delete({ id: post.id })
    assert.deepEqual(await told(world, alice), [])
    assert.equal((await alice.notifications.count()).unread, 0)
  })

  it('are told nothing of a member who is blocked, or whom they mute', async (world) => {
    const { alice, bob, moderator } = world
    await named(alice, 'alice-f')
    const id = await followed(world)
    await alice.follows.set({ id, state: 'muted' })
    const { id: bug } = await alice.bugs.create(crash)
    await bob.bugs.comment({ id: bug, body: 'Look, @alice-f' })
    await bob.posts.create({ title: 'Muted', body: 'For @alice-f' })
    assert.deepEqual(await told(world, alice), [])
    await alice.follows.set({ id, state: 'following' })
    await bob.posts.create({ title: 'Spam', body: 'B' })
    await moderator.admin.block({ id, blocked: true })
    assert.deepEqual(await told(world, alice), [])
  })

  it('choose how: not at all, or in a digest', async (world) => {
    const { alice, bob, app, clock, db, mails } = world
    await followed(world)
    assert.equal((await alice.notifications.updateSettings({ posted: 'off' })).posted, 'off')
    await bob.posts.create({ title: 'Off', body: 'B' })
    assert.deepEqual(await told(world, alice), [])
    await alice.notifications.updateSettings({ posted: 'daily' })
    await db
      .updateTable('user')
      .set({ emailVerifiedAt: '2026-01-01T00:00:00.000Z' })
      .where('email', '=', alice.email)
      .execute()
    const before = (await mails(alice.email)).length
    await bob.posts.create({ title: 'In the digest', body: 'B' })
    await app.deliver()
    assert.equal((await mails(alice.email)).length, before)
    clock.pass(86_400)
    await app.deliver()
    const [mail] = (await mails(alice.email)).slice(before)
    assert.match(mail!.subject, /Daily digest/)
    assert.match(mail!.body, /bob-f posted: "In the digest"/)
  })

  it('are told once each, however many they are', async (world) => {
    const { bob, db, clock } = world
    const id = await followed(world)
    const createdAt = new Date(clock.now()).toISOString()
    const ids = Array.from({ length: 2 * BATCH }, (_, n) => `00-${String(n).padStart(6, '0')}`)
    const none = {
      emailVerifiedAt: null,
      emailVerifiedBy: null,
      name: null,
      username: null,
      usernameKey: null,
    } as const
    const rest = {
      passwordHash: null,
      blockedAt: null,
      avatarUpdatedAt: null,
      createdAt,
      updatedAt: createdAt,
    } as const
    const users = ids.map((one) => ({
      ...none,
      ...rest,
      id: one,
      email: `${one}@example.com`,
      role: 'member' as const,
    }))
    await db.insertInto('user').values(users).execute()
    const rows = ids.map((userId) => ({ targetId: id, userId, state: 'following' as const, createdAt }))
    await db.insertInto('follow').values(rows).execute()
    await bob.posts.create({ title: 'For all', body: 'B' })
    await Promise.all([world.app.deliver(), world.app.deliver()])
    const { count } = await db
      .selectFrom('notification')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('kind', '=', 'posted')
      .executeTakeFirstOrThrow()
    assert.equal(Number(count), 2 * BATCH + 1)
    const [event] = await db.selectFrom('event').selectAll().where('title', '=', 'For all').execute()
    assert.deepEqual([event!.recipients, event!.place, event!.doneAt === null], [2 * BATCH + 1, '', false])
  })

  it('are others, with an account that is not blocked, and follow those who have a profile', async (world) => {
    const { alice, bob, admin, blocked, moderator, anonymous, db } = world
    const id = await named(bob, 'bob-f')
    const follow = { id, state: 'following' } as const
    await assert.rejects(anonymous.follows.set(follow), { status: 401 })
    await assert.rejects(anonymous.follows.list({}), { status: 401 })
    await assert.rejects(blocked.follows.set(follow), { status: 403 })
    await assert.rejects(bob.follows.set(follow), { status: 409 })
    const nameless = (await admin.account()).id
    await assert.rejects(alice.follows.set({ ...follow, id: nameless }), { status: 404 })
    await Promise.all(Array.from({ length: 8 }, () => alice.follows.set(follow)))
    assert.equal((await db.selectFrom('follow').selectAll().where('targetId', '=', id).execute()).length, 1)
    await moderator.admin.block({ id, blocked: true })
    await assert.rejects(alice.follows.set(follow), { status: 404 })
    assert.deepEqual((await alice.follows.list({})).items, [])
  })
})

onEveryEngine('the list of what one follows', (it) => {
  it('has things and members in pages, newest first, and what is muted apart', async (world) => {
    const { alice, bob, moderator } = world
    const id = await followed(world)
    const ids: string[] = []
    for (const title of ['One', 'Two', 'Three']) ids.push((await bob.posts.create({ title, body: 'B' })).id)
    const org = await bob.library.publish({ kind: 'org', visibility: 'public', file: orgFile({ name: 'Team' }) })
    const item = await bob.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
    await alice.library.download({ id: item.id })
    for (const one of [...ids, org.id]) await alice.follows.set({ id: one, state: 'following' })
    await alice.follows.set({ id: ids[1]!, state: 'muted' })
    const titles = async (input: Parameters<typeof alice.follows.list>[0]) => {
      const { items, hasMore, next } = await alice.follows.list(input)
      return [items.map(({ title }) => title), hasMore, next]
    }
    assert.deepEqual(await titles({}), [['Team', 'Three', 'One', 'bob-f'], false, null])
    assert.deepEqual(await titles({ per_page: 4 }), [['Team', 'Three', 'One', 'bob-f'], false, null])
    assert.deepEqual(await titles({ per_page: 3 }), [['Team', 'Three', 'One'], true, ids[0]])
    assert.deepEqual(await titles({ per_page: 3, before: ids[0]! }), [['bob-f'], false, null])
    assert.deepEqual(await titles({ of: 'members' }), [['bob-f'], false, null])
    assert.deepEqual(await titles({ of: 'things' }), [['Team', 'Three', 'One'], false, null])
    assert.deepEqual(await titles({ state: 'muted' }), [['Two'], false, null])
    const { items } = await alice.follows.list({})
    assert.deepEqual(
      items.map(({ type, url, number }) => [type, url, number !== null]),
      [
        ['org', `/library/orgs/${org.slug}`, false],
        ['post', `/community/posts/${ids[2]}`, true],
        ['post', `/community/posts/${ids[0]}`, true],
        ['user', '/community/u/bob-f', false],
      ],
    )
    await moderator.posts.delete({ id: ids[2]! })
    await moderator.admin.block({ id, blocked: true })
    assert.deepEqual(await titles({}), [[], false, null])
    await assert.rejects(bob.follows.list({}))
  })
})
