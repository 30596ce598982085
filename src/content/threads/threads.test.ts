// Pins, locks and solutions, through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { agentOf } from '../../../test/agents.ts'
import { assertSound } from '../../../test/sound.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { MAX_PINNED } from './contract.ts'

const kinds = ['bugs', 'features', 'posts'] as const
type Kind = (typeof kinds)[number]

const write = (person: Person, kind: Kind, title = 'T') =>
  kind === 'bugs'
    ? person.bugs.create({ title, description: 'D', severity: 'low' })
    : kind === 'features'
      ? person.features.create({ title, description: 'D' })
      : person.posts.create({ title, body: 'B' })

/** All kinds have the operations of bugs that are used here. */
const on = (person: Person, kind: Kind) => person[kind] as Person['bugs']

const historyOf = async ({ anonymous }: World, id: string) =>
  (await anonymous.threads.changes({ id })).items.map(({ action }) => action).toReversed()

onEveryEngine('a pin', (it) => {
  it('is on at most five things of each kind, and changes no order', async (world) => {
    const { alice, moderator, anonymous } = world
    for (const kind of kinds) {
      const things = []
      for (let at = 0; at <= MAX_PINNED; at++) things.push(await write(alice, kind, `${kind} ${at}`))
      const listed = async (filter: object = {}) => (await on(anonymous, kind).list(filter)).items.map(({ id }) => id)
      const order = await listed()
      const [first, ...others] = things
      for (const { id } of things.slice(0, MAX_PINNED)) {
        assert.deepEqual(await moderator.threads.pin({ id, pinned: true }), { id, pinned: true })
      }
      const last = things.at(-1)!.id
      await assert.rejects(moderator.threads.pin({ id: last, pinned: true }), { status: 409 })
      await moderator.threads.pin({ id: first!.id, pinned: true })
      assert.deepEqual(await listed(), order)
      const pinned = await on(anonymous, kind).list({ pinned: 'true', per_page: 3 })
      assert.equal(pinned.total, MAX_PINNED)
      assert.deepEqual(
        pinned.items.map(({ id }) => id),
        order.slice(1, 4),
      )
      assert.ok(pinned.items.every((item) => item.pinned === true))
      assert.deepEqual(await listed({ pinned: 'true', authorId: (await moderator.account()).id }), [])
      assert.deepEqual(await listed({ pinned: 'true', q: `${kind} 2` }), [things[2]!.id])
      const paged = await on(anonymous, kind).list({ pinned: 'true', cursor: '', per_page: 4 })
      const rest = await on(anonymous, kind).list({ pinned: 'true', cursor: paged.nextCursor!, per_page: 4 })
      assert.deepEqual(
        [...paged.items, ...rest.items].map(({ id }) => id),
        order.slice(1),
      )
      await moderator.threads.pin({ id: first!.id, pinned: false })
      assert.equal('pinned' in (await on(anonymous, kind).get({ id: first!.id })), false)
      await moderator.threads.pin({ id: last, pinned: true })
      assert.deepEqual(await historyOf(world, first!.id), ['pinned', 'unpinned'])
      assert.equal(others.length, MAX_PINNED)
    }
    await assertSound(world)
  })

  it('counts by board, and moves with its thing', async (world) => {
    const { alice, admin, moderator, anonymous } = world
    await admin.boards.create({ slug: 'labs', name: 'Labs' })
    const pin = (id: string) => moderator.threads.pin({ id, pinned: true })
    const inLabs = { title: 'T', body: 'B', board: 'labs' }
    for (let at = 0; at < MAX_PINNED; at++) {
      await pin((await write(alice, 'posts')).id)
      await pin((await alice.posts.create(inLabs)).id)
    }
    await assert.rejects(pin((await write(alice, 'posts')).id), { status: 409 })
    const last = await alice.posts.create(inLabs)
    await assert.rejects(pin(last.id), { status: 409 })
    const [first] = (await anonymous.posts.list({ board: 'labs', pinned: 'true' })).items
    await moderator.boards.move({ type: 'post', id: first!.id, board: 'main' })
    await pin(last.id)
    assert.equal((await anonymous.posts.list({ board: 'main', pinned: 'true' })).total, MAX_PINNED + 1)
  })

  it('is refused to members, for what cannot have it and for what is not there', async ({
    alice,
    anonymous,
    admin,
    moderator,
  }) => {
    const { id } = await write(alice, 'posts')
    await assert.rejects(alice.threads.pin({ id, pinned: true }), { status: 403, message: 'Forbidden' })
    await assert.rejects(anonymous.threads.pin({ id, pinned: true }), { status: 401 })
    await assert.rejects(moderator.threads.pin({ id: 'nothing', pinned: true }), { status: 404 })
    const release = await admin.changelog.create({ title: 'Out', body: 'It is' })
    await assert.rejects(moderator.threads.pin({ id: release.id, pinned: true }), { status: 404 })
    await assert.rejects(anonymous.threads.changes({ id: release.id }), { status: 404 })
    assert.deepEqual(
      Object.keys(await anonymous.posts.get({ id })).filter((name) => /pinned|locked|solution/.test(name)),
      [],
    )
  })

  it('stays on five when ten are pinned at once, and is changed once by two', async (world) => {
    const { alice, moderator, admin, anonymous } = world
    const ids = await Promise.all(Array.from({ length: 10 }, async () => (await write(alice, 'posts')).id))
    const results = await Promise.allSettled(ids.map((id) => moderator.threads.pin({ id, pinned: true })))
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, MAX_PINNED)
    assert.equal((await anonymous.posts.list({ pinned: 'true' })).total, MAX_PINNED)
    const bug = await write(alice, 'bugs')
    await Promise.all([moderator, admin].map((person) => person.threads.lock({ id: bug.id, locked: true })))
    assert.deepEqual(await historyOf(world, bug.id), ['locked'])
  })

  it('is of what shows, and ends with a merge', async (world) => {
    const { alice, moderator, admin, anonymous, app } = world
    const [one, two] = [await write(alice, 'bugs', 'One'), await write(alice, 'bugs', 'Two')]
    await moderator.threads.pin({ id: one.id, pinned: true })
    await moderator.threads.lock({ id: one.id, locked: true })
    await moderator.bugs.merge({ id: one.id, into: two.id })
    await app.deliver()
    assert.equal((await anonymous.bugs.list({ pinned: 'true' })).total, 0)
    assert.equal('locked' in (await anonymous.bugs.get({ id: one.id })), false, 'that of the target counts')
    await moderator.threads.pin({ id: one.id, pinned: true })
    assert.equal((await anonymous.bugs.get({ id: two.id })).pinned, true, 'a merged thing leads to its target')
    await moderator.bugs.undoMerge({ id: one.id })
    await app.deliver()
    const back = await anonymous.bugs.get({ id: one.id })
    assert.deepEqual([back.locked, 'pinned' in back], [true, false])
    await moderator.bugs.delete({ id: two.id })
    await app.deliver()
    const left = await world.db.selectFrom('threadState').select('id').where('id', '=', two.id).execute()
    assert.deepEqual(left, [])
    await assert.rejects(admin.threads.pin({ id: two.id, pinned: true }), { status: 404 })
    await assertSound(world)
  })
})

onEveryEngine('a lock', (it) => {
  it('lets moderators alone write and edit comments; votes and reactions stay', async (world) => {
    const { alice, bob, moderator, admin, anonymous } = world
    for (const kind of kinds) {
      const { id } = await write(alice, kind)
      const comment = await on(bob, kind).comment({ id, body: 'Before' })
      await assert.rejects(alice.threads.lock({ id, locked: true }), { status: 403 })
      assert.deepEqual(await moderator.threads.lock({ id, locked: true, reason: 'Calm' }), { id, locked: true })
      assert.equal((await on(anonymous, kind).get({ id })).locked, true)
      for (const member of [alice, bob]) {
        const locked = { status: 403, message: 'Locked' }
        await assert.rejects(on(member, kind).comment({ id, body: 'After' }), locked)
        await assert.rejects(on(member, kind).comment({ id, body: 'After', parentId: comment.id }), locked)
      }
      await assert.rejects(bob.comments.edit({ id: comment.id, body: 'Else' }), { status: 403, message: 'Locked' })
      for (const person of [moderator, admin]) await on(person, kind).comment({ id, body: 'The end' })
      await moderator.comments.edit({ id: comment.id, body: 'Cleaned' })
      await on(bob, kind).vote({ id, value: 1 })
      await bob.comments.react({ id: comment.id, reaction: 'heart' })
      await bob.comments.delete({ id: comment.id })
      await moderator.threads.lock({ id, locked: false })
      await on(bob, kind).comment({ id, body: 'Again' })
      const { items } = await anonymous.threads.changes({ id })
      assert.deepEqual(
        items.map(({ action, reason }) => [action, reason]),
        [
          ['unlocked', null],
          ['locked', 'Calm'],
        ],
      )
      const audit = (await admin.admin.listAudit({ targetId: id })).items
      assert.deepEqual(
        audit.map(({ action }) => action),
        ['thread.lock', 'thread.lock'],
      )
    }
  })

  it('lets no comment and no edit land after it, however close they come', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    let refused = 0
    for (const round of Array(10).keys()) {
      const kind = kinds[round % kinds.length]!
      const { id } = await write(alice, kind)
      const comment = await on(bob, kind).comment({ id, body: 'Before' })
      const said = async () =>
        (await on(anonymous, kind).comments({ id })).items.map((one) => [one.id, one.body, one.editedAt])
      const locking = moderator.threads.lock({ id, locked: true })
      const writes = Array.from({ length: 6 }, (_, at) =>
        at % 2
          ? bob.comments.edit({ id: comment.id, body: `Edit ${at}` })
          : on(bob, kind).comment({ id, body: `${at}` }),
      )
      const results = Promise.allSettled(writes)
      await locking
      const atLock = await said()
      for (const result of await results) {
        if (result.status === 'fulfilled') continue
        assert.deepEqual([result.reason.status, result.reason.message], [403, 'Locked'])
        refused++
      }
      assert.deepEqual(await said(), atLock, 'something landed after the lock')
    }
    assert.ok(refused > 0, 'nothing came after its lock')
    await assertSound(world)
  })

  it('binds the agents of members too, and not those of moderators', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const { id } = await write(alice, 'posts')
    const [helper, keeper] = [await agentOf(world, bob), await agentOf(world, moderator)]
    await keeper.threads.lock({ id, locked: true })
    await assert.rejects(helper.posts.comment({ id, body: 'Hi' }), { status: 403, message: 'Locked' })
    await keeper.posts.comment({ id, body: 'Closed' })
    assert.ok((await anonymous.threads.changes({ id })).items[0]?.via)
  })
})

onEveryEngine('a solution', (it) => {
  it('is marked by the author of the thing or a moderator, and its author hears of it', async (world) => {
    const { alice, bob, moderator, anonymous, app } = world
    for (const kind of kinds) {
      const { id } = await write(alice, kind)
      const answer = await on(bob, kind).comment({ id, body: 'Turn it off and on' })
      await assert.rejects(bob.threads.solve({ id, commentId: answer.id }), { status: 403 })
      await assert.rejects(anonymous.threads.solve({ id, commentId: answer.id }), { status: 401 })
      await assert.rejects(alice.threads.solve({ id, commentId: 'nothing' }), { status: 404 })
      const elsewhere = await write(bob, kind)
      const other = await on(bob, kind).comment({ id: elsewhere.id, body: 'Else' })
      await assert.rejects(alice.threads.solve({ id, commentId: other.id }), { status: 404 })
      assert.deepEqual(await alice.threads.solve({ id, commentId: answer.id }), { id, solution: answer.id })
      await alice.threads.solve({ id, commentId: answer.id })
      assert.equal((await on(anonymous, kind).get({ id })).solution, answer.id)
      await app.deliver()
      const [told] = (await bob.notifications.list()).items
      assert.deepEqual([told?.change, told?.target.id, told?.url], ['solved', id, `/community/comments/${answer.id}`])
      const better = await on(moderator, kind).comment({ id, body: 'Update' })
      await moderator.threads.solve({ id, commentId: better.id })
      assert.equal((await on(anonymous, kind).get({ id })).solution, better.id)
      await alice.threads.solve({ id, commentId: null })
      assert.equal('solution' in (await on(anonymous, kind).get({ id })), false)
      assert.deepEqual(await historyOf(world, id), ['solved', 'solved', 'unsolved'])
    }
    await assertSound(world)
  })

  it('goes when its comment is removed, and is not shown while that is hidden', async (world) => {
    const { alice, bob, moderator, admin, anonymous } = world
    const { id } = await write(alice, 'posts')
    const shown = async () => (await anonymous.posts.get({ id })).solution
    const answer = await bob.posts.comment({ id, body: 'So' })
    await alice.threads.solve({ id, commentId: answer.id })
    await admin.admin.block({ id: (await bob.account()).id, blocked: true })
    assert.equal(await shown(), undefined)
    await admin.admin.block({ id: (await bob.account()).id, blocked: false })
    await world.app.deliver()
    assert.equal(await shown(), answer.id)
    await moderator.comments.delete({ id: answer.id })
    assert.equal(await shown(), undefined)
    const again = await moderator.posts.comment({ id, body: 'So again' })
    await alice.threads.solve({ id, commentId: again.id })
    assert.equal(await shown(), again.id)
    await assertSound(world)
  })

  it('is one when two are marked at once', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const { id } = await write(alice, 'posts')
    const [one, two] = [await bob.posts.comment({ id, body: '1' }), await bob.posts.comment({ id, body: '2' })]
    await Promise.all([
      alice.threads.solve({ id, commentId: one.id }),
      moderator.threads.solve({ id, commentId: two.id }),
    ])
    const { solution } = await anonymous.posts.get({ id })
    const [last] = (await anonymous.threads.changes({ id })).items
    assert.equal(last?.commentId, solution)
    assert.deepEqual(await historyOf(world, id), ['solved', 'solved'])
  })
})
