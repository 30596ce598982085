// What is new for a member: notifications, what waits for them, and the newest of others, in one answer that stays short.
import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { callTool, dataOf, tokenOf } from '../../../test/mcp/caller.ts'
import { onEveryEngine } from '../../../test/world.ts'
import { tokensOf } from '../../runtime/width.ts'

onEveryEngine('what is new', (it) => {
  it('is nothing for a new account, and needs one', async ({ alice, anonymous, blocked }) => {
    const none = { unread: 0, items: [], hasMore: false, next: null, pending: [], pendingTotal: 0, recent: [] }
    assert.deepEqual(await alice.news.list({}), none)
    await assert.rejects(anonymous.news.list({}), { status: 401 })
    await assert.rejects(blocked.news.list({}), { status: 403 })
  })

  it('has mentions, replies, what is followed, invitations and the newest of others', async (world) => {
    const { alice, bob, app } = world
    await alice.profile.setUsername({ username: 'alice' })
    await bob.profile.setUsername({ username: 'bob' })
    const bug = await alice.bugs.create({ title: 'Mine', description: 'D', severity: 'low' })
    const other = await bob.bugs.create({ title: 'Theirs', description: 'D', severity: 'low' })
    await bob.bugs.comment({ id: bug.id, body: 'I see it too' })
    await bob.bugs.comment({ id: other.id, body: 'What does @alice say?' })
    const item = await bob.library.publish({
      kind: 'workflow',
      visibility: 'public',
      file: workflowFile({ name: 'Digest' }),
    })
    await bob.library.addMaintainer({ id: item.id, username: 'alice', role: 'maintainer' })
    await app.deliver()
    const { items, pending, pendingTotal, recent, unread } = await alice.news.list({})
    assert.deepEqual(
      items.map(({ type, toMe, by }) => [type, toMe, by]),
      [
        ['invitation', true, 'bob'],
        ['mention', true, 'bob'],
        ['comment', false, 'bob'],
      ],
    )
    assert.equal(unread, 3)
    assert.deepEqual(
      [pendingTotal, pending[0]!.type, pending[0]!.title, pending[0]!.by],
      [1, 'invitation', 'Digest', 'bob'],
    )
    assert.deepEqual(
      recent.map(({ by }) => by),
      ['bob', 'bob'],
    )
    await alice.notifications.read({ through: items[0]!.id })
    const after = await alice.news.list({})
    assert.deepEqual([after.unread, after.items.length, after.pendingTotal], [0, 0, 1])
  })

  it('goes on page by page, with notifications alone after the first', async ({ alice, bob, app }) => {
    const { id } = await alice.posts.create({ title: 'P', body: 'B' })
    for (const body of ['one', 'two', 'three']) await bob.posts.comment({ id, body })
    await app.deliver()
    const first = await alice.news.list({ per_page: 2 })
    assert.deepEqual(
      [first.items.map(({ text }) => text), first.hasMore, first.next],
      [['three', 'two'], true, first.items[1]!.id],
    )
    const second = await alice.news.list({ per_page: 2, before: first.next! })
    assert.deepEqual([second.items.map(({ text }) => text), second.hasMore, second.next], [['one'], false, null])
    assert.deepEqual([second.recent, second.pending], [[], []])
    for (const input of [{ per_page: 0 }, { per_page: 51 }, { before: 'x' }]) {
      await assert.rejects(alice.news.list(input as never), { status: 400 })
    }
  })

  it('stays below 2,000 tokens as a tool, also with the longest texts', async (world) => {
    const { alice, bob, app } = world
    await alice.profile.setUsername({ username: 'alice' })
    // Each of these characters takes six in JSON that shows it.
    const long = '\u200b'.repeat(80)
    for (let n = 0; n < 12; n++) {
      const post = await bob.posts.create({ title: `T${long.slice(0, 70)}${n}`, body: `@alice ${long.repeat(4)}` })
      await bob.posts.comment({ id: post.id, body: `@alice ${'word '.repeat(100)}` })
    }
    await app.deliver()
    const token = await tokenOf(world, alice)
    const seen: string[] = []
    let before: string | undefined
    for (;;) {
      const result = await callTool(app, 'what_is_new', before === undefined ? {} : { before }, { token })
      const text = result.content.map((block) => block.text).join('\n')
      assert.ok(tokensOf(text) < 2_000, `${tokensOf(text)} tokens`)
      const { items, next } = JSON.parse(dataOf(result)) as { items: { id: string }[]; next: string | null }
      seen.push(...items.map(({ id }) => id))
      if (next === null) break
      before = next
    }
    const all = await alice.notifications.list({ unread: 'true', per_page: 100 })
    assert.deepEqual(
      seen,
      all.items.map(({ id }) => id),
    )
  })
})
