// Merging of duplicates through the front door, on SQLite and on PostgreSQL: what goes over, what leads where, and who may.

import assert from 'node:assert/strict'
import { assertSound } from '../../../test/sound.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from '../../../test/world.ts'

const first = {
  title: 'The digest is sent twice',
  description: 'On the night of the change',
  severity: 'high',
} as const
const second = { title: 'Two digests came', description: 'At two and at three', severity: 'low' } as const

/** Two bugs, the second of which says the same as the first. */
async function twice({ alice, bob }: World) {
  return { target: await alice.bugs.create(first), source: await bob.bugs.create(second) }
}

const bodies = async (person: Person, id: string) =>
  (await person.bugs.comments({ id })).items.map(({ body, bugId }) => `${body}${bugId === id ? '' : ' elsewhere'}`)

onEveryEngine('merging', (it) => {
  it('takes votes along, one of each account, and that on the target wins', async (world) => {
    const { alice, bob, moderator, person, anonymous } = world
    const { target, source } = await twice(world)
    const carol = person('carol')
    await bob.bugs.vote({ id: source.id, value: 1 })
    await carol.bugs.vote({ id: source.id, value: 1 })
    await alice.bugs.vote({ id: source.id, value: 1 })
    await alice.bugs.vote({ id: target.id, value: -1 })
    const answer = await moderator.bugs.merge({ id: source.id, into: target.id, reason: 'The same clock' })
    assert.deepEqual(answer, {
      id: source.id,
      mergedInto: {
        ...{ id: target.id, number: target.number, title: first.title },
        ...{ url: `/community/bugs/${target.id}`, href: `${BASE_URL}/community/bugs/${target.id}` },
      },
      done: true,
    })
    const { score, mergedCount } = await anonymous.bugs.get({ id: target.id })
    assert.deepEqual([score, mergedCount], [1, 1])
    assert.equal((await alice.bugs.get({ id: target.id })).myVote, -1)
    assert.equal((await carol.bugs.get({ id: target.id })).myVote, 1)
    const { items, total } = await anonymous.bugs.list({ sort: 'popular' })
    assert.deepEqual([items.map(({ id }) => id), total], [[target.id], 1])
    assert.deepEqual(
      (await anonymous.feed.list()).items.map(({ id, score: shown }) => [id, shown]),
      [[target.id, 1]],
    )
    await assertSound(world)
  })

  it('takes comments along with replies, quotes and reactions, and they are found there', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const { target, source } = await twice(world)
    await alice.bugs.comment({ id: target.id, body: 'Own' })
    const { id: commentId } = await alice.bugs.comment({ id: source.id, body: 'A wombat' })
    const reply = await bob.bugs.comment({ id: source.id, parentId: commentId, body: '> A wombat\n\nIndeed' })
    await bob.comments.edit({ id: reply.id, body: '> A wombat\n\nIndeed so' })
    await bob.comments.react({ id: commentId, reaction: 'heart' })
    await moderator.bugs.merge({ id: source.id, into: target.id })
    assert.deepEqual(await bodies(anonymous, target.id), ['Own', 'A wombat', '> A wombat\n\nIndeed so'])
    const { items } = await anonymous.bugs.comments({ id: target.id, parentId: 'none', replies: 10 })
    assert.deepEqual(
      items.map(({ body, reactions, replies }) => [body, reactions, replies?.length]),
      [
        ['Own', {}, 0],
        ['A wombat', { heart: 1 }, 1],
      ],
    )
    assert.equal((await anonymous.comments.get({ id: reply.id })).on.id, target.id)
    assert.equal((await anonymous.comments.revisions({ id: reply.id })).total, 1)
    assert.equal((await anonymous.bugs.get({ id: target.id })).commentCount, 3)
    const hits = (await anonymous.search.find({ q: 'wombat' })).items
    assert.deepEqual(
      hits.map(({ type, title }) => [type, title[0]?.text]),
      [
        ['comment', first.title],
        ['comment', first.title],
      ],
    )
    assert.deepEqual(
      (await anonymous.search.find({ q: 'two digests came' })).items.map(({ id }) => id).includes(source.id),
      false,
    )
    await moderator.bugs.deleteComment({ id: target.id, commentId })
    await assertSound(world)
  })

  it('unites labels and leaves the target as it is otherwise', async (world) => {
    const { moderator, anonymous } = world
    const { target, source } = await twice(world)
    const labels = []
    for (const name of ['clock', 'mail', 'ui']) labels.push(await moderator.labels.create({ name, color: '#336699' }))
    const [clock, mail, ui] = labels.map(({ id }) => id)
    await moderator.bugs.attachLabel({ id: target.id, labelId: clock! })
    for (const labelId of [clock!, mail!, ui!]) await moderator.bugs.attachLabel({ id: source.id, labelId })
    await moderator.bugs.triage({ id: target.id, status: 'resolved' })
    await moderator.bugs.merge({ id: source.id, into: target.id })
    const bug = await anonymous.bugs.get({ id: target.id })
    assert.deepEqual(bug.labels.map(({ name }) => name).sort(), ['clock', 'mail', 'ui'])
    assert.deepEqual([bug.title, bug.status, bug.severity], [first.title, 'resolved', 'high'])
    assert.equal((await anonymous.bugs.list({ label: 'mail' })).total, 1)
    await assertSound(world)
  })

  it('keeps the text of what was merged, with its history', async (world) => {
    const { bob, moderator, admin, anonymous } = world
    const { target, source } = await twice(world)
    await bob.bugs.edit({ id: source.id, title: 'Two digests come' })
    await moderator.bugs.triage({ id: source.id, status: 'in_progress', reason: 'Looking' })
    await moderator.bugs.merge({ id: source.id, into: target.id, reason: 'The same clock' })
    const { items, total, hasMore } = await anonymous.bugs.merged({ id: target.id })
    const { mergedAt, createdAt, editedAt, mergedById, mergedByUsername, authorUsername, undoableUntil, ...kept } =
      items[0]!
    assert.ok(
      undoableUntil &&
        mergedAt >= createdAt &&
        editedAt &&
        mergedById &&
        mergedByUsername === null &&
        authorUsername === null,
    )
    assert.deepEqual([total, hasMore], [1, false])
    assert.deepEqual(kept, {
      ...{ id: source.id, number: source.number, title: 'Two digests come', text: second.description },
      ...{ authorId: source.authorId, status: 'in_progress', reason: 'The same clock' },
    })
    assert.equal((await anonymous.bugs.revisions({ id: source.id })).items[0]?.changes[0]?.before, second.title)
    assert.equal((await anonymous.bugs.statusChanges({ id: source.id })).items[0]?.reason, 'Looking')
    assert.equal((await anonymous.bugs.statusChanges({ id: target.id })).total, 0)
    await assertSound(world)
    await admin.admin.block({ id: source.authorId, blocked: true })
    assert.deepEqual((await anonymous.bugs.merged({ id: target.id })).items, [])
  })

  it('makes the number and the id lead to the target, for reading and writing', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const { target, source } = await twice(world)
    await moderator.bugs.merge({ id: source.id, into: target.id })
    const old = {
      number: source.number,
      type: 'bug',
      id: target.id,
      title: first.title,
      url: `/community/bugs/${target.id}`,
      href: `${BASE_URL}/community/bugs/${target.id}`,
    }
    assert.deepEqual(await anonymous.references.get({ number: source.number }), old)
    assert.deepEqual((await anonymous.references.list({ numbers: `${source.number}` })).numbers, [old])
    assert.equal((await anonymous.bugs.get({ id: source.id })).id, target.id)
    assert.equal((await bob.bugs.comment({ id: source.id, body: 'Late' })).bugId, target.id)
    assert.deepEqual(await bob.bugs.vote({ id: source.id, value: 1 }), { score: 1, myVote: 1 })
    assert.deepEqual(await bodies(anonymous, source.id), ['Late elsewhere'])
    assert.deepEqual(await alice.follows.set({ id: source.id, state: 'muted' }), { state: 'muted' })
    assert.deepEqual(await alice.follows.get({ id: target.id }), { state: 'muted' })
    // What changes or removes a thing names it: an old id must not do that to another one.
    await assert.rejects(moderator.bugs.delete({ id: source.id }), { status: 404 })
    await assert.rejects(moderator.bugs.triage({ id: source.id, status: 'wontfix' }), { status: 404 })
    await assert.rejects(moderator.bugs.edit({ id: source.id, title: 'X' }), { status: 404 })
    await assert.rejects(moderator.bugs.close({ id: source.id, closed: true }), { status: 404 })
    await assertSound(world)
  })

  it('is for moderators, and of two things of a kind that are there', async (world) => {
    const { alice, bob, moderator, admin, blocked, anonymous } = world
    const { target, source } = await twice(world)
    const merge = { id: source.id, into: target.id }
    await assert.rejects(anonymous.bugs.merge(merge), { status: 401 })
    for (const person of [alice, bob, blocked])
      await assert.rejects(person.bugs.merge(merge), { status: 403, message: 'Forbidden' })
    const feature = await alice.features.create({ title: 'Dark', description: 'mode' })
    await assert.rejects(moderator.bugs.merge({ id: source.id, into: source.id }), { status: 409 })
    for (const into of [feature.id, 'nothing'])
      await assert.rejects(moderator.bugs.merge({ id: source.id, into }), { status: 404 })
    await assert.rejects(moderator.bugs.merge({ id: feature.id, into: target.id }), { status: 404 })
    await assert.rejects(moderator.bugs.merge({ ...merge, reason: 'x'.repeat(501) }), { status: 400 })
    await moderator.bugs.merge({ ...merge, reason: 'x'.repeat(500) })
    await assert.rejects(moderator.bugs.merge(merge), { status: 409, message: 'It is merged already' })
    const { items } = await admin.admin.listAudit({})
    const { action, targetId, detail } = items.find((entry) => entry.action === 'bug.merge')!
    assert.deepEqual([action, targetId], ['bug.merge', source.id])
    assert.deepEqual(detail, {
      ...{ authorId: source.authorId, title: second.title, number: source.number, into: target.id },
    })
  })

  it('works for requests and posts', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const wish = await alice.features.create({ title: 'Dark mode', description: 'For the night' })
    const same = await bob.features.create({ title: 'A dark theme', description: 'For the eyes' })
    await bob.features.vote({ id: same.id, value: 1 })
    await moderator.features.merge({ id: same.id, into: wish.id })
    assert.equal((await anonymous.features.get({ id: same.id })).score, 1)
    assert.equal((await anonymous.features.merged({ id: wish.id })).items[0]?.text, 'For the eyes')
    const post = await alice.posts.create({ title: 'Hello', body: 'World' })
    const again = await bob.posts.create({ title: 'Hello again', body: 'Worlds' })
    await alice.posts.comment({ id: again.id, body: 'Welcome' })
    await moderator.posts.merge({ id: again.id, into: post.id })
    assert.deepEqual(
      (await anonymous.posts.merged({ id: post.id })).items.map(({ text, status }) => [text, status]),
      [['Worlds', null]],
    )
    assert.equal((await anonymous.posts.get({ id: post.id })).commentCount, 1)
    await assertSound(world)
  })

  it('tells both authors and the followers of both once, with the reason', async (world) => {
    const { alice, bob, moderator, person, app } = world
    const { target, source } = await twice(world)
    const [carol, dora, evan] = [person('carol'), person('dora'), person('evan')]
    await carol.follows.set({ id: source.id, state: 'following' })
    await carol.follows.set({ id: target.id, state: 'following' })
    await dora.follows.set({ id: source.id, state: 'following' })
    await evan.follows.set({ id: source.id, state: 'following' })
    await evan.follows.set({ id: target.id, state: 'muted' })
    await moderator.bugs.merge({ id: source.id, into: target.id, reason: 'The same clock' })
    await app.deliver()
    for (const one of [alice, bob, carol, dora]) {
      const { items } = await one.notifications.list({ after: '0' })
      assert.deepEqual(
        items.map(({ type, excerpt, merged, target: on, status }) => [type, excerpt, merged, on.id, status]),
        [['status', 'The same clock', { number: source.number, title: second.title }, target.id, null]],
      )
    }
    for (const one of [evan, moderator]) assert.equal((await one.notifications.count()).unread, 0)
    await moderator.bugs.delete({ id: target.id })
    await app.deliver()
    assert.equal((await dora.notifications.count()).unread, 0)
    await assertSound(world)
  })

  it('takes hidden comments along, hidden, and they show there when they show', async (world) => {
    const { alice, bob, moderator, person, admin, app, anonymous } = world
    const { target, source } = await twice(world)
    const spammer = person('spammer')
    const root = await spammer.bugs.comment({ id: source.id, body: 'Spam' })
    await alice.bugs.comment({ id: source.id, parentId: root.id, body: 'A reply' })
    const other = await bob.bugs.comment({ id: source.id, body: 'Other' })
    await spammer.bugs.comment({ id: source.id, parentId: other.id, body: 'More spam' })
    await admin.admin.block({ id: (await spammer.account()).id, blocked: true })
    await app.deliver()
    await moderator.bugs.merge({ id: source.id, into: target.id })
    assert.deepEqual(await bodies(anonymous, target.id), ['A reply', 'Other'])
    await assertSound(world)
    await admin.admin.block({ id: (await spammer.account()).id, blocked: false })
    await app.deliver()
    assert.deepEqual(await bodies(anonymous, target.id), ['Spam', 'A reply', 'Other', 'More spam'])
    assert.equal((await anonymous.bugs.comments({ id: target.id, parentId: 'none' })).total, 2)
    await assertSound(world)
  })

  it('is not of a hidden thing, and not into one', async (world) => {
    const { moderator, admin, app } = world
    const { target, source } = await twice(world)
    await admin.admin.block({ id: source.authorId, blocked: true })
    await app.deliver()
    await assert.rejects(moderator.bugs.merge({ id: source.id, into: target.id }), { status: 404 })
    await assert.rejects(moderator.bugs.merge({ id: target.id, into: source.id }), { status: 404 })
  })

  it('is forgotten with the target', async (world) => {
    const { bob, moderator, db, anonymous } = world
    const { target, source } = await twice(world)
    await bob.bugs.edit({ id: source.id, title: 'Two digests come' })
    await bob.bugs.close({ id: source.id, closed: true })
    await moderator.bugs.merge({ id: source.id, into: target.id })
    await moderator.bugs.delete({ id: target.id })
    await assert.rejects(anonymous.bugs.get({ id: source.id }), { status: 404 })
    await assert.rejects(anonymous.bugs.revisions({ id: source.id }), { status: 404 })
    await assert.rejects(anonymous.references.get({ number: source.number }), { status: 404 })
    for (const table of ['mergedThing', 'revision', 'statusChange'] as const) {
      assert.deepEqual(await db.selectFrom(table).select('id').execute(), [])
    }
    await assertSound(world)
  })
})
