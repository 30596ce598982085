// Lists in the order of what happened last; through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { allOf } from '../../test/cursors.ts'
import { assertSound } from '../../test/sound.ts'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'

type Listed = Parameters<Person['bugs']['list']>[0]

const report = (title: string) => ({ title, description: 'It stops', severity: 'low' }) as const
const titlesOf = ({ items }: { items: readonly { title: string }[] }) => items.map(({ title }) => title).join(' ')
const active = async (person: Person, input: Listed = {}) =>
  titlesOf(await person.bugs.list({ ...input, sort: 'active' }))

/** The bugs A, B and C, a second after each other. */
async function makeThree({ alice, clock }: World) {
  const ids: string[] = []
  for (const title of ['A', 'B', 'C']) {
    ids.push((await alice.bugs.create(report(title))).id)
    clock.pass(1)
  }
  return ids as [string, string, string]
}

onEveryEngine('a list in the order of what happened last', (it) => {
  it('begins with what has a new comment, edit, status or label, or was opened again', async (world) => {
    const { alice, bob, moderator, anonymous, clock } = world
    const [a, b, c] = await makeThree(world)
    const label = await moderator.labels.create({ name: 'ui', color: '#336699' })
    assert.equal(await active(anonymous), 'C B A')
    const comment = await bob.bugs.comment({ id: a, body: 'Here too' })
    assert.equal(await active(anonymous), 'A C B')
    for (const [act, order] of [
      [() => alice.bugs.edit({ id: b, description: 'It stops at once' }), 'B A C'],
      [() => moderator.bugs.triage({ id: c, status: 'in_progress' }), 'C B A'],
      [() => moderator.bugs.triage({ id: a, severity: 'high' }), 'A C B'],
      [() => alice.bugs.close({ id: b, closed: true }), 'B A C'],
      [() => alice.bugs.comment({ id: c, body: 'Still', parentId: undefined }), 'C B A'],
      [() => alice.bugs.close({ id: b, closed: false }), 'B C A'],
      [() => moderator.bugs.attachLabel({ id: a, labelId: label.id }), 'A B C'],
      [() => bob.bugs.comment({ id: b, body: 'Again' }), 'B A C'],
      [() => moderator.bugs.detachLabel({ id: a, labelId: label.id }), 'A B C'],
    ] as const) {
      clock.pass(1)
      await act()
      assert.equal(await active(anonymous), order)
    }
    clock.pass(1)
    await moderator.bugs.attachLabel({ id: b, labelId: label.id })
    assert.equal(await active(anonymous), 'B A C')
    clock.pass(1)
    await bob.bugs.comment({ id: a, body: 'At once' })
    clock.pass(1)
    // What is no news moves nothing.
    await moderator.bugs.attachLabel({ id: b, labelId: label.id })
    await bob.bugs.vote({ id: c, value: 1 })
    await bob.comments.edit({ id: comment.id, body: 'Here as well' })
    await bob.bugs.deleteComment({ id: a, commentId: comment.id })
    await alice.bugs.edit({ id: a, description: 'It stops' })
    assert.equal(await active(anonymous), 'A B C')
    assert.equal(titlesOf(await anonymous.bugs.list({})), 'C B A')
    await assertSound(world)
  })

  it('is there for requests and posts, and not for what is not discussed so', async (world) => {
    const { alice, bob, moderator, anonymous, clock } = world
    for (const kind of ['features', 'posts'] as const) {
      const make = (title: string) =>
        kind === 'posts'
          ? alice.posts.create({ title, body: 'Text' })
          : alice.features.create({ title, description: 'Text' })
      const { id } = await make('A')
      clock.pass(1)
      const other = await make('B')
      const label = await moderator.labels.create({ name: kind, color: '#336699' })
      const order = async (input: Listed = {}) => {
        const { items } = await anonymous[kind].list({ label: label.id, ...input, sort: 'active' } as object)
        return items.map(({ title }) => title).join(' ')
      }
      for (const one of [id, other.id]) await moderator[kind].attachLabel({ id: one, labelId: label.id })
      clock.pass(1)
      await bob[kind].comment({ id, body: 'Yes' })
      assert.equal(await order(), 'A B')
      clock.pass(1)
      await alice[kind].edit({ id: other.id, title: 'C' })
      assert.equal(await order(), 'C A')
      assert.equal(await order({ label: undefined, authorId: other.authorId }), 'C A')
    }
    for (const list of [anonymous.orgs.list, anonymous.changelog.list] as unknown as (typeof anonymous.bugs.list)[])
      await assert.rejects(list({ sort: 'active' }), { status: 400 })
    await assertSound(world)
  })

  it('has just what other orders have, on every page, by number and by cursor', async (world) => {
    const { alice, bob, moderator, anonymous, clock } = world
    const labels = [
      await moderator.labels.create({ name: 'ui', color: '#336699' }),
      await moderator.labels.create({ name: 'mail', color: '#336699' }),
    ]
    const made: { id: string; at: number }[] = []
    for (let n = 0; n < 18; n++) {
      const person = n % 3 ? alice : bob
      const { id } = await person.bugs.create({ ...report(`Wobble ${n}`), severity: n % 2 ? 'low' : 'high' })
      for (const [at, label] of labels.entries())
        if (n % (at + 2) === 0) await moderator.bugs.attachLabel({ id, labelId: label.id })
      if (n % 4 === 0) await moderator.bugs.triage({ id, status: 'in_progress' })
      made.push({ id, at: n })
      clock.pass(1)
    }
    for (const one of made.filter(({ at }) => at % 5 === 2)) {
      await bob.bugs.comment({ id: one.id, body: 'Here too' })
      one.at += 100
      clock.pass(1)
    }
    const order = made.toSorted((one, other) => other.at - one.at).map(({ id }) => id)
    const { id: authorId } = await alice.account()
    for (const filter of [
      {},
      { status: 'open' },
      { severity: 'high' },
      { status: 'open', severity: 'low' },
      { status: ['open', 'in_progress'], severity: 'low' },
      { authorId },
      { label: 'ui' },
      { label: 'ui', authorId },
      { label: 'ui', status: 'in_progress' },
      { label: 'ui,mail' },
      { by: 'people' },
      { q: 'wobble' },
      { q: 'wobble', label: 'mail' },
    ] as Listed[]) {
      const name = JSON.stringify(filter)
      const have = new Set((await anonymous.bugs.list({ ...filter, per_page: 100 })).items.map(({ id }) => id))
      const expected = order.filter((id) => have.has(id))
      assert.ok(expected.length > 2, name)
      const found: string[] = []
      for (let page = 0; ; page++) {
        const { items, hasMore, total } = await anonymous.bugs.list({ ...filter, sort: 'active', page, per_page: 4 })
        assert.equal(total, expected.length, name)
        found.push(...items.map(({ id }) => id))
        if (!hasMore) break
      }
      assert.deepEqual(found, expected, name)
      const read = (cursor: string) => anonymous.bugs.list({ ...filter, sort: 'active', cursor, per_page: 4 })
      assert.deepEqual(
        (await allOf(read)).map(({ id }) => id),
        expected,
        name,
      )
    }
  })

  it('goes on by a cursor where something moves to the front in between, and refuses one of another order', async (world) => {
    const { bob, anonymous, clock } = world
    const [a] = await makeThree(world)
    const read = (cursor: string) => anonymous.bugs.list({ sort: 'active', per_page: 1, cursor })
    const first = await read('')
    const second = await read(first.nextCursor!)
    clock.pass(1)
    await bob.bugs.comment({ id: a, body: 'Here too' })
    const third = await read(second.nextCursor!)
    assert.deepEqual([titlesOf(first), titlesOf(second), titlesOf(third), third.nextCursor], ['C', 'B', '', null])
    await assert.rejects(anonymous.bugs.list({ sort: 'latest', cursor: first.nextCursor! }), { status: 400 })
  })

  it('has what others were merged into by the last of all comments', async (world) => {
    const { bob, moderator, anonymous, clock } = world
    const [a, b, c] = await makeThree(world)
    await bob.bugs.comment({ id: a, body: 'Here too' })
    clock.pass(1)
    await bob.bugs.comment({ id: b, body: 'And here' })
    clock.pass(1)
    await bob.bugs.comment({ id: c, body: 'Or here' })
    await moderator.bugs.merge({ id: c, into: a, confirm: true, reason: 'The same' })
    assert.equal(await active(anonymous), 'A B')
    await moderator.bugs.undoMerge({ id: c, reason: 'Another one' })
    assert.deepEqual((await active(anonymous)).split(' ').toSorted(), ['A', 'B', 'C'])
    await assertSound(world)
  })

  it('shows nothing of what is hidden or in a closed board, and its board has the same order', async (world) => {
    const { alice, bob, moderator, admin, anonymous, clock, app } = world
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
    await admin.boards.create({ slug: 'labs', name: 'Labs' })
    for (const board of ['staff', 'labs']) {
      const one = await moderator.bugs.create({ ...report(`${board}-1`), board })
      clock.pass(1)
      await moderator.bugs.create({ ...report(`${board}-2`), board })
      clock.pass(1)
      await moderator.bugs.comment({ id: one.id, body: 'First again' })
    }
    const [a] = await makeThree(world)
    await bob.bugs.comment({ id: a, body: 'Here too' })
    assert.equal(await active(anonymous), 'A C B labs-1 labs-2')
    assert.equal(await active(moderator, { board: 'staff' }), 'staff-1 staff-2')
    assert.equal(await active(anonymous, { board: 'labs' }), 'labs-1 labs-2')
    await assert.rejects(active(alice, { board: 'staff' }), { status: 404 })
    await admin.admin.block({ id: (await alice.account()).id, blocked: true })
    await app.deliver()
    assert.equal(await active(anonymous), 'labs-1 labs-2')
  })
})

onEveryEngine(
  'what waited for a moderator',
  (it) => {
    it('moves its thing to the front once it shows', async (world) => {
      const { alice, bob, moderator, anonymous, clock } = world
      const post = (title: string) => moderator.posts.create({ title, body: 'Text' })
      const { id } = await post('A')
      clock.pass(1)
      const link = 'Look at https://shop.example/cheap'
      await bob.posts.create({ title: 'B', body: link })
      await alice.posts.comment({ id, body: link })
      clock.pass(1)
      await post('C')
      const order = async () => titlesOf(await anonymous.posts.list({ sort: 'active' }))
      assert.equal(await order(), 'C A')
      const { items } = await moderator.moderation.cases({})
      const cases = new Map(items.map((one) => [one.target?.type, one.id]))
      for (const [type, expected] of [
        ['post', 'B C A'],
        ['comment', 'A B C'],
      ] as const) {
        clock.pass(1)
        const id = cases.get(type)!
        await moderator.moderation.decide({ id, action: 'approve', rule: 'other', reason: 'Fine' })
        assert.equal(await order(), expected)
      }
      await assertSound(world)
    })
  },
  { HOLD_LINKS_HOURS: '24' },
)
