// What is new in a list since a moment, and since the visit of a member; through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { describe, it as nodeIt } from 'node:test'
import { allOf } from '../../../test/cursors.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { VISIT_DAYS, VISIT_GAP_MINUTES, VISIT_STEP_MINUTES, visitAfter } from './visit-rules.ts'

type Listed = Parameters<Person['bugs']['list']>[0]

const titles = async (person: Person, input: Listed) => {
  const { items, total } = await person.bugs.list(input)
  assert.equal(total, items.length)
  return items.map(({ title }) => title).join(' ')
}

/** Three bugs a minute after each other, of which the first has a comment since; gives when each of them was written. */
async function makeThree({ alice, bob, moderator, clock }: World) {
  const label = await moderator.labels.create({ name: 'ui', color: '#336699' })
  const made = []
  for (const title of ['A', 'B', 'C']) {
    made.push(await alice.bugs.create({ title, description: 'It stops', severity: title === 'C' ? 'high' : 'low' }))
    await moderator.bugs.attachLabel({ id: made.at(-1)!.id, labelId: label.id })
    clock.pass(60)
  }
  const { createdAt } = await bob.bugs.comment({ id: made[0]!.id, body: 'Here too' })
  return { made, commentedAt: createdAt }
}

const after = (moment: string) => new Date(Date.parse(moment) + 1).toISOString()
const before = (moment: string) => new Date(Date.parse(moment) - 1).toISOString()

onEveryEngine('a list since a moment', (it) => {
  it('has what something happened to after it, in any order and with any filter', async (world) => {
    const { anonymous } = world
    const { made, commentedAt } = await makeThree(world)
    const { items } = await anonymous.bugs.list({ sort: 'active' })
    const [, second] = items
    const since = before(second!.createdAt)
    const { authorId } = made[0]!
    for (const [input, expected] of [
      [{ activeSince: '2001-02-03T04:05:06.789Z' }, 'C B A'],
      [{ activeSince: since }, 'C A'],
      [{ activeSince: since, sort: 'active' }, 'A C'],
      [{ activeSince: before(commentedAt), sort: 'active' }, 'A'],
      [{ activeSince: commentedAt, sort: 'active' }, ''],
      [{ activeSince: after(commentedAt) }, ''],
      [{ activeSince: since, severity: 'low' }, 'A'],
      [{ activeSince: since, severity: ['low', 'high'], sort: 'active' }, 'A C'],
      [{ activeSince: since, authorId, sort: 'active' }, 'A C'],
      [{ activeSince: since, label: 'ui', sort: 'active' }, 'A C'],
      [{ activeSince: since, label: 'ui', authorId, sort: 'popular' }, 'C A'],
      [{ activeSince: since, by: 'people', sort: 'active' }, 'A C'],
      [{ activeSince: since, by: 'agents' }, ''],
      [{ activeSince: since, q: 'stops' }, 'C A'],
      [{ activeSince: since, board: 'main' }, 'C A'],
      [{ activeSince: since, pinned: 'true' }, ''],
    ] as [Listed, string][])
      assert.equal(await titles(anonymous, input), expected, JSON.stringify(input))
    const read = (cursor: string) =>
      anonymous.bugs.list({ sort: 'active', activeSince: before(made[0]!.createdAt), per_page: 1, cursor })
    assert.deepEqual(
      (await allOf(read)).map(({ title }) => title),
      ['A', 'C', 'B'],
    )
    for (const wrong of ['yesterday', '', '2026-11-20', '2026-11-20T09:30:00Z'])
      await assert.rejects(anonymous.bugs.list({ activeSince: wrong }), { status: 400 }, wrong)
  })

  it('says nothing of what a reader does not see', async (world) => {
    const { alice, moderator, admin } = world
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
    await moderator.posts.create({ title: 'Inside', body: 'Text', board: 'staff' })
    const activeSince = '2001-02-03T04:05:06.789Z'
    assert.equal((await alice.posts.list({ activeSince })).total, 0)
    await assert.rejects(alice.posts.list({ activeSince, board: 'staff' }), { status: 404 })
    assert.equal((await moderator.posts.list({ activeSince, board: 'staff' })).total, 1)
  })
})

onEveryEngine('the visit of a list', (it) => {
  it('lasts while the list is opened, and the next one knows when it ended', async ({ alice, bob, clock }) => {
    const visit = async (person = alice) => (await person.threads.visitList({ type: 'bug' })).since
    const look = async (person = alice) => (await person.threads.myListVisit({ type: 'bug' })).since
    const minutes = (count: number) => clock.pass(count * 60)
    assert.deepEqual([await look(), await visit(), await look()], [null, null, null])
    minutes(VISIT_GAP_MINUTES - 1)
    assert.equal(await visit(), null)
    minutes(VISIT_GAP_MINUTES + 1)
    const since = await look()
    assert.ok(since)
    assert.deepEqual([await visit(), await visit()], [since, since])
    minutes(VISIT_GAP_MINUTES - 1)
    assert.deepEqual([await look(), await visit()], [since, since])
    minutes(VISIT_GAP_MINUTES - 1)
    assert.equal(await visit(), since)
    minutes(VISIT_GAP_MINUTES + 1)
    assert.ok(String(await visit()) > since)
    assert.deepEqual([await visit(bob), (await alice.threads.visitList({ type: 'post' })).since], [null, null])
  })

  it('is of those who signed in, and of lists that there are; it is no bookmark', async (world) => {
    const { alice, anonymous, blocked, db, app, clock } = world
    for (const call of [anonymous.threads.visitList, anonymous.threads.myListVisit])
      await assert.rejects(call({ type: 'bug' }), { status: 401 })
    await assert.rejects(blocked.threads.visitList({ type: 'bug' }), { status: 403 })
    for (const type of ['org', 'release', 'bugs', ''] as unknown as 'bug'[])
      await assert.rejects(alice.threads.visitList({ type }), (error: { status: number }) => error.status >= 400)
    await Promise.all([1, 2, 3].map(() => alice.threads.visitList({ type: 'feature' })))
    const rows = () => db.selectFrom('threadVisit').select(['thingId', 'bookmarkedAt']).execute()
    assert.deepEqual(await rows(), [{ thingId: 'feature', bookmarkedAt: null }])
    assert.equal((await alice.threads.bookmarks({})).total, 0)
    await assert.rejects(alice.threads.mine({ id: 'feature' }), { status: 404 })
    clock.pass(VISIT_DAYS * 86_400 + 3600)
    await app.cleanUp()
    assert.deepEqual(await rows(), [])
  })
})

describe('a visit', () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 20, 9, minutes)).toISOString()
  nodeIt('is written at most now and then, and ends after a while', () => {
    const stored = { seenAt: at(0), beforeAt: at(-90) }
    assert.deepEqual(visitAfter(undefined, at(0)), { seenAt: at(0), beforeAt: null })
    for (const minutes of [-5, 0, VISIT_STEP_MINUTES - 1]) assert.equal(visitAfter(stored, at(minutes)), undefined)
    for (const minutes of [VISIT_STEP_MINUTES, VISIT_GAP_MINUTES - 1])
      assert.deepEqual(visitAfter(stored, at(minutes)), { seenAt: at(minutes), beforeAt: at(-90) })
    assert.deepEqual(visitAfter(stored, at(VISIT_GAP_MINUTES)), { seenAt: at(VISIT_GAP_MINUTES), beforeAt: at(0) })
  })
})
