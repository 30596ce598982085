// Comments on everything, replies and reactions, through the front door, on SQLite and on PostgreSQL.

import assert from 'node:assert/strict'
import { workflowFile } from '../../../test/library.ts'
import { assertSound } from '../../../test/sound.ts'
import { refusal, visit } from '../../../test/visitor.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'
import { keysOf } from '../../contract/records.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const
const wish = { title: 'Dark mode', description: 'For the night' }
const hello = { title: 'Hello', body: 'I am new here' }
const SLUG = 'what-guildhall-is'

type Thing = 'bug' | 'feature' | 'post' | 'org' | 'item' | 'blog'

/** A thing of every kind, with the calls for its comments. */
const things: Record<Thing, (who: Person) => Promise<{ field: string; id: string; url: string }>> = {
  bug: async (who) => {
    const { id } = await who.bugs.create(crash)
    return { field: 'bugId', id, url: `/community/bugs/${id}` }
  },
  feature: async (who) => {
    const { id } = await who.features.create(wish)
    return { field: 'featureId', id, url: `/community/features/${id}` }
  },
  post: async (who) => {
    const { id } = await who.posts.create(hello)
    return { field: 'postId', id, url: `/community/posts/${id}` }
  },
  org: async (who) => {
    const { id, slug } = await who.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    return { field: 'orgUploadId', id, url: `/community/orgs/${slug}` }
  },
  item: async (who) => {
    const { id, slug } = await who.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    return { field: 'itemId', id, url: `/library/workflows/${slug}` }
  },
  blog: async () => ({ field: 'postSlug', id: SLUG, url: `/blog/${SLUG}` }),
}

const slices = { bug: 'bugs', feature: 'features', post: 'posts', org: 'orgs', item: 'library' } as const

/** The calls of a person for the comments on a thing of a kind. */
function talking(who: Person, thing: Thing, id: string) {
  if (thing === 'blog') {
    return {
      say: (body: string, parentId?: string) => who.blog.comment({ slug: id, body, parentId }),
      list: (input: object = {}) => who.blog.comments({ slug: id, ...input }),
      remove: (commentId: string) => who.blog.deleteComment({ slug: id, commentId }),
    }
  }
  const slice = who[slices[thing]] as Person['bugs']
  return {
    say: (body: string, parentId?: string) => slice.comment({ id, body, parentId }),
    list: (input: object = {}) => slice.comments({ id, ...input }),
    remove: (commentId: string) => slice.deleteComment({ id, commentId }),
  }
}

const bodies = ({ items }: { items: readonly { body: string }[] }) => items.map(({ body }) => body)

onEveryEngine('comments', (it) => {
  it('are on everything, with replies that hang under one comment, and go one by one', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    for (const [thing, make] of Object.entries(things) as [Thing, (typeof things)['bug']][]) {
      const { field, id, url } = await make(alice)
      const [his, hers, open] = [bob, alice, anonymous].map((who) => talking(who, thing, id)) as [
        ReturnType<typeof talking>,
        ReturnType<typeof talking>,
        ReturnType<typeof talking>,
      ]
      const root = await his.say('Root')
      assert.equal(Reflect.get(root, field), id, thing)
      const other = await hers.say('Other')
      const reply = await hers.say('Reply', root.id)
      const below = await his.say('Reply to the reply', reply.id)
      assert.deepEqual([root.parentId, reply.parentId, below.parentId], [null, root.id, root.id], thing)
      assert.deepEqual(bodies(await open.list()), ['Root', 'Other', 'Reply', 'Reply to the reply'], thing)
      const threads = await open.list({ parentId: 'none', replies: 1 })
      assert.deepEqual([threads.total, bodies(threads)], [2, ['Root', 'Other']], thing)
      assert.deepEqual(
        threads.items.map(({ replyCount, replies }) => [replyCount, replies?.map(({ body }) => body)]),
        [
          [2, ['Reply']],
          [0, []],
        ],
        thing,
      )
      const replies = await open.list({ parentId: root.id, sort: 'newest' })
      assert.deepEqual([replies.total, bodies(replies)], [2, ['Reply to the reply', 'Reply']], thing)
      const placed = await anonymous.comments.get({ id: below.id })
      const { href, ...on } = placed.on
      assert.deepEqual([on, placed.position, placed.parentPosition], [{ type: thing, id, url }, 1, 0], thing)
      assert.ok(href.endsWith(url), thing)
      assert.equal((await anonymous.comments.get({ id: other.id })).position, 1, thing)
      await his.remove(root.id)
      await assert.rejects(anonymous.comments.get({ id: root.id }), { status: 404 }, thing)
      assert.deepEqual(bodies(await open.list({ parentId: 'none' })), ['Other', 'Reply', 'Reply to the reply'], thing)
      await talking(moderator, thing, id).remove(below.id)
      assert.equal((await open.list()).total, 2, thing)
      await assertSound(world)
    }
  })

  it('reply to what is on the same thing alone', async ({ alice, bob }) => {
    const bug = await alice.bugs.create(crash)
    const post = await alice.posts.create(hello)
    const other = await alice.posts.create(hello)
    const comment = await bob.posts.comment({ id: post.id, body: 'On the post' })
    await assert.rejects(bob.bugs.comment({ id: bug.id, body: 'No', parentId: comment.id }), { status: 404 })
    await assert.rejects(bob.posts.comment({ id: other.id, body: 'No', parentId: comment.id }), { status: 404 })
    await assert.rejects(bob.posts.comment({ id: post.id, body: 'No', parentId: 'nothing' }), { status: 404 })
    await assert.rejects(bob.posts.comments({ id: other.id, parentId: comment.id }), { status: 404 })
    assert.equal((await bob.posts.get({ id: other.id })).commentCount, 0)
  })

  it('on posts and requests are counted in lists and the feed, and go with the thing', async (world) => {
    const { alice, bob, anonymous, db } = world
    const post = await alice.posts.create(hello)
    const feature = await alice.features.create(wish)
    const first = await bob.posts.comment({ id: post.id, body: 'x'.repeat(1000) })
    await bob.posts.comment({ id: post.id, body: 'Below', parentId: first.id })
    await bob.comments.react({ id: first.id, reaction: 'heart' })
    await bob.features.comment({ id: feature.id, body: 'Me too' })
    for (const body of ['', ' ', 'x'.repeat(1001)]) {
      await assert.rejects(bob.posts.comment({ id: post.id, body }), { status: 400 })
      await assert.rejects(bob.features.comment({ id: feature.id, body }), { status: 400 })
    }
    assert.equal((await anonymous.posts.list()).items[0]?.commentCount, 2)
    assert.equal((await anonymous.features.get({ id: feature.id })).commentCount, 1)
    const { items } = await anonymous.feed.list()
    assert.deepEqual(
      items.map(({ type, commentCount }) => [type, commentCount]),
      [
        ['feature', 1],
        ['post', 2],
      ],
    )
    // An answered request stays, as an answered bug does.
    await assert.rejects(alice.features.delete({ id: feature.id }), { status: 403 })
    await alice.posts.delete({ id: post.id })
    const left = await db.selectFrom('comment').select('targetId').execute()
    assert.deepEqual(left, [{ targetId: feature.id }])
    assert.deepEqual(await db.selectFrom('reaction').selectAll().execute(), [])
    await assertSound(world)
  })

  it('come oldest first, newest first or most reacted to first, from both ends', async ({ alice, bob, anonymous }) => {
    const { id } = await alice.bugs.create(crash)
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push((await alice.bugs.comment({ id, body: `${n}` })).id)
    for (const n of [3, 1]) await bob.comments.react({ id: ids[n]!, reaction: 'eyes' })
    await alice.comments.react({ id: ids[3]!, reaction: 'heart' })
    const orders = { oldest: '01234', newest: '43210', popular: '31420' } as const
    for (const sort of keysOf(orders)) {
      for (const per_page of [2, 5]) {
        for (const parentId of [undefined, 'none']) {
          let walked = ''
          for (let page = 0; page * per_page < 5; page++) {
            const found = await anonymous.bugs.comments({ id, sort, per_page, page, parentId })
            assert.equal(found.total, 5)
            walked += bodies(found).join('')
          }
          assert.equal(walked, orders[sort], `${sort} by ${per_page}`)
        }
      }
    }
    for (const replies of [-1, 11, 0.5]) await assert.rejects(anonymous.bugs.comments({ id, replies }), { status: 400 })
    assert.deepEqual((await anonymous.bugs.comments({ id, replies: 10 })).items[0]?.replies, [])
  })

  it('are found by their id only where what they are on is seen', async ({ alice, bob, anonymous }) => {
    const item = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    const { id } = await bob.library.comment({ id: item.id, body: 'Nice' })
    assert.equal((await anonymous.comments.get({ id })).body, 'Nice')
    await alice.library.update({ id: item.id, visibility: 'private' })
    for (const who of [anonymous, bob, alice]) await assert.rejects(who.comments.get({ id }), { status: 404 })
    await assert.rejects(bob.comments.react({ id, reaction: 'heart' }), { status: 404, message: 'No such comment' })
    await assert.rejects(anonymous.comments.get({ id: 'nothing' }), { status: 404 })
  })

  it('say what their reader may do', async ({ alice, bob, moderator, anonymous }) => {
    const { id } = await alice.posts.create(hello)
    await bob.posts.comment({ id, body: 'Mine' })
    for (const [who, may] of [
      [bob, true],
      [alice, false],
      [moderator, true],
      [anonymous, false],
    ] as const) {
      assert.equal((await who.posts.comments({ id })).items[0]?.can.delete, may)
    }
  })
})

onEveryEngine('reactions', (it) => {
  it('are one of each kind a user, counted once however they race', async (world) => {
    const { alice, bob, moderator, anonymous, blocked } = world
    const { id: post } = await alice.posts.create(hello)
    const { id } = await alice.posts.comment({ id: post, body: 'Hm' })
    const people = [alice, bob, moderator]
    for (const one of people) await one.account()
    const all = people.flatMap((who) => Array.from({ length: 4 }, () => who.comments.react({ id, reaction: 'heart' })))
    await Promise.all(all)
    const both = await bob.comments.react({ id, reaction: 'laugh' })
    assert.deepEqual(both, { reactions: { heart: 3, laugh: 1 }, myReactions: ['heart', 'laugh'] })
    await Promise.all(Array.from({ length: 4 }, () => bob.comments.unreact({ id, reaction: 'heart' })))
    const mixed = people.flatMap((who) => [
      who.comments.react({ id, reaction: 'eyes' }),
      who.comments.unreact({ id, reaction: 'eyes' }),
    ])
    await Promise.all(mixed)
    for (const who of people) await who.comments.unreact({ id, reaction: 'eyes' })
    const [mine] = (await bob.posts.comments({ id: post })).items
    assert.deepEqual([mine?.reactions, mine?.myReactions], [{ heart: 2, laugh: 1 }, ['laugh']])
    const [theirs] = (await anonymous.posts.comments({ id: post })).items
    assert.deepEqual([theirs?.reactions, theirs?.myReactions], [{ heart: 2, laugh: 1 }, []])
    await assert.rejects(anonymous.comments.react({ id, reaction: 'heart' }), { status: 401 })
    await assert.rejects(blocked.comments.react({ id, reaction: 'heart' }), { status: 403, message: 'Account blocked' })
    await assert.rejects(bob.comments.react({ id, reaction: 'rocket' as 'heart' }), { status: 400 })
    for (const call of [bob.comments.react, bob.comments.unreact]) {
      await assert.rejects(call({ id: 'nothing', reaction: 'heart' }), { status: 404 })
    }
    await assertSound(world)
  })

  it('and replies that race the removal of a comment go with it or find it gone', async (world) => {
    const { alice, bob, moderator } = world
    for (const one of [alice, bob, moderator]) await one.account()
    const { id: bug } = await alice.bugs.create(crash)
    for (const thing of ['bug', 'blog'] as const) {
      const on = thing === 'bug' ? bug : SLUG
      const [hers, his] = [talking(alice, thing, on), talking(bob, thing, on)]
      for (let round = 0; round < 5; round++) {
        const root = await hers.say('Root')
        const reply = await his.say('Reply', root.id)
        const outcomes = await Promise.allSettled([
          his.say('Late', root.id),
          his.say('Late too', reply.id),
          bob.comments.react({ id: root.id, reaction: 'heart' }),
          bob.comments.react({ id: reply.id, reaction: 'heart' }),
          hers.remove(root.id),
          his.remove(reply.id),
          talking(moderator, thing, on).remove(reply.id),
        ])
        const odd = outcomes.filter(({ status }, at) => at === 4 && status === 'rejected')
        assert.deepEqual(odd, [])
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') assert.equal(outcome.reason.status, 404, String(outcome.reason))
        }
        await assertSound(world)
      }
    }
  })
})

onEveryEngine(
  'the budget of reactions',
  (it) => {
    it('is that of votes', async (world) => {
      const who = await visit(world, 'reader', { address: '192.0.2.1' })
      const { id: post } = await who.posts.create(hello)
      const { id } = await who.posts.comment({ id: post, body: 'Hm' })
      await who.posts.vote({ id: post, value: 1 })
      await world.db.updateTable('rateLimit').set({ count: 98 }).where('key', 'like', 'votes:account:%').execute()
      await who.comments.react({ id, reaction: 'heart' })
      await who.comments.unreact({ id, reaction: 'heart' })
      const error = await refusal(who.comments.react({ id, reaction: 'heart' }))
      assert.equal(error.status, 429)
      assert.ok(Number(error.headers.get('retry-after')) > 0)
      assert.deepEqual((await who.posts.comments({ id: post })).items[0]?.reactions, {})
    })
  },
  { RATE_LIMITS: 'on' },
)
