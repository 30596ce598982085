// The filters of the queue of moderators, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
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
})
