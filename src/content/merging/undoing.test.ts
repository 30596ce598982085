// Undoing merges through the front door, on SQLite and on PostgreSQL: what goes back, what stays, until when, and who may.

import assert from 'node:assert/strict'
import { assertSound } from '../../../test/sound.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { grantRole } from '../../identity/roles.ts'
import { newId } from '../../runtime/ids.ts'
import { AT_ONCE, UNDO_SECONDS } from '../merged/rules.ts'

const first = {
  title: 'The digest is sent twice',
  description: 'On the night of the change',
  severity: 'high',
} as const
const second = { title: 'Two wombats came', description: 'At two and at three', severity: 'low' } as const

async function twice({ alice, bob }: World) {
  return { target: await alice.bugs.create(first), source: await bob.bugs.create(second) }
}

const foundBy = async ({ anonymous }: World, q: string) =>
  (await anonymous.search.find({ q })).items.map(({ type, id }) => `${type} ${id}`)

onEveryEngine('undoing a merge', (it) => {
  it('brings the thing back with its own text, status, labels, history and number', async (world) => {
    const { bob, moderator, anonymous } = world
    const { target, source } = await twice(world)
    const { id: labelId } = await moderator.labels.create({ name: 'clock', color: '#336699' })
    await moderator.bugs.attachLabel({ id: source.id, labelId })
    await bob.bugs.edit({ id: source.id, title: 'Two wombats come' })
    await moderator.bugs.triage({ id: source.id, status: 'in_progress', reason: 'Looking' })
    const before = await anonymous.bugs.get({ id: source.id })
    await moderator.bugs.merge({ id: source.id, into: target.id })
    const { href, ...undone } = await moderator.bugs.undoMerge({ id: source.id })
    assert.deepEqual(undone, { id: source.id, url: `/community/bugs/${source.id}`, done: true })
    assert.ok(href.endsWith(undone.url))
    assert.deepEqual(await anonymous.bugs.get({ id: source.id }), before)
    assert.equal((await anonymous.bugs.revisions({ id: source.id })).total, 1)
    assert.equal((await anonymous.bugs.statusChanges({ id: source.id })).items[0]?.reason, 'Looking')
    assert.equal((await anonymous.references.get({ number: source.number })).id, source.id)
    const { mergedCount, labels } = await anonymous.bugs.get({ id: target.id })
    assert.deepEqual([mergedCount, labels.map(({ name }) => name)], [0, ['clock']])
    assert.deepEqual((await anonymous.bugs.merged({ id: target.id })).items, [])
    assert.deepEqual((await anonymous.bugs.list({ label: 'clock' })).total, 2)
    assert.deepEqual(
      (await anonymous.feed.list()).items.map(({ id }) => id),
      [source.id, target.id],
    )
    await assertSound(world)
  })

  it('takes votes back: those that came along as they are now, and the others as they were', async (world) => {
    const { alice, bob, moderator, person, anonymous } = world
    const { target, source } = await twice(world)
    const [carol, dora, evan, fred] = [person('carol'), person('dora'), person('evan'), person('fred')]
    for (const one of [alice, bob, carol, dora, evan]) await one.bugs.vote({ id: source.id, value: 1 })
    await alice.bugs.vote({ id: target.id, value: -1 })
    await moderator.bugs.merge({ id: source.id, into: target.id })
    await carol.bugs.vote({ id: target.id, value: -1 })
    await dora.bugs.vote({ id: target.id, value: 0 })
    await fred.bugs.vote({ id: target.id, value: 1 })
    await moderator.bugs.undoMerge({ id: source.id })
    const votesOn = (id: string) =>
      Promise.all([alice, bob, carol, dora, evan, fred].map(async (one) => (await one.bugs.get({ id })).myVote))
    assert.deepEqual(await votesOn(source.id), [1, 1, -1, 0, 1, 0])
    assert.deepEqual(await votesOn(target.id), [-1, 0, 0, 0, 0, 1])
    assert.equal((await anonymous.bugs.get({ id: source.id })).score, 2)
    assert.equal((await anonymous.bugs.get({ id: target.id })).score, 0)
    await assertSound(world)
  })

  it('leaves a vote with another thing that was merged into the same one', async (world) => {
    const { alice, bob, carol, moderator, anonymous } = { ...world, carol: world.person('carol') }
    const { target, source } = await twice(world)
    const other = await bob.bugs.create({ ...second, title: 'A third' })
    for (const id of [source.id, other.id]) {
      await carol.bugs.vote({ id, value: 1 })
      await carol.follows.set({ id, state: 'following' })
    }
    await alice.bugs.vote({ id: other.id, value: 1 })
    for (const id of [source.id, other.id]) await moderator.bugs.merge({ id, into: target.id })
    assert.equal((await anonymous.bugs.get({ id: target.id })).score, 2)
    await moderator.bugs.undoMerge({ id: source.id })
    assert.equal((await anonymous.bugs.get({ id: target.id })).score, 2)
    assert.deepEqual(await carol.follows.get({ id: target.id }), { state: 'following' })
    await assertSound(world)
    await moderator.bugs.undoMerge({ id: other.id })
    const scores = await Promise.all(
      [target, source, other].map(async ({ id }) => (await anonymous.bugs.get({ id })).score),
    )
    assert.deepEqual(scores, [0, 1, 2])
    assert.deepEqual(await carol.follows.get({ id: target.id }), { state: 'none' })
    assert.deepEqual(await carol.follows.get({ id: other.id }), { state: 'following' })
    await assertSound(world)
  })

  it('takes comments back with later replies to them, and leaves what was said to the target', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const { target, source } = await twice(world)
    const own = await alice.bugs.comment({ id: target.id, body: 'Own' })
    const root = await alice.bugs.comment({ id: source.id, body: 'A numbat' })
    const reply = await bob.bugs.comment({ id: source.id, parentId: root.id, body: 'A quokka' })
    const gone = await bob.bugs.comment({ id: source.id, body: 'Gone' })
    await alice.bugs.comment({ id: source.id, parentId: gone.id, body: 'To what is gone' })
    await bob.comments.edit({ id: reply.id, body: 'A quoll' })
    await moderator.bugs.merge({ id: source.id, into: target.id })
    await alice.bugs.comment({ id: target.id, parentId: root.id, body: 'Late reply' })
    await alice.bugs.comment({ id: target.id, parentId: own.id, body: 'To own' })
    await alice.bugs.comment({ id: target.id, body: 'Late' })
    await moderator.bugs.deleteComment({ id: target.id, commentId: gone.id })
    await moderator.bugs.undoMerge({ id: source.id })
    const bodies = async (id: string) => (await anonymous.bugs.comments({ id })).items.map(({ body }) => body)
    assert.deepEqual(await bodies(source.id), ['A numbat', 'A quoll', 'To what is gone', 'Late reply'])
    assert.deepEqual(await bodies(target.id), ['Own', 'To own', 'Late'])
    assert.equal((await anonymous.comments.get({ id: reply.id })).on.id, source.id)
    assert.equal((await anonymous.bugs.comments({ id: source.id, parentId: 'none' })).total, 2)
    assert.equal((await anonymous.bugs.comments({ id: target.id, parentId: 'none' })).total, 2)
    assert.equal((await anonymous.search.find({ q: 'quoll' })).items[0]?.title[0]?.text, second.title)
    await assertSound(world)
    await moderator.bugs.delete({ id: target.id })
    assert.equal((await bodies(source.id)).length, 4)
    assert.equal((await anonymous.comments.revisions({ id: reply.id })).total, 1)
    await assertSound(world)
  })

  it('takes followers back, tells them, and takes back what was told of it', async (world) => {
    const { alice, bob, moderator, person, app } = world
    const { target, source } = await twice(world)
    const carol = person('carol')
    await carol.follows.set({ id: source.id, state: 'following' })
    await alice.bugs.comment({ id: source.id, body: 'Here too' })
    await moderator.bugs.merge({ id: source.id, into: target.id })
    await app.deliver()
    const { unread } = await carol.notifications.count()
    assert.equal(unread, 2)
    await moderator.bugs.undoMerge({ id: source.id, reason: 'Another clock' })
    await app.deliver()
    const [newest] = (await carol.notifications.list({})).items
    assert.deepEqual(
      [newest?.type, newest?.excerpt, newest?.target.id, newest?.unmergedFrom, newest?.merged],
      ['status', 'Another clock', source.id, { number: target.number, title: first.title }, null],
    )
    const notified = async (one: typeof bob) => (await one.notifications.list({})).items[0]?.unmergedFrom?.number
    assert.deepEqual([await notified(bob), await notified(alice)], [target.number, target.number])
    assert.deepEqual(await carol.follows.get({ id: target.id }), { state: 'none' })
    assert.deepEqual(await carol.follows.get({ id: source.id }), { state: 'following' })
    // The comment and the undoing go with the thing; the merge was told of the target.
    await moderator.bugs.delete({ id: source.id })
    await app.deliver()
    assert.equal((await carol.notifications.count()).unread, 1)
    await assertSound(world)
  })

  it('is possible for 30 days, of what is merged, by moderators, once', async (world) => {
    const { alice, bob, moderator, admin, blocked, anonymous, clock, app } = world
    const { target, source } = await twice(world)
    const one = { id: source.id }
    await assert.rejects(moderator.bugs.undoMerge(one), { status: 409, message: 'It is not merged' })
    await assert.rejects(moderator.bugs.undoMerge({ id: 'nothing' }), { status: 404 })
    await moderator.bugs.merge({ id: source.id, into: target.id })
    const { mergedAt, undoableUntil } = (await anonymous.bugs.merged({ id: target.id })).items[0]!
    assert.equal(Date.parse(undoableUntil!) - Date.parse(mergedAt), UNDO_SECONDS * 1_000)
    await assert.rejects(anonymous.bugs.undoMerge(one), { status: 401 })
    for (const person of [alice, bob, blocked]) await assert.rejects(person.bugs.undoMerge(one), { status: 403 })
    await assert.rejects(moderator.posts.undoMerge(one), { status: 404 })
    await assert.rejects(moderator.bugs.undoMerge({ ...one, reason: 'x'.repeat(501) }), { status: 400 })
    const outcomes = await Promise.allSettled([moderator, admin].map((person) => person.bugs.undoMerge(one)))
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.ok((await admin.admin.listAudit({})).items.some(({ action }) => action === 'bug.unmerge'))
    await moderator.bugs.merge({ id: source.id, into: target.id })
    clock.pass(UNDO_SECONDS - 60)
    await app.cleanUp()
    assert.ok((await anonymous.bugs.merged({ id: target.id })).items[0]?.undoableUntil)
    clock.pass(61)
    assert.equal((await anonymous.bugs.merged({ id: target.id })).items[0]?.undoableUntil, null)
    const later = world.person('later')
    await later.account()
    const now = new Date(clock.now()).toISOString()
    await grantRole(world.dependencies, later.email, { role: 'moderator', now })
    await assert.rejects(later.bugs.undoMerge(one), { status: 409, message: /cannot be undone any more/ })
    await assertSound(world)
  })

  it('of a chain goes backwards: what came along with a thing comes back with it', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const made = []
    for (let n = 0; n < 4; n++) made.push(await alice.bugs.create({ ...first, title: `Crash ${n}` }))
    const [a, b, c, d] = made.map(({ id }) => id) as [string, string, string, string]
    await bob.bugs.vote({ id: a, value: 1 })
    await moderator.bugs.merge({ id: a, into: b })
    await moderator.bugs.merge({ id: b, into: c })
    await moderator.bugs.merge({ id: c, into: d })
    assert.equal((await anonymous.bugs.merged({ id: d })).items.filter((one) => one.undoableUntil).length, 1)
    await assert.rejects(moderator.bugs.undoMerge({ id: a }), { status: 409, message: /undo that first/ })
    await moderator.bugs.undoMerge({ id: c })
    const leads = async (id: string) => (await anonymous.bugs.get({ id })).id
    assert.deepEqual([await leads(a), await leads(b)], [c, c])
    assert.deepEqual(
      await Promise.all([d, c].map(async (id) => (await anonymous.bugs.get({ id })).mergedCount)),
      [0, 2],
    )
    assert.deepEqual(await foundBy(world, 'crash 0'), [`bug ${c}`])
    await moderator.bugs.undoMerge({ id: b })
    await moderator.bugs.undoMerge({ id: a })
    assert.equal((await anonymous.bugs.get({ id: a })).score, 1)
    assert.equal((await anonymous.bugs.list()).total, 4)
    await assertSound(world)
  })

  it('of much goes on in the background; until then neither is merged', async (world) => {
    const { alice, moderator, anonymous, app, db } = world
    const { target, source } = await twice(world)
    const other = await alice.bugs.create(first)
    const many = AT_ONCE * 9 + 1
    const rows = Array.from({ length: many }, () => ({ targetId: source.id, userId: newId(), value: 1 as const }))
    for (let at = 0; at < many; at += 300) {
      await db
        .insertInto('vote')
        .values(rows.slice(at, at + 300))
        .execute()
    }
    for (const table of ['bug', 'feedEntry'] as const) {
      await db.updateTable(table).set({ score: many }).where('id', '=', source.id).execute()
    }
    assert.equal((await moderator.bugs.merge({ id: source.id, into: target.id })).done, false)
    await assert.rejects(moderator.bugs.undoMerge({ id: source.id }), { status: 409, message: /still being merged/ })
    await app.deliver()
    assert.equal((await moderator.bugs.undoMerge({ id: source.id })).done, false)
    await assertSound(world)
    for (const id of [source.id, target.id]) {
      await assert.rejects(moderator.bugs.merge({ id, into: other.id }), { status: 409, message: /being undone/ })
    }
    await app.deliver()
    assert.equal((await anonymous.bugs.get({ id: source.id })).score, many)
    assert.equal((await anonymous.bugs.get({ id: target.id })).score, 0)
    await moderator.bugs.merge({ id: source.id, into: other.id })
    await assertSound(world)
  })

  it('with what is removed at the same time leaves nothing behind', async (world) => {
    const { alice, moderator, admin, db } = world
    await Promise.all([moderator.account(), admin.account()])
    for (let round = 0; round < 6; round++) {
      const { target, source } = await twice(world)
      await alice.bugs.comment({ id: source.id, body: 'Here' })
      await alice.bugs.vote({ id: source.id, value: 1 })
      await moderator.bugs.merge({ id: source.id, into: target.id })
      await Promise.allSettled([
        moderator.bugs.undoMerge({ id: source.id }),
        admin.bugs.delete({ id: round % 2 ? source.id : target.id }),
      ])
      await assertSound(world)
      await Promise.allSettled([source, target].map(({ id }) => admin.bugs.delete({ id })))
    }
    await world.app.deliver()
    for (const table of ['vote', 'comment', 'mergedThing', 'mergedPart', 'mergeUndo', 'bug', 'follow'] as const) {
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table)
    }
  })

  it('brings back as hidden what a block hides, and works for requests and posts', async (world) => {
    const { alice, bob, moderator, admin, anonymous, app } = world
    const post = await alice.posts.create({ title: 'Hello', body: 'World' })
    const again = await bob.posts.create({ title: 'Numbats again', body: 'Worlds' })
    await moderator.posts.merge({ id: again.id, into: post.id })
    await admin.admin.block({ id: again.authorId, blocked: true })
    await app.deliver()
    assert.deepEqual(await foundBy(world, 'numbats'), [])
    await moderator.posts.undoMerge({ id: again.id })
    await assert.rejects(anonymous.posts.get({ id: again.id }), { status: 404 })
    assert.equal((await anonymous.posts.list()).total, 1)
    await assertSound(world)
    await admin.admin.block({ id: again.authorId, blocked: false })
    await app.deliver()
    assert.equal((await anonymous.posts.get({ id: again.id })).body, 'Worlds')
    const wish = await alice.features.create({ title: 'Dark mode', description: 'For the night' })
    const same = await alice.features.create({ title: 'A dark theme', description: 'For the eyes' })
    await admin.features.setStatus({ id: same.id, status: 'planned' })
    await moderator.features.merge({ id: same.id, into: wish.id })
    await moderator.features.undoMerge({ id: same.id })
    assert.equal((await anonymous.features.get({ id: same.id })).status, 'planned')
    await assertSound(world)
  })
})
