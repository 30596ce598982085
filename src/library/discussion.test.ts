// Votes, comments and the feed's view of items, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { orgFile, workflowFile } from '../../test/library.ts'
import { onEveryEngine, type Person } from '../../test/world.ts'

const publish = (person: Person, more: object = {}) =>
  person.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public', ...more })

onEveryEngine('talk about library items', (it) => {
  it('is for items that everybody sees', async ({ alice, bob, anonymous, blocked }) => {
    const { id } = await publish(alice)
    assert.deepEqual(await bob.library.vote({ id, value: 1 }), { score: 1, myVote: 1 })
    assert.deepEqual(await alice.library.vote({ id, value: -1 }), { score: 0, myVote: -1 })
    assert.deepEqual(await alice.library.vote({ id, value: 0 }), { score: 1, myVote: 0 })
    assert.equal((await bob.library.get({ id })).my_vote, 1)
    assert.equal((await anonymous.library.get({ id })).score, 1)
    await assert.rejects(anonymous.library.vote({ id, value: 1 }), { status: 401 })
    await assert.rejects(blocked.library.vote({ id, value: 1 }), { status: 403, body: { error: 'Account blocked' } })
    await assert.rejects(bob.library.vote({ id, value: 2 as never }), { status: 400 })
    await assert.rejects(bob.library.vote({ id: 'nothing', value: 1 }), {
      status: 404,
      body: { error: 'No such item' },
    })
    await alice.library.update({ id, visibility: 'private' })
    for (const person of [alice, bob]) {
      await assert.rejects(person.library.vote({ id, value: 1 }), { status: 404 })
      await assert.rejects(person.library.comment({ id, body: 'Hello' }), { status: 404 })
      await assert.rejects(person.library.comments({ id }), { status: 404 })
    }
  })

  it('is counted right when everybody talks at once', async ({ alice, bob, moderator, anonymous }) => {
    const { id } = await publish(alice)
    const people = [alice, bob, moderator]
    await Promise.all(people.map((person) => person.account()))
    const values = [1, -1, 0, 1, 1] as const
    await Promise.all(values.flatMap((value) => people.map((person) => person.library.vote({ id, value }))))
    await Promise.all(people.map((person) => person.library.vote({ id, value: 1 })))
    await Promise.all(people.map((person) => person.library.comment({ id, body: 'Now' })))
    const { score, comment_count } = await anonymous.library.get({ id })
    assert.deepEqual([score, comment_count], [3, 3])
  })

  it('has comments, oldest first, that authors and moderators remove', async ({ alice, bob, moderator, anonymous }) => {
    const { id } = await publish(alice)
    const first = await bob.library.comment({ id, body: ' First ' })
    const { id: authorId } = await bob.account()
    assert.deepEqual(first, { ...first, itemId: id, authorId, authorUsername: null, body: 'First' })
    const second = await alice.library.comment({ id, body: 'Second' })
    const { items, total } = await anonymous.library.comments({ id })
    const seen = [first, second].map((comment) => ({
      ...comment,
      ...{
        editedAt: null,
        replyCount: 0,
        reactions: {},
        myReactions: [],
        can: { edit: false, delete: false },
        via: null,
      },
    }))
    assert.deepEqual([items, total], [seen, 2])
    await assert.rejects(alice.library.comment({ id, body: 'x'.repeat(1001) }), { status: 400 })
    await assert.rejects(alice.library.deleteComment({ id, commentId: first.id }), { status: 403 })
    const other = await publish(alice)
    await assert.rejects(bob.library.deleteComment({ id: other.id, commentId: first.id }), { status: 404 })
    assert.deepEqual(await bob.library.deleteComment({ id, commentId: first.id }), { id: first.id })
    assert.deepEqual(await moderator.library.deleteComment({ id, commentId: second.id }), { id: second.id })
    assert.equal((await anonymous.library.get({ id })).comment_count, 0)
  })

  it('shows in the feed while the item is public', async ({ alice, bob, anonymous }) => {
    const item = await publish(alice, { visibility: 'private' })
    await alice.library.publish({ kind: 'org', file: orgFile(), visibility: 'public' })
    const feed = async () => (await anonymous.feed.list()).items
    assert.deepEqual(await feed(), [])
    const { id } = await alice.library.update({ id: item.id, visibility: 'public' })
    await bob.library.vote({ id, value: 1 })
    await bob.library.comment({ id, body: 'Good' })
    const [entry] = await feed()
    assert.deepEqual(
      [entry!.type, entry!.title, entry!.preview, entry!.url, entry!.score, entry!.commentCount, entry!.createdAt],
      ['workflow', item.name, item.description, '/library/workflows/morning-digest', 1, 1, item.created_at],
    )
    await alice.library.update({ id, name: 'Noon Digest', description: 'At noon' })
    const [changed] = await feed()
    assert.deepEqual([changed!.title, changed!.preview, changed!.score], ['Noon Digest', 'At noon', 1])
    await alice.library.update({ id, visibility: 'private' })
    assert.deepEqual(await feed(), [])
    await alice.library.update({ id, visibility: 'public' })
    const [back] = await feed()
    assert.deepEqual([back!.score, back!.commentCount], [1, 1])
  })
})
