// What people do to one thing at the same moment, on SQLite and on PostgreSQL: numbers stay right and nothing is left behind.
import assert from 'node:assert/strict'
import { onEveryEngine, type World } from '../../test/world.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const
const wish = { title: 'Dark mode', description: 'For the night' }
const hello = { title: 'Hello', body: 'I am new here' }

/** Signs people up first, so that only what is tested runs at once. */
async function crowd({ person }: World, count: number) {
  const people = Array.from({ length: count }, (_, n) => person(`voter${n}`))
  for (const one of people) await one.account()
  return people
}

const fulfilled = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.filter(({ status }) => status === 'fulfilled').length

onEveryEngine('at the same moment', (it) => {
  it('votes are each counted once, on bugs, features and posts', async (world) => {
    const { alice, anonymous } = world
    const voters = await crowd(world, 6)
    const bug = await alice.bugs.create(crash)
    const feature = await alice.features.create(wish)
    const post = await alice.posts.create(hello)
    await Promise.all(
      voters.flatMap((voter, n) => {
        const value = n === 0 ? -1 : 1
        return [voter, voter].flatMap((again) => [
          again.bugs.vote({ id: bug.id, value }),
          again.features.vote({ id: feature.id, value }),
          again.posts.vote({ id: post.id, value }),
        ])
      }),
    )
    const { items } = await anonymous.feed.list()
    for (const { score } of items) assert.equal(score, 4)
    assert.equal((await anonymous.bugs.get({ id: bug.id })).score, 4)
    assert.equal((await anonymous.features.get({ id: feature.id })).score, 4)
    assert.equal((await anonymous.posts.get({ id: post.id })).score, 4)
  })

  it('votes, comments and labels that race a removal go with the bug or find it gone', async (world) => {
    const { alice, moderator, db } = world
    const voters = await crowd(world, 3)
    await moderator.account()
    const label = await moderator.labels.create({ name: 'ui', color: '#336699' })
    for (let round = 0; round < 6; round++) {
      const { id } = await alice.bugs.create(crash)
      const post = await alice.posts.create(hello)
      const feature = await alice.features.create(wish)
      const outcomes = await Promise.allSettled([
        ...voters.map((voter) => voter.bugs.vote({ id, value: 1 })),
        ...voters.map((voter) => voter.posts.vote({ id: post.id, value: 1 })),
        ...voters.map((voter) => voter.features.vote({ id: feature.id, value: 1 })),
        voters[0]!.bugs.comment({ id, body: 'Here too' }),
        moderator.bugs.attachLabel({ id, labelId: label.id }),
        moderator.posts.attachLabel({ id: post.id, labelId: label.id }),
        moderator.features.attachLabel({ id: feature.id, labelId: label.id }),
        moderator.bugs.triage({ id, status: 'resolved' }),
        moderator.bugs.delete({ id }),
        alice.posts.delete({ id: post.id }),
        alice.features.delete({ id: feature.id }),
        voters[1]!.bugs.comment({ id, body: 'Here too' }),
      ])
      for (const outcome of outcomes) if (outcome.status === 'rejected') assert.equal(outcome.reason.status, 404)
    }
    for (const table of [
      'bug',
      'feature',
      'post',
      'bugLabel',
      'featureLabel',
      'postLabel',
      'vote',
      'comment',
      'feedEntry',
    ] as const) {
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table)
    }
    const counts = db
      .selectFrom('counter')
      .selectAll()
      .where('count', '!=', 0)
      .where('key', 'not like', 'account/%')
      .where('key', '!=', 'member/all/')
    assert.deepEqual(await counts.execute(), [])
  })

  it('a comment and the author who takes the bug back cannot both have their way', async ({
    alice,
    bob,
    anonymous,
  }) => {
    await bob.account()
    for (let round = 0; round < 6; round++) {
      const { id } = await alice.bugs.create(crash)
      const both = [() => alice.bugs.delete({ id }), () => bob.bugs.comment({ id, body: 'Here too' })]
      const outcomes = await Promise.allSettled((round % 2 ? both : both.reverse()).map((act) => act()))
      assert.equal(fulfilled(outcomes), 1)
    }
    const { items } = await anonymous.bugs.list()
    for (const { commentCount } of items) assert.equal(commentCount, 1)
  })

  it('triages of one bug leave totals that add up', async ({ alice, moderator, admin, anonymous }) => {
    await moderator.account()
    await admin.account()
    const bugs = [await alice.bugs.create(crash), await alice.bugs.create(crash)]
    const statuses = ['resolved', 'open', 'wontfix', 'in_progress'] as const
    await Promise.all(
      bugs.flatMap(({ id }) =>
        statuses.flatMap((status) => [
          moderator.bugs.triage({ id, status }),
          admin.bugs.triage({ id, status, severity: 'low' }),
        ]),
      ),
    )
    const totals = await Promise.all(statuses.map(async (status) => (await anonymous.bugs.list({ status })).total))
    assert.equal(
      totals.reduce((sum, total) => sum + total),
      2,
    )
    for (const status of statuses) {
      const { items, total } = await anonymous.bugs.list({ status })
      assert.equal(total, items.length)
    }
  })

  it('removals of one comment happen once', async ({ alice, bob, moderator, anonymous }) => {
    await moderator.account()
    const { id } = await alice.bugs.create(crash)
    const { id: commentId } = await bob.bugs.comment({ id, body: 'Here too' })
    const remove = { id, commentId }
    const outcomes = await Promise.allSettled([bob, moderator, bob].map((one) => one.bugs.deleteComment(remove)))
    assert.equal(fulfilled(outcomes), 1)
    assert.equal((await anonymous.bugs.get({ id })).commentCount, 0)
  })
})
