// What bugs, feature requests and comments are about: a version of an item, through the front door, on both engines.
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { newVersion, publish } from '../../../test/owners.ts'
import { assertSound } from '../../../test/sound.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { engineOf } from '../../database/engine.ts'
import { aboutItem } from './queries.ts'

const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const
const wish = { title: 'Pause it', description: 'During holidays' }
const EMPTY = { status: 400 }
const NOT_FOUND = { status: 404 }
const FORBIDDEN = { status: 403 }

const report = (by: Person, item: string, version = '1.0.0', title: string = crash.title) =>
  by.bugs.create({ ...crash, title, about: { item, version } })

const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id)

async function hide({ person, moderator }: World, type: 'item' | 'bug', targetId: string) {
  await person('reporter').reports.create({ targetType: type, targetId, reason: 'spam' })
  const { items } = await moderator.moderation.cases({})
  await moderator.moderation.decide({ id: String(items[0]?.id), action: 'hide', rule: 'spam', reason: 'Wait' })
}

onEveryEngine('what a thing is about', (it) => {
  it('is a version of an item, named by its id or by kind and slug', async (world) => {
    const { alice, bob, anonymous } = world
    const item = await publish(alice)
    const made = await report(bob, `workflows/${item.slug}`)
    const about = {
      ...{ item: item.id, kind: 'workflow', slug: item.slug, name: 'Digest', version: '1.0.0' },
      url: `/library/workflows/${item.slug}/versions/1.0.0`,
      href: `http://localhost:3000/library/workflows/${item.slug}/versions/1.0.0`,
    }
    assert.deepEqual(made.about, about)
    for (const by of [anonymous, alice, bob]) {
      assert.deepEqual((await by.bugs.get({ id: made.id })).about, about)
      assert.deepEqual((await by.bugs.list({})).items[0]?.about, about)
    }
    const asked = await bob.features.create({ ...wish, about: { item: item.id, version: '1.0.0' } })
    assert.deepEqual((await anonymous.features.get({ id: asked.id })).about, about)
    assert.deepEqual((await anonymous.features.roadmap()).columns[0]?.items[0]?.about, about)
    const plain = await bob.bugs.create(crash)
    assert.equal('about' in plain, false)
    assert.equal('about' in (await bob.bugs.get({ id: plain.id })), false)
    await assertSound(world)
  })

  it('has to be there and to be seen by the writer; a yanked version is', async (world) => {
    const { alice, bob, blocked, anonymous } = world
    const [open, hidden] = [await publish(alice), await publish(alice, 'private', 'Secret')]
    await newVersion(alice, open.id, '1.0.1')
    await alice.library.yank({ id: open.id, version: '1.0.0', yanked: true, reason: 'Broken' })
    assert.equal((await report(bob, open.id)).about?.version, '1.0.0')
    for (const item of [hidden.id, `workflow/${hidden.slug}`, 'nothing', 'workflow/nothing'])
      await assert.rejects(report(bob, item), NOT_FOUND, item)
    await assert.rejects(report(bob, open.id, '1.0.2'), {
      status: 404,
      body: { error: 'There is no version 1.0.2 of this item' },
    })
    for (const version of ['1.0', 'x'.repeat(256)]) await assert.rejects(report(bob, open.id, version), EMPTY)
    await assert.rejects(report(bob, open.id, 'x'.repeat(257)), { status: 400 })
    await assert.rejects(bob.bugs.create({ ...crash, about: { item: '', version: '1.0.0' } }), { status: 400 })
    await assert.rejects(bob.bugs.create({ ...crash, about: null as never }), { status: 400 })
    await assert.rejects(report(anonymous, open.id), { status: 401 })
    await assert.rejects(report(blocked, open.id), { status: 403 })
    assert.equal((await bob.bugs.list({})).total, 1, 'what is refused leaves nothing')
    assert.equal((await report(alice, hidden.id)).about?.name, 'Secret')
  })

  it('is told and found only where the reader sees the item', async (world) => {
    const { alice, bob, moderator, anonymous } = world
    const item = await publish(alice)
    const { id } = await report(bob, item.id)
    const asked = { item: `workflow/${item.slug}` }
    const toldTo = async (by: Person) => [
      'about' in (await by.bugs.get({ id })),
      (await by.bugs.list(asked)).total,
      (await by.bugs.list({ ...asked, version: '1.0.0' })).total,
    ]
    for (const by of [alice, bob, anonymous]) assert.deepEqual(await toldTo(by), [true, 1, 1])
    await alice.library.update({ id: item.id, visibility: 'private' })
    assert.deepEqual(await toldTo(alice), [true, 1, 1])
    for (const by of [bob, moderator, anonymous]) {
      assert.deepEqual(await toldTo(by), [false, 0, 0])
      assert.equal(JSON.stringify(await by.bugs.list({})).includes(item.slug), false)
    }
    await alice.library.update({ id: item.id, visibility: 'public' })
    await hide(world, 'item', item.id)
    assert.deepEqual(await toldTo(alice), [true, 1, 1])
    for (const by of [bob, anonymous]) assert.deepEqual(await toldTo(by), [false, 0, 0])
    assert.deepEqual(await toldTo(moderator), [true, 1, 1])
  })

  it('is what lists of bugs and of requests are filtered by', async (world) => {
    const { alice, bob, anonymous } = world
    const [one, other] = [await publish(alice), await publish(alice, 'public', 'Other')]
    await newVersion(alice, one.id, '1.0.1')
    const first = await report(bob, one.id)
    const second = await report(bob, one.id, '1.0.1', 'Crash again')
    const third = await report(alice, one.id)
    await report(bob, other.id)
    await bob.bugs.create(crash)
    const wanted = await bob.features.create({ ...wish, about: { item: one.id, version: '1.0.1' } })
    const list = (asked: Parameters<Person['bugs']['list']>[0]) => anonymous.bugs.list({ item: one.id, ...asked })
    assert.deepEqual(idsOf(await list({})), [third.id, second.id, first.id])
    assert.deepEqual(idsOf(await list({ version: '1.0.0' })), [third.id, first.id])
    assert.deepEqual(idsOf(await list({ version: '1.0.1', status: 'open' })), [second.id])
    assert.equal((await list({ version: '1.0.1', status: 'resolved' })).total, 0)
    assert.deepEqual(idsOf(await list({ q: 'again' })), [second.id])
    assert.deepEqual(idsOf(await list({ authorId: (await alice.account()).id })), [third.id])
    assert.deepEqual(idsOf(await list({ sort: 'popular', per_page: 1 })), [third.id])
    const page = await list({ per_page: 2, cursor: '' })
    const cursor = String(page.nextCursor)
    assert.deepEqual([page.total, idsOf(await list({ per_page: 2, cursor }))], [3, [first.id]])
    await assert.rejects(anonymous.bugs.list({ item: other.id, per_page: 2, cursor }), { status: 400 })
    assert.deepEqual(idsOf(await anonymous.features.list({ item: one.id })), [wanted.id])
    assert.equal((await anonymous.features.list({ item: one.id, version: '1.0.0' })).total, 0)
    for (const version of ['1.0.2', '9.9.9']) assert.equal((await list({ version })).total, 0)
    assert.equal((await anonymous.bugs.list({ item: 'workflow/none' })).total, 0)
    await assert.rejects(list({ version: 'one' }), { status: 400 })
    await assert.rejects(anonymous.bugs.list({ version: '1.0.0' }), { status: 400 })
  })

  it('is changed and taken away by those who edit the thing', async (world) => {
    const { alice, bob, moderator, admin } = world
    const [one, secret] = [await publish(alice), await publish(alice, 'private', 'Secret')]
    await newVersion(alice, one.id, '1.0.1')
    const { id } = await bob.bugs.create(crash)
    const to = (version: string, item = one.id) => ({ id, about: { item, version } })
    assert.equal((await bob.bugs.edit(to('1.0.0'))).about?.version, '1.0.0')
    const edited = await bob.bugs.edit({ ...to('1.0.1'), title: 'Crash at seven' })
    assert.deepEqual([edited.about?.version, edited.title], ['1.0.1', 'Crash at seven'])
    assert.equal(
      (await bob.bugs.edit({ id, title: 'Crash at eight' })).about?.version,
      '1.0.1',
      'what is not said stays',
    )
    await assert.rejects(alice.bugs.edit(to('1.0.0')), FORBIDDEN)
    await assert.rejects(bob.bugs.edit(to('1.0.0', secret.id)), NOT_FOUND)
    await assert.rejects(bob.bugs.edit(to('3.0.0')), NOT_FOUND)
    await assert.rejects(bob.bugs.edit({ id }), { status: 400 })
    assert.equal((await bob.bugs.get({ id })).about?.version, '1.0.1')
    await moderator.bugs.edit({ ...to('1.0.0'), reason: 'It was this one' })
    const acts = (await admin.admin.listAudit({})).items.filter(({ action }) => action === 'bug.edit')
    assert.deepEqual(
      acts.map(({ detail }) => detail?.['changed']),
      [['about']],
    )
    assert.equal((await bob.bugs.revisions({ id })).total, 2, 'no revision names an item')
    assert.equal('about' in (await bob.bugs.edit({ id, about: null })), false)
    assert.equal('about' in (await bob.bugs.get({ id })), false)
    assert.equal((await bob.bugs.list({ item: one.id })).total, 0)
    await assertSound(world)
  })

  it('goes with the version, the item and the thing', async (world) => {
    const { alice, bob, admin, db } = world
    const rows = async () => (await db.selectFrom('feedback').select('thingId').execute()).length
    const one = await publish(alice)
    await newVersion(alice, one.id, '1.0.1')
    const [first, second, third] = [
      await report(bob, one.id),
      await report(bob, one.id, '1.0.1'),
      await report(bob, one.id, '1.0.1'),
    ]
    await bob.library.comment({ id: one.id, body: 'Slow', version: '1.0.1' })
    assert.equal(await rows(), 4)
    await bob.bugs.delete({ id: third.id })
    assert.equal(await rows(), 3)
    await admin.library.deleteVersion({ id: one.id, version: '1.0.0', reason: 'Gone' })
    assert.equal('about' in (await bob.bugs.get({ id: first.id })), false)
    await admin.library.delete({ id: one.id, reason: 'Gone' })
    assert.equal('about' in (await bob.bugs.get({ id: second.id })), false)
    assert.equal(await rows(), 0)
    await assertSound(world)
  })

  it('stays with a bug that is merged, and with one whose merge is undone', async (world) => {
    const { alice, bob, moderator, app } = world
    const one = await publish(alice)
    await newVersion(alice, one.id, '1.0.1')
    const [first, second] = [await report(bob, one.id), await report(bob, one.id, '1.0.1')]
    await moderator.bugs.merge({ id: first.id, into: second.id })
    await app.deliver()
    assert.equal((await alice.bugs.get({ id: first.id })).about?.version, '1.0.1', 'its number leads to the other')
    assert.equal((await alice.bugs.list({ item: one.id, version: '1.0.0' })).total, 0)
    await moderator.bugs.undoMerge({ id: first.id })
    await app.deliver()
    assert.equal((await alice.bugs.get({ id: first.id })).about?.version, '1.0.0')
    assert.equal((await alice.bugs.list({ item: one.id, version: '1.0.0' })).total, 1)
    await moderator.bugs.merge({ id: first.id, into: second.id })
    await app.deliver()
    await moderator.bugs.delete({ id: second.id })
    assert.equal((await world.db.selectFrom('feedback').select('thingId').execute()).length, 0)
    await assertSound(world)
  })

  it('of a bug in a closed board is listed to those alone who read that', async (world) => {
    const { alice, moderator, admin, anonymous } = world
    const item = await publish(alice)
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
    await moderator.bugs.create({ ...crash, board: 'staff', about: { item: item.id, version: '1.0.0' } })
    const asked = { item: item.id, version: '1.0.0' }
    for (const by of [alice, anonymous]) {
      assert.equal((await by.bugs.list(asked)).total, 0)
      await assert.rejects(by.bugs.list({ ...asked, board: 'staff' }), { status: 404 })
    }
    assert.equal((await moderator.bugs.list({ ...asked, board: 'staff' })).total, 1)
  })

  it('is changed once by those who change it at once, and not by who comes after its version is gone', async (world) => {
    const { alice, bob, admin, db } = world
    const one = await publish(alice)
    await newVersion(alice, one.id, '1.0.1')
    const { id } = await report(bob, one.id)
    for (let turn = 0; turn < 5; turn++) {
      const all = ['1.0.0', '1.0.1', '1.0.0'].map((version) => bob.bugs.edit({ id, about: { item: one.id, version } }))
      await Promise.all([...all, bob.bugs.edit({ id, about: null })])
      assert.ok((await db.selectFrom('feedback').select('thingId').execute()).length <= 1)
    }
    const races = await Promise.allSettled([
      bob.bugs.edit({ id, about: { item: one.id, version: '1.0.0' } }),
      report(bob, one.id),
      admin.library.deleteVersion({ id: one.id, version: '1.0.0', reason: 'Gone' }),
    ])
    for (const race of races)
      if (race.status === 'rejected') assert.equal(Reflect.get(Object(race.reason), 'status'), 404, String(race.reason))
    assert.equal((await bob.bugs.list({ item: one.id, version: '1.0.0' })).total, 0)
    await assertSound(world)
  })
})

onEveryEngine('a comment on an item', (it) => {
  it('names a version of it, and is listed by it', async (world) => {
    const { alice, bob, anonymous } = world
    const item = await publish(alice)
    await newVersion(alice, item.id, '1.0.1')
    const { id } = item
    const old = await bob.library.comment({ id, body: 'Slow', version: '1.0.0' })
    assert.equal(old.about?.version, '1.0.0')
    const reply = await alice.library.comment({ id, body: 'Not so now', version: '1.0.1', parentId: old.id })
    const plain = await bob.library.comment({ id, body: 'Nice' })
    assert.equal('about' in plain, false)
    const { items } = await anonymous.library.comments({ id, replies: 1, parentId: 'none' })
    assert.deepEqual(
      items.map(({ about }) => about?.version),
      ['1.0.0', undefined],
    )
    assert.equal(items[0]?.replies?.[0]?.about?.version, '1.0.1')
    const of = async (version: string) => idsOf(await anonymous.library.comments({ id, version }))
    assert.deepEqual([await of('1.0.0'), await of('1.0.1'), await of('3.0.0')], [[old.id], [reply.id], []])
    assert.equal((await anonymous.library.comments({ id, version: '1.0.0' })).total, 1)
    assert.equal((await anonymous.comments.get({ id: old.id })).about?.version, '1.0.0')
    await assert.rejects(bob.library.comment({ id, body: 'No', version: '2.0.0' }), { status: 404 })
    await assert.rejects(bob.library.comment({ id, body: 'No', version: 'two' }), { status: 400 })
    assert.equal((await anonymous.library.comments({ id })).total, 3)
    await assertSound(world)
  })

  it('is edited to name another one', async (world) => {
    const { alice, bob, moderator } = world
    const { id: item } = await publish(alice)
    await newVersion(alice, item, '1.0.1')
    const { id } = await bob.library.comment({ id: item, body: 'Slow', version: '1.0.0' })
    const edit = (version: string | null, by: Person = bob) => by.comments.edit({ id, body: 'Slow', version })
    assert.equal((await edit('1.0.1')).about?.version, '1.0.1')
    assert.equal((await bob.comments.edit({ id, body: 'Slower' })).about?.version, '1.0.1')
    await assert.rejects(edit('2.0.0'), { status: 404 })
    await assert.rejects(edit('1.0.0', alice), { status: 403 })
    assert.equal((await edit('1.0.0', moderator)).about?.version, '1.0.0')
    assert.equal('about' in (await edit(null)), false)
    const bug = await bob.bugs.create(crash)
    const on = await bob.bugs.comment({ id: bug.id, body: 'Again' })
    await assert.rejects(bob.comments.edit({ id: on.id, body: 'Again', version: '1.0.0' }), { status: 400 })
    assert.equal((await bob.comments.edit({ id: on.id, body: 'Once', version: null })).body, 'Once')
    await assertSound(world)
  })
})

onEveryEngine('the ids of what is about a version', (it) => {
  it('are read along an index', async ({ db }) => {
    for (const aboutNumber of [undefined, '1']) {
      const query = aboutItem({ aboutItemId: 'x', aboutNumber })
      if (engineOf(db) === 'postgres') {
        // A table of a few rows is read faster than its index, unless that is not allowed.
        const plan = await db.transaction().execute(async (transaction) => {
          await sql`set local enable_seqscan = off`.execute(transaction)
          return sql`explain ${query}`.execute(transaction)
        })
        assert.match(JSON.stringify(plan.rows), /feedback_version/)
      } else {
        const { rows } = await sql`explain query plan ${query}`.execute(db)
        assert.match(JSON.stringify(rows), /COVERING INDEX feedback_version/)
      }
    }
  })
})
