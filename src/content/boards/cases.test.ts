// Cases of what is in a board: its moderators get and decide those, and nothing of others. Through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { agentOf } from '../../../test/agents.ts'
import { verify } from '../../../test/visitor.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'

const bug = { title: 'T', description: 'D', severity: 'low' } as const
const spam = { rule: 'spam', reason: 'Spam' } as const

/** Alice moderates `labs`, which everybody reads, and `staff`, which its moderators read; bob wrote in each and in the first board. */
async function start(world: World) {
  const { admin, alice, bob } = world
  await verify(world, await alice.account())
  await alice.teams.create({ slug: 'core', name: 'Core' })
  await admin.boards.create({ slug: 'labs', name: 'Labs', moderators: 'teams: core' })
  await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'members', moderators: 'teams: core' })
  const of = async (board: string) => (await bob.bugs.create({ ...bug, title: board, board })).id
  return { labs: await of('labs'), staff: await of('staff'), main: await of('main') }
}

const report = (person: Person, targetId: string, targetType: 'bug' | 'comment' = 'bug') =>
  person.reports.create({ targetType, targetId, reason: 'spam' })

const listed = async (person: Person) => {
  const { items, waiting } = await person.moderation.cases({ per_page: 100 })
  return { titles: items.map(({ target }) => target.title), waiting, items }
}

onEveryEngine('cases of a board', (it) => {
  it('are listed for its moderators, with comments, in full pages, and counted alike', async (world) => {
    const { alice, bob, moderator, person } = world
    const ids = await start(world)
    const carol = person('carol')
    const { id: commentId } = await bob.bugs.comment({ id: ids.labs, body: 'Buy' })
    for (const id of [ids.main, ids.labs, ids.staff]) await report(carol, id)
    await report(carol, commentId, 'comment')
    await report(carol, await bob.account().then(({ id }) => id), 'user' as 'bug')
    assert.deepEqual(await listed(alice).then(({ titles, waiting }) => ({ titles, waiting })), {
      titles: ['labs', 'staff', ''],
      waiting: 3,
    })
    const page = await alice.moderation.cases({ per_page: 2, page: 1 })
    assert.deepEqual([page.items.length, page.hasMore, page.waiting], [1, false, 3])
    assert.equal((await listed(moderator)).waiting, 5)
    for (const outsider of [bob, carol]) await assert.rejects(outsider.moderation.cases(), { status: 403 })
    await assert.rejects(world.anonymous.moderation.cases(), { status: 401 })
  })

  it('name only the agents through which things of the board came', async (world) => {
    const { alice, bob, moderator, person } = world
    await start(world)
    const carol = person('carol')
    for (const [board, name] of [
      ['labs', 'Within'],
      ['main', 'Outside'],
    ] as const) {
      const agent = await agentOf(world, bob, { name })
      await report(carol, (await agent.bugs.create({ ...bug, board })).id)
    }
    const named = async (reader: Person) => {
      const { agents } = await reader.moderation.cases({})
      return agents.map(({ via, count }) => `${via?.name} ${count}`).toSorted()
    }
    assert.deepEqual(await named(alice), ['Within 1'])
    assert.deepEqual(await named(moderator), ['Outside 1', 'Within 1'])
  })

  it('are decided by them, for the thing and not for its account', async (world) => {
    const { admin, alice, bob, moderator, person } = world
    const ids = await start(world)
    const carol = person('carol')
    for (const id of Object.values(ids)) await report(carol, id)
    const { items } = await listed(moderator)
    const caseOn = (id: string) => items.find(({ target }) => target.id === id)!.id
    const theirs = { ...spam, id: caseOn(ids.main), action: 'hide' } as const
    await assert.rejects(alice.moderation.decide(theirs), { status: 403 })
    await assert.rejects(alice.moderation.case({ id: theirs.id }), { status: 403 })
    await assert.rejects(alice.moderation.caseReports({ id: theirs.id }), { status: 403 })
    for (const action of ['block', 'remove_all'] as const)
      await assert.rejects(alice.moderation.decide({ ...spam, id: caseOn(ids.labs), action }), { status: 403 })
    const shown = await alice.moderation.case({ id: caseOn(ids.labs) })
    assert.deepEqual([shown.waitsFor, shown.author.acts, shown.reports.length], ['you', [], 1])
    for (const board of ['labs', 'staff'] as const) {
      const act = await alice.moderation.decide({ ...spam, id: caseOn(ids[board]), action: 'hide' })
      await assert.rejects(carol.bugs.get({ id: ids[board] }), { status: 404 })
      assert.equal((await alice.bugs.get({ id: ids[board] })).state, 'hidden')
      await alice.moderation.undo({ id: act.id, reason: 'No' })
      assert.equal((await carol.bugs.get({ id: ids[board] })).state, undefined)
    }
    assert.equal((await admin.bugs.get({ id: ids.main })).state, undefined)
    const own = await alice.bugs.create({ ...bug, board: 'labs' })
    await report(carol, own.id)
    const { items: now } = await listed(alice)
    await assert.rejects(
      alice.moderation.decide({ ...spam, id: now[0]!.id, action: 'dismiss' }),
      { status: 403 },
      'her own',
    )
    assert.equal((await alice.moderation.case({ id: now[0]!.id })).waitsFor, 'others')
    await bob.bugs.delete({ id: ids.main }).catch(() => {})
  })

  it('are theirs while the thing is there: not what a moderator decided, what is gone, or went to another board', async (world) => {
    const { admin, alice, bob, moderator, person } = world
    const ids = await start(world)
    const carol = person('carol')
    for (const id of [ids.labs, ids.staff]) await report(carol, id)
    const { items } = await listed(alice)
    const caseOn = (id: string) => items.find(({ target }) => target.id === id)!.id
    const act = await moderator.moderation.decide({ ...spam, id: caseOn(ids.labs), action: 'warn' })
    await assert.rejects(alice.moderation.undo({ id: act.id, reason: 'No' }), { status: 403 })
    await bob.moderation.appeal({ id: act.id, text: 'Why' })
    for (const granted of [true, false])
      await assert.rejects(alice.moderation.decideAppeal({ id: act.id, granted, reason: 'R' }), { status: 403 })
    assert.equal((await moderator.moderation.decideAppeal({ id: act.id, granted: true, reason: 'R' })).granted, true)
    await moderator.boards.move({ board: 'main', type: 'bug', id: ids.staff, confirm: true })
    await assert.rejects(alice.moderation.decide({ ...spam, id: caseOn(ids.staff), action: 'hide' }), { status: 403 })
    assert.deepEqual((await listed(alice)).items, [])
    await admin.boards.update({ board: 'labs', moderators: 'none' })
    await admin.boards.update({ board: 'staff', moderators: 'none' })
    await assert.rejects(alice.moderation.cases(), { status: 403 })
  })

  it('with what was held: its moderators approve it, and then everybody who reads the board sees it', async (world) => {
    const { admin, alice, person } = world
    await start(world)
    await admin.settings.change({ changes: { HOLD_LINKS_HOURS: '24' } })
    const carol = person('carol')
    const held = async (board: string) =>
      (await carol.posts.create({ title: board, body: 'https://x.example', board })).id
    const [inside, outside] = [await held('labs'), await held('main')]
    assert.equal((await alice.posts.get({ id: inside })).state, 'held')
    await assert.rejects(alice.posts.get({ id: outside }), { status: 404 })
    const { items } = await listed(alice)
    assert.deepEqual(
      items.map(({ target, held }) => [target.id, held]),
      [[inside, true]],
    )
    await alice.moderation.decide({ id: items[0]!.id, action: 'approve', rule: 'other', reason: '' })
    assert.equal((await world.anonymous.posts.get({ id: inside })).title, 'labs')
  })

  it('are decided once, and by nobody whose right ended: ten races with a move out of the board', async (world) => {
    const { admin, alice, bob, moderator, person } = world
    await start(world)
    const carol = person('carol')
    for (let turn = 0; turn < 10; turn++) {
      const { id } = await bob.bugs.create({ ...bug, board: 'labs' })
      await report(carol, id)
      const one = (await listed(moderator)).items.find(({ target }) => target.id === id)!
      const [decided] = await Promise.allSettled([
        alice.moderation.decide({ ...spam, id: one.id, action: 'hide' }),
        moderator.boards.move({ board: 'main', type: 'bug', id }),
      ])
      const { state, board } = await admin.bugs.get({ id })
      if (decided.status === 'rejected') assert.equal(decided.reason.status, 403)
      assert.equal(state === 'hidden', decided.status === 'fulfilled', `${state} in ${board}`)
    }
  })
})
