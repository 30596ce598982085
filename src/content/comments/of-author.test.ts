// The comments of a member, on everything that shows; through the front door, on both engines.
import assert from 'node:assert/strict'
import { orgFile, workflowFile } from '../../../test/library.ts'
import { onEveryEngine } from '../../../test/world.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const

onEveryEngine('the comments of a member', (it) => {
  it('are listed newest first, with what each is on', async ({ alice, bob, anonymous }) => {
    const bug = await alice.bugs.create(crash)
    const desk = await alice.orgs.create({ orgJson: await orgFile({ name: 'Desk' }).text() })
    const team = await alice.library.publish({ kind: 'org', visibility: 'public', file: orgFile({ name: 'Team' }) })
    const first = await bob.bugs.comment({ id: bug.id, body: 'On the bug' })
    await alice.bugs.comment({ id: bug.id, body: 'Of Alice' })
    await bob.bugs.comment({ id: bug.id, body: 'A reply', parentId: first.id })
    await bob.orgs.comment({ id: desk.id, body: 'On the org' })
    await bob.library.comment({ id: team.id, body: 'On the team' })
    await bob.blog.comment({ slug: 'what-guildhall-is', body: 'On the blog' })
    const { items, hasMore, next } = await anonymous.comments.list({ authorId: first.authorId })
    assert.deepEqual(
      items.map(({ body, on }) => [body, on.type, on.title]),
      [
        ['On the blog', 'blog', 'What Guildhall is'],
        ['On the team', 'item', 'Team'],
        ['On the org', 'org', 'Desk'],
        ['A reply', 'bug', 'Crash'],
        ['On the bug', 'bug', 'Crash'],
      ],
    )
    assert.deepEqual([hasMore, next, items[4]?.url], [false, null, `/community/comments/${first.id}`])
    assert.deepEqual((await anonymous.comments.list({ authorId: 'nothing' })).items, [])
  })

  it('come in pages after one another', async ({ alice, bob, anonymous }) => {
    const { id } = await alice.bugs.create(crash)
    const ids: string[] = []
    for (const body of ['1', '2', '3']) ids.push((await bob.bugs.comment({ id, body })).id)
    const authorId = (await bob.account()).id
    const page = async (per_page: number, before?: string) => {
      const { items, hasMore, next } = await anonymous.comments.list({ authorId, per_page, before })
      return [items.map(({ body }) => body), hasMore, next]
    }
    assert.deepEqual(await page(3), [['3', '2', '1'], false, null])
    assert.deepEqual(await page(2), [['3', '2'], true, ids[1]])
    assert.deepEqual(await page(2, ids[1]), [['1'], false, null])
    for (const per_page of [0, 101]) await assert.rejects(page(per_page), { status: 400 })
  })

  it('are not listed on what is hidden, private or gone, nor when they are hidden themselves', async (world) => {
    const { alice, bob, moderator, anonymous, app } = world
    const bug = await alice.bugs.create(crash)
    const post = await alice.posts.create({ title: 'P', body: 'B' })
    const item = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
    const { authorId } = await bob.bugs.comment({ id: bug.id, body: 'On the bug' })
    const onPost = await bob.posts.comment({ id: post.id, body: 'On the post' })
    await bob.library.comment({ id: item.id, body: 'On the item' })
    const listed = async () => (await anonymous.comments.list({ authorId })).items.map(({ body }) => body)
    assert.deepEqual(await listed(), ['On the item', 'On the post', 'On the bug'])
    await alice.library.update({ id: item.id, visibility: 'private' })
    await moderator.bugs.delete({ id: bug.id })
    assert.deepEqual(await listed(), ['On the post'])
    await alice.reports.create({ targetType: 'comment', targetId: onPost.id, reason: 'spam' })
    const [waiting] = (await moderator.moderation.cases({})).items
    await moderator.moderation.decide({ id: waiting!.id, action: 'hide', rule: 'spam', reason: 'Spam' })
    assert.deepEqual(await listed(), [])
    await alice.library.update({ id: item.id, visibility: 'public' })
    assert.deepEqual(await listed(), ['On the item'])
    await moderator.admin.block({ id: authorId, blocked: true })
    assert.deepEqual(await listed(), [])
    await app.deliver()
  })
})
