// A notice names what it is about, also where that has no title.
import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'

const titlesOf = async (person: Person) =>
  (await person.moderation.notices({})).items.map(({ target }) => target.title).sort()

onEveryEngine('Notices', (it) => {
  it('name a comment and a reply that moderators deleted, by the beginning of the text', async (world) => {
    const { alice, bob, moderator, app } = world
    const { id } = await alice.posts.create({ title: 'A post', body: 'B' })
    const first = await bob.posts.comment({ id, body: `${'x'.repeat(79)}\n y` })
    const reply = await bob.posts.comment({ id, body: 'Buy\n\n  watches', parentId: first.id })
    await moderator.posts.deleteComment({ id, commentId: reply.id, reason: 'Advertising' })
    await moderator.posts.deleteComment({ id, commentId: first.id, reason: 'Advertising' })
    await app.deliver()
    assert.deepEqual(await titlesOf(bob), ['Buy watches', `${'x'.repeat(79)} …`])
    const told = (await bob.notifications.list({})).items.filter(({ type }) => type === 'notice')
    assert.deepEqual(told.map(({ target }) => target.title).sort(), await titlesOf(bob))
  })

  it('name a comment that a case was about; the case has its text', async ({ alice, bob, moderator }) => {
    const { id } = await alice.posts.create({ title: 'A post', body: 'B' })
    const { id: targetId } = await bob.posts.comment({ id, body: 'Cheap watches' })
    await alice.reports.create({ targetType: 'comment', targetId, reason: 'spam' })
    const [waiting] = (await moderator.moderation.cases({})).items
    await moderator.moderation.decide({ id: waiting!.id, action: 'hide', rule: 'spam', reason: 'Advertising' })
    assert.deepEqual(await titlesOf(bob), ['Cheap watches'])
    const { target } = await moderator.moderation.case({ id: waiting!.id })
    assert.deepEqual([target.title, target.text], ['', 'Cheap watches'])
  })

  it('name an item that a moderator deleted', async ({ bob, admin }) => {
    const { id, name } = await bob.library.publish({ kind: 'workflow', file: workflowFile() })
    await admin.library.delete({ id, reason: 'Broken' })
    assert.deepEqual(await titlesOf(bob), [name])
  })
})
