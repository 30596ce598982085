// Who is invited to a board: by a link, until an admin takes them out, and with a rule that says so.
import assert from 'node:assert/strict'
import { verify } from '../../../test/visitor.ts'
import { newBrowser } from '../../../test/visitors.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'

const bug = { title: 'Crash', description: 'It stops', severity: 'low' } as const
const gone = { status: 404, message: 'This invitation is not good, or no longer; ask for another one' }

/** A board that those who are invited read, with a bug of the moderator, and a link to it. */
async function start(world: World, input: Parameters<Person['invitationLinks']['create']>[0] = {}) {
  const { admin, moderator, alice, bob } = world
  for (const person of [alice, bob]) await verify(world, await person.account())
  await admin.boards.create({ slug: 'inner', name: 'Inner', readers: 'invited', writers: 'invited' })
  const { id } = await moderator.bugs.create({ ...bug, board: 'inner' })
  const link = await admin.invitationLinks.create({ board: 'inner', maxUses: 2, ...input })
  return { id, link, key: new URL(link.link).searchParams.get('key') ?? '' }
}

async function accept(person: Person, key: string) {
  await person.invitation.open({ key })
  return person.invitation.accept()
}

onEveryEngine('an invitation to a board', (it) => {
  it('lets an account that is there read and write in it, and no one else', async (world) => {
    const { admin, alice, bob, anonymous } = world
    const { id, key, link } = await start(world)
    assert.equal(link.board, 'inner')
    await assert.rejects(alice.bugs.get({ id }), { status: 404 })
    const opened = await alice.invitation.open({ key })
    assert.deepEqual([opened.role, opened.board], ['member', { slug: 'inner', name: 'Inner' }])
    assert.equal((await alice.invitation.accept()).user.role, 'member')
    assert.equal((await alice.bugs.get({ id })).board, 'inner')
    await alice.bugs.comment({ id, body: 'I am in' })
    await alice.bugs.create({ ...bug, board: 'inner' })
    for (const person of [bob, anonymous]) {
      await assert.rejects(person.bugs.get({ id }), { status: 404 })
      await assert.rejects(person.boards.get({ board: 'inner' }), { status: 404 })
    }
    await assert.rejects(accept(alice, key), { status: 409 }, 'it gives nothing more')
    const { items } = await admin.boards.members({ board: 'inner' })
    assert.deepEqual(
      items.map((one) => one.id),
      [(await alice.account()).id],
    )
    for (const person of [alice, world.moderator])
      await assert.rejects(person.boards.members({ board: 'inner' }), { status: 403 })
    assert.equal((await admin.invitationLinks.list()).items[0]?.board, 'inner')
  })

  it('goes along with a sign-up, also with the role of a moderator, and counts its uses', async (world) => {
    const { admin } = world
    const { id, key } = await start(world, { maxUses: 1 })
    const browser = newBrowser(world)
    await browser.invitation.open({ key })
    const email = 'joiner@elsewhere.example'
    await browser.accounts.sendCode({ email })
    await browser.accounts.signInWithCode({ email, code: await world.code(email) })
    assert.equal((await browser.bugs.get({ id })).id, id)
    await assert.rejects(world.bob.invitation.open({ key }), gone)
    const second = await admin.invitationLinks.create({ board: 'inner', role: 'moderator' })
    const { user } = await accept(world.alice, new URL(second.link).searchParams.get('key') ?? '')
    assert.equal(user.role, 'moderator')
    assert.equal((await admin.boards.members({ board: 'inner' })).items.length, 2)
  })

  it('ends when an admin takes the account out: the link does not let it in again', async (world) => {
    const { admin, alice, moderator } = world
    const { id, key } = await start(world)
    await accept(alice, key)
    const { id: userId } = await alice.account()
    await assert.rejects(moderator.boards.removeMember({ board: 'inner', userId }), { status: 403 })
    await admin.boards.removeMember({ board: 'inner', userId, reason: 'Left' })
    await assert.rejects(alice.bugs.get({ id }), { status: 404 })
    await assert.rejects(alice.boards.get({ board: 'inner' }), { status: 404 })
    await assert.rejects(admin.boards.removeMember({ board: 'inner', userId }), { status: 404 })
    await alice.invitation.open({ key })
    await assert.rejects(alice.invitation.accept(), gone)
    assert.ok((await admin.admin.listAudit({})).items.some(({ action }) => action === 'board.uninvite'))
  })

  it('counts in its own board alone, and where the rule says so', async (world) => {
    const { admin, alice, moderator } = world
    const { id, key } = await start(world)
    await admin.boards.create({ slug: 'second', name: 'Second', readers: 'invited' })
    const other = await moderator.bugs.create({ ...bug, board: 'second' })
    await accept(alice, key)
    await assert.rejects(alice.bugs.get({ id: other.id }), { status: 404 })
    const move = { type: 'bug', id, board: 'second' } as const
    await assert.rejects(moderator.boards.move(move), { status: 409 }, 'others are invited there')
    await assert.rejects(moderator.bugs.merge({ id, into: other.id }), { status: 409 })
    await admin.boards.update({ board: 'inner', readers: 'roles: moderator' })
    await assert.rejects(alice.bugs.get({ id }), { status: 404 })
    await admin.boards.update({ board: 'inner', readers: 'invited; roles: moderator' })
    assert.equal((await alice.bugs.get({ id })).id, id)
    await admin.boards.update({ board: 'inner', writers: 'none' })
    await assert.rejects(alice.bugs.comment({ id, body: 'Hm' }), { status: 403 })
  })

  it('is to a board that is there, is not the first one, and makes no moderators of it', async (world) => {
    const { admin, alice, bob, moderator } = world
    await assert.rejects(admin.invitationLinks.create({ board: 'main' }), { status: 409 })
    await assert.rejects(admin.invitationLinks.create({ board: 'none-such' }), { status: 404 })
    const { id, key } = await start(world)
    await assert.rejects(moderator.invitationLinks.create({ board: 'inner' }), { status: 403 })
    await assert.rejects(admin.boards.update({ board: 'inner', moderators: 'invited' }), { status: 400 })
    await accept(alice, key)
    await moderator.bugs.delete({ id })
    await admin.boards.delete({ board: 'inner' })
    await bob.invitation.open({ key })
    assert.equal((await bob.invitation.accept()).user.role, 'member')
    await admin.boards.create({ slug: 'inner', name: 'Inner again', readers: 'invited' })
    await assert.rejects(bob.boards.get({ board: 'inner' }), { status: 404 })
    await assert.rejects(alice.boards.get({ board: 'inner' }), { status: 404 })
  })

  it('leaves no row where the board is deleted at that moment: ten races', async (world) => {
    const { admin, moderator, db } = world
    const { id } = await start(world)
    await moderator.bugs.delete({ id })
    for (let turn = 0; turn < 10; turn++) {
      const slug = `short-${turn}`
      await admin.boards.create({ slug, name: slug, readers: 'invited' })
      const { link } = await admin.invitationLinks.create({ board: slug, maxUses: 2 })
      const key = new URL(link).searchParams.get('key') ?? ''
      for (const person of [world.alice, world.bob]) await person.invitation.open({ key })
      await Promise.all([
        world.alice.invitation.accept(),
        admin.boards.delete({ board: slug }),
        world.bob.invitation.accept(),
      ])
      const rows = await db.selectFrom('boardMember').select('boardId').execute()
      assert.deepEqual(rows, [], `turn ${turn}`)
    }
  })
})
