// What a block or a hiding took out of inboxes comes back when that is undone: once, read or not as it was, and with a mail that was due.
import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { complaintsOf } from '../../../test/sound.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { deliverBatch } from '../delivery/delivery.ts'
import { BATCH } from '../delivery/telling.ts'

const inbox = async (person: Person) => {
  const { items, unread } = await person.notifications.list({})
  return { unread, kinds: items.map(({ type, read }) => `${type}${read ? ' read' : ''}`).toSorted() }
}

/** A thread of Alice, in which Bob answers her and names Carol. */
async function talk({ alice, bob, person, app }: World) {
  const carol = person('carol')
  await carol.profile.setUsername({ username: 'carol-c' })
  const post = await alice.posts.create({ title: 'Post', body: 'B' })
  const comment = await bob.posts.comment({ id: post.id, body: 'An answer for @carol-c' })
  await app.deliver()
  return { carol, post, comment }
}

/** What was hidden shows in the background; its inboxes follow after that. */
const settle = async ({ app }: World) => {
  for (let turn = 0; turn < 2; turn++) await app.deliver()
}

const sound = async (world: World) =>
  assert.deepEqual(
    (await complaintsOf(world)).filter((sentence) => /inbox|event/.test(sentence)),
    [],
  )

/** Hides a thing by a decision; gives the act. */
async function hide(
  { moderator, admin: reporter }: World,
  targetType: 'post' | 'comment',
  targetId: string,
): Promise<string> {
  await reporter.reports.create({ targetType, targetId, reason: 'spam' })
  const found = (await moderator.moderation.cases({})).items.find(({ target }) => target.id === targetId)
  const given = { id: found!.id, action: 'hide', rule: 'spam', reason: 'Advertising' } as const
  return (await moderator.moderation.decide(given)).id
}

onEveryEngine('notifications of what a block or a hiding took', (it) => {
  it('come back with the account, unread and read as they were', async (world) => {
    const { alice, bob, moderator } = world
    const { carol, post } = await talk(world)
    await bob.posts.comment({ id: post.id, body: 'More' })
    await settle(world)
    const [newest] = (await alice.notifications.list({})).items
    await alice.notifications.read({ ids: [newest!.id] })
    const before = [await inbox(alice), await inbox(carol)]
    assert.deepEqual(before, [
      { unread: 1, kinds: ['comment', 'comment read'] },
      { unread: 1, kinds: ['mention'] },
    ])
    const { id } = await bob.account()
    await moderator.admin.block({ id, blocked: true })
    await settle(world)
    const none = { unread: 0, kinds: [] }
    assert.deepEqual([await inbox(alice), await inbox(carol)], [none, none])
    await sound(world)
    await moderator.admin.block({ id, blocked: false })
    await settle(world)
    assert.deepEqual([await inbox(alice), await inbox(carol)], before)
    await settle(world)
    assert.deepEqual([await inbox(alice), await inbox(carol)], before)
    await sound(world)
  })

  it('come back when a hidden thing or comment shows again', async (world) => {
    const { alice, moderator } = world
    const { carol, post, comment } = await talk(world)
    const before = [await inbox(alice), await inbox(carol)]
    for (const [type, id] of [
      ['comment', comment.id],
      ['post', post.id],
    ] as const) {
      const act = await hide(world, type, id)
      await settle(world)
      assert.deepEqual((await inbox(carol)).kinds, [])
      await moderator.moderation.undo({ id: act, reason: 'A mistake' })
      await settle(world)
      assert.deepEqual((await inbox(carol)).kinds, ['mention'])
      assert.equal((await inbox(alice)).kinds.includes('comment'), true)
    }
    assert.deepEqual(await inbox(carol), before[1])
    await sound(world)
  })

  it('stay away while another reason hides them, and come back after the last one', async (world) => {
    const { bob, moderator } = world
    const { carol, post } = await talk(world)
    const { id } = await bob.account()
    const act = await hide(world, 'post', post.id)
    await moderator.admin.block({ id, blocked: true })
    await settle(world)
    await moderator.moderation.undo({ id: act, reason: 'A mistake' })
    await settle(world)
    assert.deepEqual((await inbox(carol)).kinds, [])
    const again = await hide(world, 'post', post.id)
    await moderator.admin.block({ id, blocked: false })
    await settle(world)
    assert.deepEqual((await inbox(carol)).kinds, [])
    await moderator.moderation.undo({ id: again, reason: 'A mistake' })
    await settle(world)
    assert.deepEqual((await inbox(carol)).kinds, ['mention'])
    await sound(world)
  })

  it('are gone for good when the thing is deleted while it is hidden', async (world) => {
    const { alice, moderator, db } = world
    const { carol, post } = await talk(world)
    const { id } = await alice.account()
    await moderator.admin.block({ id, blocked: true })
    await settle(world)
    await moderator.posts.delete({ id: post.id })
    await moderator.admin.block({ id, blocked: false })
    await settle(world)
    assert.deepEqual((await inbox(carol)).kinds, [])
    assert.deepEqual(await db.selectFrom('takenNotification').selectAll().execute(), [])
    await sound(world)
  })

  it('are seen by a reader who goes on after a number', async (world) => {
    const { bob, moderator } = world
    const { carol } = await talk(world)
    const { id } = await bob.account()
    await moderator.admin.block({ id, blocked: true })
    await settle(world)
    const post = await world.alice.posts.create({ title: 'Two', body: 'For @carol-c' })
    await settle(world)
    const { next } = await carol.notifications.list({ after: '0' })
    await moderator.admin.block({ id, blocked: false })
    await settle(world)
    const { items } = await carol.notifications.list({ after: String(next) })
    assert.deepEqual(
      items.map(({ type, target }) => [type, target.id === post.id]),
      [['mention', false]],
    )
  })

  it('come back once when an item is public again, ten times', async (world) => {
    const { alice, bob, person, app } = world
    const carol = person('carol')
    await carol.profile.setUsername({ username: 'carol-c' })
    await alice.profile.setUsername({ username: 'alice-a' })
    await bob.follows.set({ id: (await alice.account()).id, state: 'following' })
    const given = { kind: 'workflow', visibility: 'public', file: workflowFile() } as const
    const { id } = await alice.library.publish(given)
    await bob.library.comment({ id, body: 'An answer for @carol-c' })
    await settle(world)
    const seen = async () => [await inbox(alice), await inbox(bob), await inbox(carol)]
    const before = await seen()
    assert.deepEqual(before, [
      { unread: 1, kinds: ['comment'] },
      { unread: 1, kinds: ['posted'] },
      { unread: 1, kinds: ['mention'] },
    ])
    for (let round = 0; round < 10; round++) {
      await alice.library.update({ id, visibility: 'private' })
      // Public again before or after what was told is taken away.
      if (round % 3 !== 0) await app.deliver()
      if (round % 2 === 0) assert.equal((await alice.library.get({ id })).visibility, 'private')
      if (round % 3 === 1) assert.deepEqual(await seen(), Array(3).fill({ unread: 0, kinds: [] }))
      await alice.library.update({ id, visibility: 'public' })
      await settle(world)
      assert.deepEqual(await seen(), before, `round ${round}`)
    }
    await sound(world)
  })

  it('are told for the first time of an item that was private until now', async (world) => {
    const { alice, bob } = world
    await alice.profile.setUsername({ username: 'alice-a' })
    await bob.follows.set({ id: (await alice.account()).id, state: 'following' })
    const { id } = await alice.library.publish({ kind: 'workflow', file: workflowFile() })
    await settle(world)
    assert.deepEqual(await inbox(bob), { unread: 0, kinds: [] })
    await alice.library.update({ id, visibility: 'public' })
    await settle(world)
    assert.deepEqual(await inbox(bob), { unread: 1, kinds: ['posted'] })
  })

  it('are taken away once where the count of an event is too high, and nothing waits behind that', async (world) => {
    const { moderator, db, dependencies, bob } = world
    const { carol, comment } = await talk(world)
    await db.updateTable('event').set({ recipients: 9 }).where('commentId', '=', comment.id).execute()
    const { id } = await bob.account()
    await moderator.admin.block({ id, blocked: true })
    let batches = 0
    while (batches < 20 && (await deliverBatch(dependencies))) batches++
    assert.ok(batches < 20, 'the same event is taken again and again')
    const counts = await db.selectFrom('event').select('recipients').where('commentId', '=', comment.id).execute()
    assert.deepEqual(counts, [{ recipients: 0 }])
    assert.deepEqual(await inbox(carol), { unread: 0, kinds: [] })
    await moderator.admin.block({ id, blocked: false })
    await settle(world)
    assert.deepEqual(await inbox(carol), { unread: 1, kinds: ['mention'] })
    await sound(world)
  })

  it('come back to everybody, however a block and its end meet the delivery, ten times', async (world) => {
    const { alice, bob, moderator, app, dependencies, db } = world
    const { id: postId } = await alice.posts.create({ title: 'Post', body: 'B' })
    const { id } = await bob.account()
    const createdAt = new Date(world.clock.now()).toISOString()
    const followers = Array.from({ length: BATCH + 1 }, (_, n) => `00-${String(n).padStart(6, '0')}`)
    const none = {
      emailVerifiedAt: null,
      emailVerifiedBy: null,
      name: null,
      username: null,
      usernameKey: null,
    } as const
    const rest = { passwordHash: null, blockedAt: null, avatarUpdatedAt: null, createdAt, updatedAt: createdAt }
    const users = followers.map((one) => ({
      id: one,
      email: `${one}@example.com`,
      role: 'member' as const,
      ...none,
      ...rest,
    }))
    await db.insertInto('user').values(users).execute()
    const follows = followers.map((userId) => ({ targetId: postId, userId, state: 'following' as const, createdAt }))
    await db.insertInto('follow').values(follows).execute()
    const told = async () =>
      Number(
        (
          await db
            .selectFrom('notification')
            .select((row) => row.fn.countAll().as('n'))
            .where('userId', 'like', '00-%')
            .executeTakeFirstOrThrow()
        ).n,
      )
    for (let round = 1; round <= 10; round++) {
      await bob.posts.comment({ id: postId, body: `Comment ${round}` })
      if (round % 2 === 0) await settle(world)
      await moderator.admin.block({ id, blocked: true })
      if (round % 3 === 0) await settle(world)
      const worker = async () => {
        while (await deliverBatch(dependencies));
      }
      await Promise.all([worker(), worker(), moderator.admin.block({ id, blocked: false }), app.deliver()])
      await bob.accounts.signIn({ email: bob.email, password: 'bob has a password' })
      await settle(world)
      assert.equal(await told(), round * followers.length, `round ${round}`)
      assert.equal((await inbox(alice)).unread, round)
    }
    assert.deepEqual(await db.selectFrom('takenNotification').selectAll().execute(), [])
    await sound(world)
  })
})
