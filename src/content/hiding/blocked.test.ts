// A block hides everything of an account, and an unblock brings it back: at once where a reader looks, and in the background in totals.

import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { assertSound } from '../../../test/sound.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'

const orgJson = JSON.stringify({ name: 'Kraken desk', goal: 'Kraken goal.', roles: [{ id: 'solo' }] })

/** Bob writes one of everything, and a thread on a bug of Alice that she goes on with. */
async function write({ alice, bob, moderator }: World) {
  await bob.profile.setUsername({ username: 'bob-k' })
  await alice.profile.setUsername({ username: 'alice-k' })
  const bug = await bob.bugs.create({ title: 'Kraken bug', description: 'Kraken', severity: 'low' })
  const label = await moderator.labels.create({ name: 'sea', color: '#aabbcc' })
  await moderator.bugs.attachLabel({ id: bug.id, labelId: label.id })
  const feature = await bob.features.create({ title: 'Kraken feature', description: 'Kraken' })
  const post = await bob.posts.create({ title: 'Kraken post', body: 'Kraken' })
  const org = await bob.orgs.create({ orgJson })
  const item = await bob.library.publish({
    ...{ kind: 'workflow', visibility: 'public', tags: 'kraken', file: workflowFile({ name: 'Kraken flow' }) },
  })
  const own = await alice.bugs.create({ title: 'Alice', description: 'Mine', severity: 'low' })
  const root = await bob.bugs.comment({ id: own.id, body: 'Kraken comment' })
  const reply = await alice.bugs.comment({ id: own.id, body: 'An answer', parentId: root.id })
  const other = await alice.bugs.comment({ id: own.id, body: 'Something else' })
  await bob.bugs.comment({ id: own.id, body: 'Kraken reply', parentId: other.id })
  await alice.bugs.vote({ id: bug.id, value: 1 })
  await alice.bugs.comment({ id: bug.id, body: 'On it' })
  return { bug, feature, post, org, item, own, root, reply, other, label }
}

type Written = Awaited<ReturnType<typeof write>>

/** What a reader finds of Bob, by the place where it is found. */
async function found(reader: Person, { own, label, bug }: Written) {
  const q = 'kraken'
  const titles = (list: { items: { title?: string; name?: string }[] }) =>
    list.items.map(({ title, name }) => title ?? name)
  const comments = await reader.bugs.comments({ id: own.id, parentId: 'none', replies: 5 })
  return {
    bugs: [titles(await reader.bugs.list({})), (await reader.bugs.list({})).total],
    searched: titles(await reader.bugs.list({ q })),
    labelled: [titles(await reader.bugs.list({ label: label.id })), (await reader.bugs.list({ label: 'sea' })).total],
    byAuthor: titles(await reader.bugs.list({ authorId: bug.authorId })),
    features: titles(await reader.features.list({})),
    posts: titles(await reader.posts.list({ sort: 'popular' })),
    orgs: titles(await reader.orgs.list({})),
    items: [
      titles(await reader.library.list({ kind: 'workflow' })),
      titles(await reader.library.list({ q })),
      titles(await reader.library.list({ tag: q })),
    ],
    total: (await reader.library.list({})).total,
    tags: (await reader.library.tags({})).items,
    feed: titles(await reader.feed.list({})),
    search: (await reader.search.find({ q })).items.map(({ type }) => type).sort(),
    references: (await reader.references.list({ numbers: String(bug.number), usernames: 'bob-k' })).numbers.length,
    comments: comments.items.map(({ body, replies = [] }) => [body, ...replies.map((reply) => reply.body)]),
    count: (await reader.bugs.get({ id: own.id })).commentCount,
  }
}

const nothing = {
  ...{ bugs: [['Alice'], 1], searched: [], labelled: [[], 0], byAuthor: [], features: [], posts: [], orgs: [] },
  ...{ items: [[], [], []], total: 0, tags: [], feed: ['Alice'], search: [], references: 0 },
  ...{ comments: [['An answer'], ['Something else']], count: 2 },
}

onEveryEngine('Things of a blocked account', (it) => {
  it('are found nowhere, and everywhere again after an unblock', async (world) => {
    const { alice, bob, moderator, anonymous, app } = world
    const written = await write(world)
    const { id } = await bob.account()
    const before = await found(anonymous, written)
    assert.deepEqual([before.bugs[1], before.total, before.count, before.search.length], [2, 2, 4, 8])
    await moderator.admin.block({ id, blocked: true })
    await app.deliver()
    for (const reader of [anonymous, alice]) assert.deepEqual(await found(reader, written), nothing)
    await assertSound(world)
    await moderator.admin.block({ id, blocked: false })
    await app.deliver()
    const { tags, ...after } = await found(anonymous, written)
    const { tags: tagsBefore, ...expected } = before
    assert.deepEqual(after, expected)
    assert.deepEqual(tags, tagsBefore)
    await assertSound(world)
  })

  it('have no pages, votes, comments and files, except for moderators', async (world) => {
    const { alice, bob, moderator, anonymous, app } = world
    const { bug, org, item, root, own } = await write(world)
    const image = await bob.orgImages.add({ id: org.id, image: new File([await onePixel()], 'a.png') })
    await moderator.admin.block({ id: (await bob.account()).id, blocked: true })
    // Pages go at once, the rest is taken away in the background.
    for (const reader of [anonymous, alice]) {
      await assert.rejects(reader.bugs.get({ id: bug.id }), { status: 404 })
      await assert.rejects(reader.orgs.get({ id: org.slug }), { status: 404 })
      await assert.rejects(reader.orgs.definition({ id: org.id }), { status: 404 })
      await assert.rejects(reader.orgRuns.list({ id: org.id }), { status: 404 })
      await assert.rejects(reader.library.get({ id: item.id }), { status: 404 })
      await assert.rejects(reader.comments.get({ id: root.id }), { status: 404 })
      assert.deepEqual(
        (await reader.bugs.list({})).items.map(({ id }) => id),
        [own.id],
      )
      assert.deepEqual((await reader.library.list({})).items, [])
    }
    await app.deliver()
    await assert.rejects(alice.bugs.vote({ id: bug.id, value: -1 }), { status: 404 })
    await assert.rejects(alice.bugs.comment({ id: bug.id, body: 'Still' }), { status: 404 })
    await assert.rejects(anonymous.bugs.comments({ id: bug.id }), { status: 404 })
    await assert.rejects(anonymous.bugs.revisions({ id: bug.id }), { status: 404 })
    await assert.rejects(alice.library.vote({ id: item.id, value: 1 }), { status: 404 })
    await assert.rejects(alice.comments.react({ id: root.id, reaction: 'heart' }), { status: 404 })
    await assert.rejects(alice.bugs.comment({ id: own.id, body: 'To it', parentId: root.id }), { status: 404 })
    await assert.rejects(alice.follows.set({ id: bug.id, state: 'following' }), { status: 404 })
    assert.equal((await anonymous.request(image.url)).status, 404)
    assert.deepEqual((await alice.notifications.list({})).items, [])
    const seen = await moderator.bugs.get({ id: bug.id })
    assert.equal(seen.state, 'blocked')
    assert.deepEqual(seen.can, { edit: false, close: false, merge: false, delete: true, triage: false })
    assert.equal((await moderator.library.get({ id: item.id })).state, 'blocked')
    assert.equal((await moderator.comments.get({ id: root.id })).state, 'blocked')
    assert.deepEqual(await moderator.bugs.delete({ id: bug.id }), { id: bug.id })
    await moderator.bugs.deleteComment({ id: own.id, commentId: root.id })
    await assertSound(world)
  })

  it('keep their threads: replies go on without the comment, and hang under it again', async (world) => {
    const { alice, bob, moderator, app } = world
    const { own, root, reply, other } = await write(world)
    const { id } = await bob.account()
    await moderator.admin.block({ id, blocked: true })
    await app.deliver()
    const shown = await alice.comments.get({ id: reply.id })
    assert.deepEqual([shown.parentId, shown.position, shown.parentPosition], [null, 0, null])
    const later = await alice.bugs.comment({ id: own.id, body: 'Later', parentId: reply.id })
    assert.equal(later.parentId, reply.id)
    await assertSound(world)
    await moderator.admin.block({ id, blocked: false })
    await app.deliver()
    await assertSound(world)
    const { items } = await alice.bugs.comments({ id: own.id, parentId: 'none', replies: 5 })
    assert.deepEqual(
      items.map(({ id: one, replies = [] }) => [one, replies.map(({ body }) => body)]),
      [
        [root.id, ['An answer', 'Later']],
        [other.id, ['Kraken reply']],
      ],
    )
  })

  it('are hidden by the later one of a block and an unblock, however far the first one got', async (world) => {
    const { bob, moderator, anonymous, app } = world
    const titles = Array.from({ length: 60 }, (_, at) => `Bug ${at}`)
    for (const title of titles) await bob.bugs.create({ title, description: 'D', severity: 'low' })
    const { id } = await bob.account()
    await moderator.admin.block({ id, blocked: true })
    const delivering = app.deliver()
    await moderator.admin.block({ id, blocked: false })
    await delivering
    await app.deliver()
    assert.equal((await anonymous.bugs.list({})).total, 60)
    await Promise.all([moderator.admin.block({ id, blocked: true }), app.deliver()])
    await app.deliver()
    assert.equal((await anonymous.bugs.list({})).total, 0)
    await assertSound(world)
  })
})

async function onePixel(): Promise<ArrayBuffer> {
  const { tinyPng } = await import('../../../test/pictures.ts')
  return (await tinyPng()).arrayBuffer()
}
