// Boards through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { assertSound } from '../../../test/sound.ts'
import { verify } from '../../../test/visitor.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { MAX_BOARDS, MAX_TURNED } from '../board-access/rules.ts'

const bug = { title: 'Crash', description: 'It stops', severity: 'low' } as const
const kinds = ['bugs', 'features', 'posts', 'changelog'] as const
type Kind = (typeof kinds)[number]
const types = { bugs: 'bug', features: 'feature', posts: 'post', changelog: 'release' } as const

const writeIn = (person: Person, kind: Kind, board: string | undefined, title = 'Quokka') => {
  const place = board === undefined ? {} : { board }
  if (kind === 'bugs') return person.bugs.create({ ...bug, title, ...place })
  if (kind === 'features') return person.features.create({ title, description: 'D', ...place })
  return kind === 'posts'
    ? person.posts.create({ title, body: 'B', ...place })
    : person.changelog.create({ title, body: 'B', ...place })
}

/** All kinds have the operations of bugs that are used here. */
const on = (person: Person, kind: Kind) => person[kind] as unknown as Person['bugs']

/** A board that moderators read, and one that everybody does. */
async function twoBoards({ admin }: World) {
  await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
  await admin.boards.create({ slug: 'labs', name: 'Labs', position: 2 })
}

onEveryEngine('a board', (it) => {
  it('is one that is there from the beginning, and those that admins make', async (world) => {
    const { admin, moderator, alice, anonymous } = world
    const { items: before } = await anonymous.boards.list()
    assert.deepEqual(
      before.map(({ slug, closed }) => [slug, closed]),
      [['main', false]],
    )
    assert.deepEqual(before[0]?.can, { write: false, moderate: false, edit: false })
    await assert.rejects(moderator.boards.create({ slug: 'x-1', name: 'X' }), { status: 403 })
    const made = await admin.boards.create({ slug: 'Staff', name: 'Staff', readers: 'roles: moderator' })
    assert.equal(made.slug, 'staff')
    assert.equal(made.closed, true)
    for (const slug of ['staff', 'main'])
      await assert.rejects(admin.boards.create({ slug, name: 'Again' }), { status: 409 })
    for (const readers of ['nobody', 'groups:', 'roles: king', 'everyone; members', `groups: ${'g '.repeat(21)}`])
      await assert.rejects(admin.boards.create({ slug: 'bad', name: 'Bad', readers }), { status: 400 }, readers)
    await assert.rejects(admin.boards.create({ slug: 'bad', name: 'Bad', readers: 'teams: none-such' }), {
      status: 400,
    })
    assert.equal((await alice.boards.list()).items.length, 1)
    assert.equal((await moderator.boards.list()).items.length, 2)
    assert.equal((await moderator.boards.get({ board: 'staff' })).rules?.readers, 'roles: moderator')
    await assert.rejects(alice.boards.get({ board: 'staff' }), { status: 404 })
    await assert.rejects(anonymous.boards.get({ board: 'staff' }), { status: 404 })
    const changed = await admin.boards.update({ board: 'main', name: 'Everything', statuses: { bug: { open: 'New' } } })
    assert.deepEqual([changed.name, changed.statuses], ['Everything', { bug: { open: 'New' } }])
    assert.equal((await anonymous.boards.get({ board: 'main' })).name, 'Everything')
    await assert.rejects(admin.boards.update({ board: 'main', readers: 'members' }), { status: 409 })
    await assert.rejects(admin.boards.archive({ board: 'main', archived: true }), { status: 409 })
    await assert.rejects(admin.boards.delete({ board: 'main' }), { status: 409 })
  })

  it('are at most fifty', async ({ admin }) => {
    for (let at = 2; at <= MAX_BOARDS; at++) await admin.boards.create({ slug: `board-${at}`, name: `Board ${at}` })
    await assert.rejects(admin.boards.create({ slug: 'one-more', name: 'One more' }), { status: 409 })
  })

  it('that is closed is listed, read and written by its readers alone, and by its address alone', async (world) => {
    const { moderator, alice, anonymous } = world
    await twoBoards(world)
    for (const kind of kinds) {
      const open = await writeIn(moderator, kind, undefined)
      const { id, number } = await writeIn(moderator, kind, 'staff')
      for (const person of [alice, anonymous]) {
        await assert.rejects(on(person, kind).get({ id }), { status: 404 })
        await assert.rejects(on(person, kind).comments({ id }), { status: 404 })
        await assert.rejects(on(person, kind).list({ board: 'staff' }), { status: 404 })
        await assert.rejects(person.references.get({ number }), { status: 404 })
        assert.equal((await on(person, kind).list()).total, 1)
      }
      await assert.rejects(on(alice, kind).vote({ id, value: 1 }), { status: 404 })
      await assert.rejects(on(alice, kind).comment({ id, body: 'Hm' }), { status: 404 })
      assert.equal((await on(moderator, kind).get({ id })).board, 'staff')
      assert.equal('board' in (await on(moderator, kind).get({ id: open.id })), false)
      const listed = await on(moderator, kind).list({ board: 'staff', q: 'quok' })
      assert.deepEqual(
        listed.items.map((item) => [item.id, item.board]),
        [[id, 'staff']],
      )
      assert.deepEqual((await on(moderator, kind).list({ board: 'staff', q: 'wombat' })).items, [])
      assert.equal((await on(moderator, kind).list({ board: 'main' })).items[0]?.id, open.id)
      assert.equal((await on(moderator, kind).vote({ id, value: 1 })).score, 1)
      const { id: commentId } = await on(moderator, kind).comment({ id, body: 'Bandicoot' })
      assert.equal((await on(moderator, kind).comments({ id })).total, 1)
      await assert.rejects(anonymous.comments.get({ id: commentId }), { status: 404 })
      await moderator.comments.react({ id: commentId, reaction: 'heart' })
      await assert.rejects(alice.comments.react({ id: commentId, reaction: 'heart' }), { status: 404 })
      await moderator.comments.edit({ id: commentId, body: 'Bandicoots' })
      await on(moderator, kind).edit({ id, title: 'Quokkas' })
    }
    for (const person of [moderator, anonymous]) {
      for (const q of ['quokka', 'bandicoot']) {
        const { items } = await person.search.find({ q })
        assert.equal(items.length, q === 'quokka' ? kinds.length : 0)
      }
      assert.equal((await person.feed.list()).items.length, kinds.length)
    }
    await world.app.deliver()
    await assertSound(world)
  })

  it('is archived, and then only read, and deleted when it is empty', async (world) => {
    const { admin, alice } = world
    await twoBoards(world)
    const { id } = await writeIn(alice, 'posts', 'labs')
    await admin.boards.archive({ board: 'labs', archived: true })
    await assert.rejects(writeIn(alice, 'posts', 'labs'), { status: 409 })
    await assert.rejects(alice.posts.comment({ id, body: 'Late' }), { status: 403 })
    assert.equal((await alice.posts.get({ id })).board, 'labs')
    await admin.boards.archive({ board: 'labs', archived: false })
    await alice.posts.comment({ id, body: 'In time' })
    await assert.rejects(admin.boards.delete({ board: 'labs' }), { status: 409 })
    await alice.posts.delete({ id })
    await admin.boards.delete({ board: 'labs' })
    await assert.rejects(alice.boards.get({ board: 'labs' }), { status: 404 })
  })

  it('gives a thing that is moved other readers, once that is confirmed, and keeps all that it has', async (world) => {
    const { moderator, alice, bob, anonymous, app } = world
    await twoBoards(world)
    for (const kind of kinds) {
      const author = kind === 'changelog' ? moderator : alice
      const { id, number } = await writeIn(author, kind, undefined, 'Numbat')
      await on(bob, kind).vote({ id, value: 1 })
      await on(bob, kind).comment({ id, body: 'Echidna' })
      const move = { type: types[kind], id }
      await assert.rejects(alice.boards.move({ ...move, board: 'labs' }), { status: 403 })
      await moderator.boards.move({ ...move, board: 'labs' })
      assert.equal((await on(anonymous, kind).get({ id })).board, 'labs')
      assert.equal((await anonymous.references.get({ number })).id, id)
      await assert.rejects(moderator.boards.move({ ...move, board: 'staff' }), { status: 409 })
      await moderator.boards.move({ ...move, board: 'staff', confirm: true })
      await app.deliver()
      await assert.rejects(on(anonymous, kind).get({ id }), { status: 404 })
      await assert.rejects(on(author, kind === 'changelog' ? 'bugs' : kind).get({ id }), { status: 404 })
      for (const q of ['numbat', 'echidna']) assert.equal((await anonymous.search.find({ q })).total, 0, q)
      assert.equal((await on(anonymous, kind).list()).total, 0)
      await moderator.boards.move({ ...move, board: 'main', confirm: true })
      const back = await on(anonymous, kind).get({ id })
      assert.deepEqual([back.number, back.score, back.commentCount, 'board' in back], [number, 1, 1, false])
      for (const q of ['numbat', 'echidna']) assert.equal((await anonymous.search.find({ q })).total, 1, q)
      await on(moderator, kind).delete({ id })
    }
    await app.deliver()
    await assertSound(world)
  })

  it('is closed and opened with what is in it, while that is little', async (world) => {
    const { admin, alice, moderator, anonymous, db } = world
    await twoBoards(world)
    const { id } = await writeIn(alice, 'bugs', 'labs')
    await admin.boards.update({ board: 'labs', readers: 'roles: moderator' })
    await assert.rejects(anonymous.bugs.get({ id }), { status: 404 })
    assert.equal((await anonymous.feed.list()).items.length, 0)
    assert.equal((await moderator.bugs.list({ board: 'labs' })).total, 1)
    await assert.rejects(admin.boards.update({ board: 'labs', readers: 'everyone' }), { status: 409 })
    await assert.rejects(anonymous.bugs.get({ id }), { status: 404 })
    await admin.boards.update({ board: 'labs', readers: 'everyone', confirm: true })
    assert.equal((await anonymous.bugs.get({ id })).board, 'labs')
    const { activeAt: _, ...row } = await db
      .selectFrom('bug')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const more = Array.from({ length: MAX_TURNED }, (_, at) => ({ ...row, id: `${id}${at}`, number: 10_000 + at }))
    for (const one of more.slice(1)) await db.insertInto('bug').values(one).execute()
    await admin.boards.update({ board: 'labs', readers: 'members' })
    await admin.boards.update({ board: 'labs', readers: 'everyone', confirm: true })
    await db.insertInto('bug').values(more[0]!).execute()
    await assert.rejects(admin.boards.update({ board: 'labs', readers: 'members' }), { status: 409 })
  })

  it('hides what is written, moved or brought back into it while it is closed, ten times', async (world) => {
    const { admin, moderator, alice, anonymous } = world
    for (let round = 0; round < 10; round++) {
      const board = `labs-${round}`
      await admin.boards.create({ slug: board, name: 'Labs' })
      const { id: moved } = await writeIn(moderator, 'bugs', undefined, 'Moved')
      const { id: merged } = await writeIn(moderator, 'bugs', board, 'Merged')
      const { id: target } = await writeIn(moderator, 'bugs', undefined, 'Target')
      await moderator.bugs.merge({ id: merged, into: target })
      await world.app.deliver()
      const [, ...writes] = await Promise.allSettled([
        admin.boards.update({ board, readers: 'roles: moderator' }),
        ...kinds.slice(0, 3).map((kind) => writeIn(alice, kind, board)),
        moderator.boards.move({ board, type: 'bug', id: moved, confirm: true }),
        moderator.bugs.undoMerge({ id: merged }),
      ])
      await world.app.deliver()
      assert.equal((await anonymous.boards.list()).items.length, 1, `${round}: it is closed`)
      for (const write of writes) assert.ok(write.status === 'fulfilled' || write.reason.status < 500, String(write))
      for (const kind of kinds.slice(0, 3)) {
        const { items } = await on(moderator, kind).list({ board })
        for (const { id } of items)
          await assert.rejects(on(anonymous, kind).get({ id }), { status: 404 }, `${round} ${kind}`)
      }
      const left = await anonymous.bugs.list({})
      assert.deepEqual(
        left.items.filter((bug) => bug.board !== undefined),
        [],
        `${round}`,
      )
    }
    await assertSound(world)
  })

  it('is not deleted beneath what is written or moved into it, ten times', async (world) => {
    const { admin, moderator, alice } = world
    for (let round = 0; round < 10; round++) {
      const board = `labs-${round}`
      await admin.boards.create({ slug: board, name: 'Labs' })
      const { id: moved } = await writeIn(moderator, 'bugs', undefined, 'Moved')
      const [gone, ...writes] = await Promise.allSettled([
        admin.boards.delete({ board }),
        writeIn(alice, 'posts', board),
        moderator.boards.move({ board, type: 'bug', id: moved }),
      ])
      const done = writes.filter(({ status }) => status === 'fulfilled').length
      assert.equal(gone?.status === 'fulfilled', done === 0, `${round}: ${gone?.status}, ${done} written`)
      assert.equal((await moderator.bugs.get({ id: moved })).id, moved)
    }
  })

  it('has no other readers by the slug of a team that is gone: it is never free', async (world) => {
    const { admin, alice, bob } = world
    for (const one of [alice, bob]) await verify(world, await one.account())
    await alice.teams.create({ slug: 'core', name: 'Core' })
    await admin.boards.create({ slug: 'plans', name: 'Plans', readers: 'teams: core' })
    assert.equal((await alice.boards.get({ board: 'plans' })).slug, 'plans')
    await alice.teams.update({ slug: 'core', new_slug: 'core-2' })
    await assert.rejects(bob.teams.create({ slug: 'core', name: 'Core' }), { status: 409 })
    await alice.teams.delete({ slug: 'core-2' })
    await assert.rejects(bob.teams.create({ slug: 'core', name: 'Core' }), { status: 409 })
    await bob.teams.create({ slug: 'others', name: 'Others' })
    await assert.rejects(bob.teams.update({ slug: 'others', new_slug: 'core' }), { status: 409 })
    await assert.rejects(bob.boards.get({ board: 'plans' }), { status: 404 })
  })

  it('asks before a merge shows one to other readers', async (world) => {
    const { moderator, anonymous, app } = world
    await twoBoards(world)
    const inside = await writeIn(moderator, 'bugs', 'staff', 'Inside')
    const outside = await writeIn(moderator, 'bugs', undefined, 'Outside')
    await assert.rejects(moderator.bugs.merge({ id: inside.id, into: outside.id }), { status: 409 })
    await moderator.bugs.merge({ id: outside.id, into: inside.id, confirm: true })
    await app.deliver()
    await assert.rejects(anonymous.bugs.get({ id: outside.id }), { status: 404 })
    assert.equal((await moderator.bugs.merged({ id: inside.id })).total, 1)
    await moderator.bugs.undoMerge({ id: outside.id })
    await app.deliver()
    assert.equal((await anonymous.bugs.get({ id: outside.id })).title, 'Outside')
    await assert.rejects(anonymous.bugs.get({ id: inside.id }), { status: 404 })
    const second = await writeIn(moderator, 'bugs', 'staff', 'Second')
    await moderator.bugs.merge({ id: second.id, into: inside.id })
    await app.deliver()
    await moderator.bugs.undoMerge({ id: second.id })
    await app.deliver()
    await assert.rejects(anonymous.bugs.get({ id: second.id }), { status: 404 })
    assert.equal((await moderator.bugs.get({ id: second.id })).board, 'staff')
    assert.equal((await anonymous.search.find({ q: 'inside' })).total, 0)
    await assertSound(world)
  })

  it('leads by its numbers to what is in it, those who read it alone', async (world) => {
    const { admin, moderator, alice, anonymous, app } = world
    await admin.boards.create({ slug: 'quiet', name: 'Quiet', readers: 'roles: moderator' })
    const made = { title: 'T', description: 'D', severity: 'low', board: 'quiet' } as const
    const one = await moderator.bugs.create(made)
    const other = await moderator.bugs.create(made)
    assert.equal((await moderator.references.get({ number: one.number })).id, one.id)
    await moderator.bugs.merge({ id: one.id, into: other.id })
    await app.deliver()
    assert.equal((await moderator.references.get({ number: one.number })).id, other.id)
    for (const person of [alice, anonymous])
      for (const { number } of [one, other])
        await assert.rejects(person.references.get({ number }), { status: 404 }, 'as for a number of nothing')
    await moderator.bugs.delete({ id: other.id })
    await assert.rejects(moderator.references.get({ number: other.number }), { status: 404 })
  })
})
