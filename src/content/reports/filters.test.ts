// The filters of the queue of moderators, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { agentOf } from '../../../test/agents.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'

type Filters = Parameters<World['moderator']['moderation']['cases']>[0]

const titles = async ({ moderator }: World, filters: Filters) =>
  (await moderator.moderation.cases(filters)).items.map(({ target }) => target.title)

async function filled({ alice, bob, admin, moderator }: World) {
  await admin.boards.create({ slug: 'inner', name: 'Inner', readers: 'members' })
  const bug = await bob.bugs.create({ title: 'Crash', description: 'It stops', severity: 'low' })
  const post = await bob.posts.create({ title: 'Watches', body: 'Cheap' })
  const inner = await bob.posts.create({ title: 'Within', body: 'Text', board: 'inner' })
  await alice.reports.create({ targetType: 'bug', targetId: bug.id, reason: 'abuse' })
  await alice.reports.create({ targetType: 'post', targetId: post.id, reason: 'spam' })
  await admin.reports.create({ targetType: 'post', targetId: post.id, reason: 'privacy' })
  await alice.reports.create({ targetType: 'post', targetId: inner.id, reason: 'spam' })
  const hidden = await bob.posts.create({ title: 'Appealed', body: 'Text' })
  await alice.reports.create({ targetType: 'post', targetId: hidden.id, reason: 'other' })
  const found = (await moderator.moderation.cases({})).items.find(({ target }) => target.id === hidden.id)
  const act = await moderator.moderation.decide({ id: found!.id, action: 'hide', rule: 'spam', reason: 'Off' })
  await bob.moderation.appeal({ id: act.id, text: 'It was fine' })
}

onEveryEngine('Cases', (it) => {
  it('are filtered by reason, type, board and why they are there', async (world) => {
    await filled(world)
    const cases: [Filters, string[]][] = [
      [{}, ['Crash', 'Watches', 'Within', 'Appealed']],
      [{ reason: 'spam' }, ['Watches', 'Within']],
      [{ reason: 'privacy' }, ['Watches']],
      [{ type: 'bug' }, ['Crash']],
      [{ type: 'comment' }, []],
      [{ board: 'inner' }, ['Within']],
      [{ from: 'members' }, ['Crash', 'Watches', 'Within']],
      [{ from: 'appeal' }, ['Appealed']],
      [{ from: 'automatic' }, []],
      [{ reason: 'spam', board: 'inner', type: 'post', from: 'members' }, ['Within']],
      [{ state: 'closed' }, ['Appealed']],
      [{ state: 'closed', reason: 'other' }, ['Appealed']],
      [{ state: 'closed', reason: 'spam' }, []],
    ]
    for (const [filters, expected] of cases) {
      assert.deepEqual(await titles(world, filters), expected, JSON.stringify(filters))
    }
  })

  it('of a filter go on in pages of that filter, and what does not fit is refused', async (world) => {
    const { moderator, alice } = world
    await filled(world)
    const first = await moderator.moderation.cases({ reason: 'spam', per_page: 1, cursor: '' })
    const cursor = first.nextCursor ?? ''
    const second = await moderator.moderation.cases({ reason: 'spam', per_page: 1, cursor })
    assert.deepEqual(
      [first, second].map(({ items }) => items[0]?.target.title),
      ['Watches', 'Within'],
    )
    assert.equal(second.hasMore, false)
    await assert.rejects(moderator.moderation.cases({ cursor }), { status: 400 })
    await assert.rejects(moderator.moderation.cases({ board: 'nothing' }), { status: 404 })
    await assert.rejects(moderator.moderation.cases({ reason: 'bad' as 'spam' }), { status: 400 })
    await assert.rejects(alice.moderation.cases({ reason: 'spam' }), { status: 403 })
  })

  it('have their filters on the page of the queue', async (world) => {
    const { moderator } = world
    await filled(world)
    const page = async (query: string) => (await moderator.request(`/admin/cases${query}`)).text()
    assert.match(await page(''), /Reported by members[\s\S]*Held automatically/)
    const spam = await page('?reason=spam')
    assert.match(spam, /Watches[\s\S]*Within/)
    assert.doesNotMatch(spam, />Crash</)
    assert.match(await page('?type=comment'), /Nothing with these filters/)
    assert.match(await page('?type=nonsense'), /Crash/)
  })

  it('are filtered by the agent through which it came, also by a helper and of what is gone', async (world) => {
    const { alice, bob, moderator } = world
    const [clerk, other] = [await agentOf(world, bob), await agentOf(world, bob, { name: 'Reader' })]
    const report = async (targetType: 'bug' | 'post' | 'comment', targetId: string) =>
      alice.reports.create({ targetType, targetId, reason: 'spam' })
    const bug = await clerk.bugs.create({ title: 'Crash', description: 'It stops', severity: 'low' })
    const post = await clerk.posts.create({ title: 'Watches', body: 'Cheap' })
    const own = await bob.posts.create({ title: 'Own', body: 'Words' })
    const said = await other.posts.comment({ id: own.id, body: 'Read this' })
    await world.db
      .updateTable('post')
      .set({ viaClientId: `${clerk.clientId}\nHelper` })
      .where('id', '=', post.id)
      .execute()
    await report('bug', bug.id)
    await report('post', post.id)
    await report('post', own.id)
    await report('comment', said.id)
    await bob.bugs.delete({ id: bug.id }).catch(() => moderator.bugs.delete({ id: bug.id, reason: 'Gone' }))
    const { items, agents } = await moderator.moderation.cases({})
    assert.deepEqual(
      items.map(({ via }) => [via?.clientId, via?.name, via?.helpers]),
      [
        [clerk.clientId, 'Night Clerk', undefined],
        [clerk.clientId, 'Night Clerk', ['Helper']],
        [undefined, undefined, undefined],
        [other.clientId, 'Reader', undefined],
      ],
    )
    assert.deepEqual(
      agents.map(({ via, count }) => [via?.name, count]),
      [
        ['Night Clerk', 2],
        ['Reader', 1],
      ],
    )
    const ids = async (filters: Filters) =>
      (await moderator.moderation.cases(filters)).items.map(({ target }) => target.id)
    assert.deepEqual(await ids({ agent: clerk.clientId }), [bug.id, post.id])
    assert.deepEqual(await ids({ agent: clerk.clientId, type: 'post' }), [post.id])
    assert.deepEqual(await ids({ agent: other.clientId }), [said.id])
    for (const agent of ['nobody', clerk.clientId.slice(1), 'x'.repeat(2_048)])
      assert.deepEqual(await ids({ agent }), [])
    for (const agent of ['', 'x'.repeat(2_049)]) await assert.rejects(ids({ agent }), { status: 400 })
    await moderator.moderation.decide({ id: items[1]!.id, action: 'hide', rule: 'spam', reason: 'Off' })
    assert.deepEqual(await ids({ agent: clerk.clientId, state: 'closed' }), [post.id])
    assert.deepEqual(
      (await moderator.moderation.cases({ state: 'closed' })).agents.map(({ count }) => count),
      [1],
    )
    const first = await moderator.moderation.cases({ agent: clerk.clientId, per_page: 1, cursor: '' })
    assert.equal(first.nextCursor, null)
    const page = await (await moderator.request(`/admin/cases?agent=${clerk.clientId}`)).text()
    assert.match(page, /id="filter-agent"[\s\S]*Night Clerk/)
    assert.doesNotMatch(page, />Own</)
  })

  it('of an agent are about what came through it', async (world) => {
    const { alice, bob, moderator } = world
    const clerk = await agentOf(world, bob)
    const { id } = await clerk.bugs.create({ title: 'Crash', description: 'It stops', severity: 'low' })
    const own = await bob.posts.create({ title: 'Own', body: 'Words' })
    await alice.reports.create({ targetType: 'bug', targetId: id, reason: 'spam' })
    await alice.reports.create({ targetType: 'post', targetId: own.id, reason: 'spam' })
    const { items } = await moderator.moderation.cases({ agent: clerk.clientId })
    assert.deepEqual(
      items.map(({ target }) => target.id),
      [id],
    )
  })
})
