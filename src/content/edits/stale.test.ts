// An edit of a text that was edited since is refused, so that nothing is overwritten unnoticed; and what an edit tells others.
import assert from 'node:assert/strict'
import { onEveryEngine, type World } from '../../../test/world.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

/** The kinds of what an account was notified of, and where. */
async function toldTo({ app, bob }: World): Promise<string[]> {
  await app.deliver()
  const { items } = await bob.notifications.list({})
  return items.map(({ type, target }) => `${type} ${target.type}`).reverse()
}

onEveryEngine('an edit', (it) => {
  it('of an older text is refused, and nothing of it is stored', async ({ alice, moderator }) => {
    const { id, editedAt } = await alice.bugs.create(crash)
    assert.equal(editedAt, null)
    const first = await moderator.bugs.edit({ id, title: 'A crash', seenEditedAt: null })
    await assert.rejects(alice.bugs.edit({ id, title: 'The crash', seenEditedAt: null }), { status: 409 })
    assert.deepEqual((await alice.bugs.get({ id })).title, 'A crash')
    assert.equal((await alice.bugs.revisions({ id })).total, 1)
    const same = await alice.bugs.edit({ id, title: 'A crash', seenEditedAt: null })
    assert.equal(same.editedAt, first.editedAt, 'what is so already is no conflict')
    await alice.bugs.edit({ id, title: 'The crash', seenEditedAt: first.editedAt })
    await alice.bugs.edit({ id, title: 'Any crash' })
    assert.equal((await alice.bugs.revisions({ id })).total, 3)
  })

  it('of an older comment is refused, and of many at once one is made', async ({ alice, moderator }) => {
    const { id } = await alice.bugs.create(crash)
    const comment = await alice.bugs.comment({ id, body: 'One' })
    const edits = [alice, moderator, alice, moderator].map((who, n) =>
      who.comments.edit({ id: comment.id, body: `Text ${n}`, seenEditedAt: null }).then(
        () => 200,
        ({ status }) => status,
      ),
    )
    assert.deepEqual((await Promise.all(edits)).toSorted(), [200, 409, 409, 409])
    assert.equal((await alice.comments.revisions({ id: comment.id })).total, 1)
  })

  it('of a comment tells whom it mentions, once, on a blog post too', async (world) => {
    const { alice, bob } = world
    await bob.profile.setUsername({ username: 'bob' })
    const { id } = await alice.bugs.create(crash)
    const comment = await alice.bugs.comment({ id, body: 'Look' })
    assert.deepEqual(await toldTo(world), [])
    const edit = (body: string) => alice.comments.edit({ id: comment.id, body })
    await edit('Look, @bob')
    assert.deepEqual(await toldTo(world), ['mention bug'])
    await edit('Look')
    await edit('Look, @bob!')
    await edit('Look, @bob, please')
    assert.deepEqual(await toldTo(world), ['mention bug'])
    const other = await alice.blog.comment({ slug: 'what-guildhall-is', body: 'Fine' })
    await alice.comments.edit({ id: other.id, body: 'Fine, @bob?' })
    assert.deepEqual(await toldTo(world), ['mention bug', 'mention blog'])
  })

  it('of an org tells whom its text mentions', async (world) => {
    const { alice, bob } = world
    await bob.profile.setUsername({ username: 'bob' })
    const orgJson = JSON.stringify({ name: 'Desk', goal: 'Sort mail.', roles: [{ id: 'one' }] })
    const { id } = await alice.orgs.create({ orgJson })
    await alice.orgs.update({ id, body: 'Made with @bob' })
    assert.deepEqual(await toldTo(world), ['mention org'])
    await alice.orgs.update({ id, body: 'Made with @bob, mostly', tagline: 'A desk' })
    assert.deepEqual(await toldTo(world), ['mention org'])
  })
})
