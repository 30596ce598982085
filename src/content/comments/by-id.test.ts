// A comment is removed by its id alone, on every kind of thing.
import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { onEveryEngine } from '../../../test/world.ts'

onEveryEngine('a comment, by its id', (it) => {
  it('is removed from every kind of thing: by its author or a moderator, and by no other member', async (world) => {
    const { alice, bob, moderator, anonymous, blocked } = world
    const { id: bug } = await alice.bugs.create({ title: 'Crash', description: 'It stops', severity: 'low' })
    const { id: feature } = await alice.features.create({ title: 'Pause', description: 'All of it' })
    const { id: post } = await alice.posts.create({ title: 'Hello', body: 'World' })
    const item = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    const slug = (await anonymous.blog.list({})).items[0]!.slug
    const made = {
      bug: () => bob.bugs.comment({ id: bug, body: 'Me too' }),
      feature: () => bob.features.comment({ id: feature, body: 'Me too' }),
      post: () => bob.posts.comment({ id: post, body: 'Me too' }),
      item: () => bob.library.comment({ id: item.id, body: 'Me too' }),
      blog: () => bob.blog.comment({ slug, body: 'Me too' }),
    }
    for (const [type, write] of Object.entries(made)) {
      const { id } = await write()
      for (const [person, status] of [
        [anonymous, 401],
        [alice, 403],
        [blocked, 403],
      ] as const) {
        await assert.rejects(person.comments.delete({ id }), { status }, type)
      }
      assert.deepEqual(await bob.comments.delete({ id }), { id })
      await assert.rejects(bob.comments.delete({ id }), { status: 404 })
      await assert.rejects(anonymous.comments.get({ id }), { status: 404 })
      const { id: other } = await write()
      assert.deepEqual(await moderator.comments.delete({ id: other, reason: 'Off topic' }), { id: other })
    }
    assert.equal((await anonymous.bugs.get({ id: bug })).commentCount, 0)
    assert.equal((await anonymous.posts.get({ id: post })).commentCount, 0)
    const { items } = await bob.moderation.notices({})
    assert.equal(items.length, 5)
    for (const id of ['nothing', bug]) await assert.rejects(moderator.comments.delete({ id }), { status: 404 })
  })

  it('leaves its replies, and goes with what was merged', async ({ alice, bob, moderator, anonymous }) => {
    const { id: into } = await alice.posts.create({ title: 'Target', body: 'World' })
    const { id } = await alice.posts.create({ title: 'Merged', body: 'World' })
    const comment = await bob.posts.comment({ id, body: 'First' })
    const reply = await alice.posts.comment({ id, body: 'Second', parentId: comment.id })
    await moderator.posts.merge({ id, into })
    await bob.comments.delete({ id: comment.id })
    const { items } = await anonymous.posts.comments({ id: into })
    assert.deepEqual(
      items.map((one) => [one.id, one.parentId]),
      [[reply.id, null]],
    )
  })

  it('tells nothing of what it is on while that is not seen', async ({ alice, bob, moderator }) => {
    const { id: bug } = await alice.bugs.create({ title: 'Crash', description: 'It stops', severity: 'low' })
    const item = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    const said = [
      await alice.bugs.comment({ id: bug, body: 'Me too' }),
      await alice.library.comment({ id: item.id, body: 'Me too' }),
    ]
    await bob.reports.create({ targetType: 'bug', targetId: bug, reason: 'spam' })
    const [waiting] = (await moderator.moderation.cases({})).items
    await moderator.moderation.decide({ id: waiting!.id, action: 'hide', rule: 'spam', reason: 'Look' })
    await alice.library.update({ id: item.id, visibility: 'private' })
    const refused = { status: 404, message: 'No such comment' }
    for (const { id } of said) await assert.rejects(bob.comments.delete({ id }), refused)
  })
})
