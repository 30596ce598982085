// Through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { onEveryEngine } from '../../../test/world.ts'
import { parsePost } from './rules.ts'

const slug = 'what-guildhall-is'
const unanswered = { editedAt: null, replyCount: 0, reactions: {}, myReactions: [], via: null }

onEveryEngine('the blog', (it) => {
  it('has posts, newest first, that anybody reads', async ({ anonymous }) => {
    const { items, hasMore, total } = await anonymous.blog.list()
    assert.ok(total >= 3)
    assert.equal(items.length, total)
    assert.equal(hasMore, false)
    assert.deepEqual(
      items.map(({ date }) => date),
      items.map(({ date }) => date).sort((a, b) => b.localeCompare(a)),
    )
    for (const item of items) {
      const { body, ...post } = await anonymous.blog.get({ slug: item.slug })
      assert.deepEqual(post, item)
      assert.ok(body.length > 500)
    }
    const second = await anonymous.blog.list({ per_page: 1, page: 1 })
    assert.deepEqual(second, { items: [items[1]], hasMore: true, total })
    assert.deepEqual((await anonymous.blog.list({ page: 7 })).items, [])
    for (const unknown of ['nothing', '__proto__', '../blog', 'what-guildhall-is.md']) {
      await assert.rejects(anonymous.blog.get({ slug: unknown }), { status: 404 }, unknown)
    }
  })

  it('takes comments on posts that exist, and counts them', async ({ alice, bob, blocked, anonymous }) => {
    await alice.profile.setUsername({ username: 'alice-1' })
    const first = await alice.blog.comment({ slug, body: ' Well said ' })
    const { id: authorId } = await alice.account()
    assert.deepEqual(first, {
      id: first.id,
      postSlug: slug,
      authorId,
      authorUsername: 'alice-1',
      body: 'Well said',
      createdAt: first.createdAt,
      parentId: null,
    })
    const second = await bob.blog.comment({ slug, body: 'x'.repeat(1000) })
    assert.deepEqual(await anonymous.blog.comments({ slug }), {
      items: [first, second].map((comment) => ({ ...comment, ...unanswered, can: { edit: false, delete: false } })),
      hasMore: false,
      total: 2,
    })
    assert.deepEqual((await bob.blog.comments({ slug, per_page: 1, page: 1 })).items, [
      { ...second, ...unanswered, can: { edit: true, delete: true } },
    ])
    assert.equal((await anonymous.blog.get({ slug })).commentCount, 2)
    await assert.rejects(bob.blog.comment({ slug, body: 'x'.repeat(1001) }), { status: 400 })
    await assert.rejects(bob.blog.comment({ slug, body: ' ' }), { status: 400 })
    await assert.rejects(bob.blog.comment({ slug: 'nothing', body: 'Hm' }), { status: 404 })
    await assert.rejects(anonymous.blog.comments({ slug: 'nothing' }), { status: 404 })
    await assert.rejects(anonymous.blog.comment({ slug, body: 'Hm' }), { status: 401 })
    await assert.rejects(blocked.blog.comment({ slug, body: 'Hm' }), { status: 403, message: 'Account blocked' })
  })

  it('lets authors and moderators remove comments, from the post they are on', async ({ alice, bob, moderator }) => {
    const mine = await alice.blog.comment({ slug, body: 'Mine' })
    const his = await bob.blog.comment({ slug, body: 'His' })
    await assert.rejects(bob.blog.deleteComment({ slug, commentId: mine.id }), { status: 403 })
    const other = 'counts-you-can-trust'
    await assert.rejects(alice.blog.deleteComment({ slug: other, commentId: mine.id }), { status: 404 })
    assert.deepEqual(await alice.blog.deleteComment({ slug, commentId: mine.id }), { id: mine.id })
    await assert.rejects(alice.blog.deleteComment({ slug, commentId: mine.id }), { status: 404 })
    assert.deepEqual(await moderator.blog.deleteComment({ slug, commentId: his.id }), { id: his.id })
    assert.deepEqual(await alice.blog.comments({ slug }), { items: [], hasMore: false, total: 0 })
  })

  it('counts right when comments come and go at once', async ({ alice, bob, anonymous }) => {
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? alice : bob).blog.comment({ slug, body: `Comment ${n}` })),
    )
    const { id } = await alice.account()
    const mine = all.filter(({ authorId }) => authorId === id)
    const twice = [...mine, ...mine].map(({ id: commentId }) => alice.blog.deleteComment({ slug, commentId }))
    const outcomes = await Promise.allSettled(twice)
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, mine.length)
    const { items, total } = await anonymous.blog.comments({ slug })
    assert.equal(items.length, 5)
    assert.equal(total, 5)
  })
})

describe('a blog post', () => {
  const text = '---\ntitle: A: title\ndate: 2026-11-01\nauthor: Us\nsummary: Short\n---\n\n# Text\n\n---\nmore\n'

  it('has its fields in front matter and Markdown after it', () => {
    const post = { slug: 'a', title: 'A: title', date: '2026-11-01', author: 'Us', summary: 'Short' }
    assert.deepEqual(parsePost('a', text), { ...post, body: '# Text\n\n---\nmore' })
    assert.deepEqual(parsePost('a', text.replaceAll('\n', '\r\n')), { ...post, body: '# Text\n\n---\nmore' })
  })

  it('says what is missing', () => {
    assert.throws(() => parsePost('a', '# Text'), /a has no front matter/)
    assert.throws(() => parsePost('a', text.replace('author: Us\n', '')), /a has no author/)
    assert.throws(() => parsePost('a', text.replace('2026-11-01', 'today')), /date of the blog post a is today/)
  })
})
