// Editing one's own texts, their history, and the statuses of bugs and requests, on SQLite and on PostgreSQL.

import assert from 'node:assert/strict'
import { assertSound } from '../../../test/sound.ts'
import { refusal, visit } from '../../../test/visitor.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const
const wish = { title: 'Dark mode', description: 'For the night' }
const hello = { title: 'Hello', body: 'I am new here' }

const kinds = {
  bugs: { make: (who: Person) => who.bugs.create(crash), field: 'description', max: 1000 },
  features: { make: (who: Person) => who.features.create(wish), field: 'description', max: 1000 },
  posts: { make: (who: Person) => who.posts.create(hello), field: 'body', max: 2000 },
} as const
type Kind = keyof typeof kinds
const everyKind = Object.entries(kinds) as [Kind, (typeof kinds)[Kind]][]
/** The operations that are made from declarations are alike. */
const of = (who: Person, kind: Kind) => who[kind] as unknown as Person['bugs']

onEveryEngine('edits', (it) => {
  it('change the fields given, keep what was there, and show everywhere', async (world) => {
    const { alice, anonymous } = world
    for (const [kind, { make, field }] of everyKind) {
      const made = await make(alice)
      const { id } = made
      assert.equal(made.editedAt, null)
      const before: string = Reflect.get(made, field)
      world.clock.pass(5)
      const first = await of(alice, kind).edit({ id, title: 'A better title' })
      assert.deepEqual({ ...made, ...first }, { ...first, title: 'A better title' }, kind)
      assert.equal(Reflect.get(first, field), before)
      assert.ok(first.editedAt && first.editedAt > made.createdAt)
      const same = await of(alice, kind).edit({ id, title: 'A better title', [field]: before })
      assert.equal(same.editedAt, first.editedAt, 'nothing changed')
      world.clock.pass(5)
      await of(alice, kind).edit({ id, title: 'The best title', [field]: 'Zebra stripes' })
      const { items, total } = await of(anonymous, kind).revisions({ id })
      assert.equal(total, 2)
      const { id: editorId } = await alice.account()
      assert.deepEqual(
        items.map((revision) => [revision.editorId, revision.changes]),
        [
          [
            editorId,
            [
              { field: 'title', before: 'A better title', after: 'The best title' },
              { field, before, after: 'Zebra stripes' },
            ],
          ],
          [editorId, [{ field: 'title', before: made.title, after: 'A better title' }]],
        ],
      )
      const second = await of(anonymous, kind).revisions({ id, per_page: 1, page: 1 })
      assert.deepEqual([second.items[0]?.id, second.hasMore], [items[1]?.id, false])
      assert.equal((await of(anonymous, kind).list({ q: 'zebra' })).items[0]?.id, id, kind)
      assert.equal((await of(anonymous, kind).list({ q: before })).total, 0, kind)
      const entry = (await anonymous.feed.list()).items.find((one) => one.id === id)
      assert.deepEqual([entry?.title, entry?.preview], ['The best title', 'Zebra stripes'])
      await assertSound(world)
    }
  })

  it('are made at the thing, and at its text as before', async ({ alice, bob, admin, anonymous }) => {
    const release = await admin.changelog.create({ title: 'Out', body: 'It is out' })
    const written = [
      ['features', alice, (await alice.features.create(wish)).id],
      ['posts', alice, (await alice.posts.create(hello)).id],
      ['changelog', admin, release.id],
    ] as const
    for (const [kind, author, id] of written) {
      const patch = async (who: Person, at: string, body: object) => {
        const headers = { 'Content-Type': 'application/json' }
        const init = { method: 'PATCH', headers, body: JSON.stringify(body) }
        const response = await who.request(`/api/community/${kind}/${id}${at}`, init)
        return { status: response.status, body: (await response.json()) as { title?: string; error?: string } }
      }
      for (const at of ['', '/text']) {
        const edited = await patch(author, at, { title: `Changed at id${at}` })
        assert.deepEqual([edited.status, edited.body.title], [200, `Changed at id${at}`], kind)
      }
      for (const [who, body] of [
        [author, { title: '' }],
        [author, {}],
        [bob, { title: 'Taken over' }],
        [bob, { status: 'planned' }],
        [anonymous, { title: 'Taken over' }],
      ] as const) {
        const refused = await patch(who, '', body)
        assert.ok([400, 401, 403].includes(refused.status), kind)
        assert.deepEqual(await patch(who, '/text', body), refused, kind)
      }
      assert.equal((await of(anonymous, kind as Kind).revisions({ id })).total, 2)
    }
  })

  it('have the limits of what is written, and need a field', async ({ alice }) => {
    for (const [kind, { make, field, max }] of everyKind) {
      const { id } = await make(alice)
      await of(alice, kind).edit({ id, title: 'x'.repeat(100), [field]: 'x'.repeat(max) })
      for (const wrong of [
        { title: '' },
        { title: 'x'.repeat(101) },
        { [field]: ' ' },
        { [field]: 'x'.repeat(max + 1) },
        {},
      ]) {
        await assert.rejects(of(alice, kind).edit({ id, ...wrong }), { status: 400 }, kind)
      }
      assert.equal((await of(alice, kind).revisions({ id })).total, 1)
    }
  })

  it('are for authors and moderators, whose edits are in the audit log', async (world) => {
    const { alice, bob, moderator, blocked, anonymous, admin } = world
    for (const [kind, { make }] of everyKind) {
      const { id } = await make(alice)
      await assert.rejects(anonymous[kind].edit({ id, title: 'No' }), { status: 401 })
      await assert.rejects(bob[kind].edit({ id, title: 'No' }), { status: 403, message: 'Forbidden' })
      await assert.rejects(blocked[kind].edit({ id, title: 'No' }), { status: 403, message: 'Account blocked' })
      await assert.rejects(alice[kind].edit({ id: 'nothing', title: 'No' }), { status: 404 })
      await assert.rejects(anonymous[kind].revisions({ id: 'nothing' }), { status: 404 })
      await moderator[kind].edit({ id, title: 'Milder', reason: 'Rude' })
      await alice[kind].edit({ id, title: 'Mine' })
      for (const [who, may] of [
        [alice, true],
        [bob, false],
        [moderator, true],
        [anonymous, false],
      ] as const) {
        assert.equal((await who[kind].get({ id })).can.edit, may)
      }
      const { items } = await admin.admin.listAudit({ targetId: id })
      assert.deepEqual(
        items.map(({ action, reason }) => [action, reason]),
        [[`${kind.slice(0, -1)}.edit`, 'Rude']],
      )
    }
  })

  it('of comments have a history too, and go with the comment or the thing', async (world) => {
    const { alice, bob, moderator, anonymous, db } = world
    const { id: post } = await alice.posts.create(hello)
    const { id } = await bob.posts.comment({ id: post, body: 'Frist' })
    await assert.rejects(alice.comments.edit({ id, body: 'No' }), { status: 403 })
    await assert.rejects(anonymous.comments.edit({ id, body: 'No' }), { status: 401 })
    for (const body of [' ', 'x'.repeat(1001)]) await assert.rejects(bob.comments.edit({ id, body }), { status: 400 })
    await assert.rejects(bob.comments.edit({ id: 'nothing', body: 'No' }), { status: 404 })
    assert.equal((await bob.comments.edit({ id, body: 'Frist' })).editedAt, null)
    const { editedAt } = await bob.comments.edit({ id, body: ' First ' })
    await moderator.comments.edit({ id, body: 'x'.repeat(1000) })
    const [shown] = (await anonymous.posts.comments({ id: post })).items
    assert.ok(shown?.editedAt && editedAt && shown.editedAt >= editedAt)
    const { items } = await anonymous.comments.revisions({ id })
    assert.deepEqual(
      items.map(({ changes: [change] }) => [change?.field, change?.before.length, change?.after.length]),
      [
        ['body', 5, 1000],
        ['body', 5, 5],
      ],
    )
    const other = await bob.posts.comment({ id: post, body: 'Other' })
    await bob.comments.edit({ id: other.id, body: 'Another' })
    await alice.posts.edit({ id: post, title: 'Changed' })
    await assertSound(world)
    await bob.posts.deleteComment({ id: post, commentId: id })
    await assert.rejects(anonymous.comments.revisions({ id }), { status: 404 })
    assert.equal((await db.selectFrom('revision').select('id').execute()).length, 2)
    await alice.posts.delete({ id: post })
    assert.deepEqual(await db.selectFrom('revision').select('id').execute(), [])
    await assertSound(world)
  })

  it('that race are each kept once, and what is deleted keeps no history', async (world) => {
    const { alice, moderator, db } = world
    await moderator.account()
    const { id } = await alice.bugs.create(crash)
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => (n % 2 ? alice : moderator).bugs.edit({ id, title: `Title ${n}` })),
    )
    const { items, total } = await alice.bugs.revisions({ id })
    assert.deepEqual([items.length, total], [8, 8])
    assert.deepEqual(items.at(-1)?.changes[0]?.before, 'Crash')
    const befores = items.map(({ changes }) => changes[0]?.before)
    assert.equal(new Set(befores).size, 8, 'no revision begins with the text of another')
    await assertSound(world)
    const late = Array.from({ length: 6 }, (_, n) => alice.bugs.edit({ id, title: `Late ${n}` }))
    const outcomes = await Promise.allSettled([...late, moderator.bugs.delete({ id })])
    for (const outcome of outcomes) if (outcome.status === 'rejected') assert.equal(outcome.reason.status, 404)
    assert.deepEqual(await db.selectFrom('revision').select('id').execute(), [])
  })
})

onEveryEngine('the status of bugs and requests', (it) => {
  it('is closed and opened again by their authors, with a timeline', async (world) => {
    const { alice, bob, admin, moderator, blocked, anonymous } = world
    const bug = await alice.bugs.create(crash)
    const feature = await alice.features.create(wish)
    for (const [slice, id, closed, final] of [
      ['bugs', bug.id, 'resolved', 'wontfix'],
      ['features', feature.id, 'declined', 'shipped'],
    ] as const) {
      const as = (who: Person) => who[slice] as Person['bugs']
      const decide = (status: string, reason?: string) =>
        slice === 'bugs'
          ? moderator.bugs.triage({ id, status: status as 'open', reason })
          : admin.features.setStatus({ id, status: status as 'open', reason })
      await assert.rejects(as(bob).close({ id, closed: true }), { status: 403 })
      await assert.rejects(as(anonymous).close({ id, closed: true }), { status: 401 })
      await assert.rejects(as(blocked).close({ id, closed: true }), { status: 403 })
      await assert.rejects(as(alice).close({ id: 'nothing', closed: true }), { status: 404 })
      assert.deepEqual(await as(alice).close({ id, closed: false }), { status: 'open' })
      assert.deepEqual(await as(alice).close({ id, closed: true, reason: 'Found it' }), { status: closed })
      assert.deepEqual(await as(alice).close({ id, closed: true }), { status: closed })
      assert.deepEqual(await as(alice).close({ id, closed: false }), { status: 'open' })
      await decide(final, 'Out of scope')
      await decide(final, 'Again')
      for (const closes of [true, false]) await assert.rejects(as(alice).close({ id, closed: closes }), { status: 409 })
      const { items, total } = await as(anonymous).statusChanges({ id })
      assert.equal(total, 3)
      assert.deepEqual(
        items.map(({ from, to, reason }) => [from, to, reason]),
        [
          ['open', final, 'Out of scope'],
          [closed, 'open', null],
          ['open', closed, 'Found it'],
        ],
      )
      assert.equal(items[2]?.actorId, (await alice.account()).id)
      assert.equal((await as(anonymous).list({ status: final as 'open' })).total, 1)
      assert.deepEqual([(await as(alice).get({ id })).can.close, (await as(bob).get({ id })).can.close], [true, false])
      await assert.rejects(as(anonymous).statusChanges({ id: 'nothing' }), { status: 404 })
      await assertSound(world)
    }
    await moderator.bugs.triage({ id: bug.id, severity: 'low' })
    assert.equal((await anonymous.bugs.statusChanges({ id: bug.id })).total, 3, 'a severity is no status')
    await moderator.bugs.delete({ id: bug.id })
    const left = await world.db.selectFrom('statusChange').select('targetId').distinct().execute()
    assert.deepEqual(left, [{ targetId: feature.id }])
  })

  it('changes once for each change, however they race', async (world) => {
    const { alice, moderator, anonymous } = world
    await moderator.account()
    const { id } = await alice.bugs.create(crash)
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        n % 2 ? alice.bugs.close({ id, closed: n % 4 === 1 }) : moderator.bugs.triage({ id, status: 'in_progress' }),
      ),
    )
    const { items, total } = await anonymous.bugs.statusChanges({ id })
    assert.equal(items.length, total)
    for (const { from, to } of items) assert.notEqual(from, to)
    assert.equal(items.at(-1)?.from, 'open')
    await assertSound(world)
  })
})

onEveryEngine(
  'the budget of edits',
  (it) => {
    it('is that of comments', async (world) => {
      const who = await visit(world, 'writer', { address: '192.0.2.1' })
      const { id } = await who.posts.create(hello)
      await who.posts.comment({ id, body: 'Hm' })
      await world.db.updateTable('rateLimit').set({ count: 18 }).where('key', 'like', 'comments:account:%').execute()
      await who.posts.edit({ id, title: 'One' })
      await who.posts.edit({ id, title: 'One' })
      const error = await refusal(who.posts.edit({ id, title: 'Two' }))
      assert.equal(error.status, 429)
      assert.equal((await who.posts.get({ id })).title, 'One')
    })
  },
  { RATE_LIMITS: 'on' },
)
