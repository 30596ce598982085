// Drafts of releases, and edits of what a release closes, through the front door, on SQLite and on PostgreSQL.

import assert from 'node:assert/strict'
import { assertSound } from '../../../test/sound.ts'
import { home, receiving } from '../../../test/webhook-receiver.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'

const entry = { title: 'Wombats can be paused', body: 'A paused wombat keeps its place. @bob-b' }
const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const
const wish = { title: 'Pause a workflow', description: 'During holidays' }
const DAY = 86_400

async function told({ app }: World, person: Person) {
  await app.deliver()
  return (await person.notifications.list({ after: '0' })).items.map(({ type, target }) => `${type} ${target.title}`)
}

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)

onEveryEngine('a draft of a release', (it) => {
  it('is seen by moderators alone: not in lists, the feed, the search, by number or by id', async (world) => {
    const { alice, moderator, admin, anonymous } = world
    const draft = await moderator.changelog.create({ ...entry, draft: true, version: '2.4.0' })
    const { id, number } = draft
    for (const person of [anonymous, alice]) {
      assert.equal((await person.changelog.list()).total, 0)
      assert.deepEqual((await person.feed.list()).items, [])
      assert.deepEqual((await person.search.find({ q: 'wombats' })).items, [])
      await assert.rejects(person.references.get({ number }), { status: 404 })
      await assert.rejects(person.changelog.get({ id }), { status: 404 })
      await assert.rejects(person.changelog.comments({ id }), { status: 404 })
      await assert.rejects(person.changelog.revisions({ id }), { status: 404 })
    }
    for (const call of [
      () => alice.changelog.vote({ id, value: 1 }),
      () => alice.changelog.comment({ id, body: 'Hm' }),
      () => alice.follows.set({ id, state: 'following' }),
      () => alice.changelog.edit({ id, title: 'X' }),
      () => alice.changelog.delete({ id }),
    ]) {
      await assert.rejects(call(), { status: 404 })
    }
    await assert.rejects(alice.changelog.publish({ id }), { status: 403 })
    await assert.rejects(alice.changelog.drafts({}), { status: 403 })
    await assert.rejects(anonymous.changelog.drafts({}), { status: 401 })
    for (const person of [moderator, admin]) {
      const shown = await person.changelog.get({ id })
      assert.deepEqual([shown.state, shown.can.edit, shown.can.delete], ['draft', true, true])
      const { items, total, hasMore } = await person.changelog.drafts({})
      assert.deepEqual([items.map((one) => one.id), total, hasMore], [[id], 1, false])
    }
    await assertSound(world)
    await admin.changelog.delete({ id })
    assert.equal((await moderator.changelog.drafts({})).total, 0)
    await assertSound(world)
  })

  it('is edited without a history, and published as of that moment', async (world) => {
    const { alice, bob, moderator, admin, person, anonymous, clock, app } = world
    await bob.profile.setUsername({ username: 'bob-b' })
    const [bug, voter] = [await alice.bugs.create(crash), person('voter')]
    await voter.bugs.vote({ id: bug.id, value: 1 })
    const { id, number } = await moderator.changelog.create({ ...entry, draft: true, closes: `${bug.number}` })
    const edited = await admin.changelog.edit({ id, title: 'Wombats pause', version: '2.5.0' })
    assert.deepEqual([edited.title, edited.editedAt], ['Wombats pause', null])
    assert.deepEqual([await told(world, voter), await told(world, bob)], [[], []])
    assert.equal((await anonymous.bugs.get({ id: bug.id })).status, 'open')
    clock.pass(2 * DAY)
    const before = await moderator.changelog.create({ title: 'Another', body: 'One' })
    clock.pass(60)
    const published = await admin.changelog.publish({ id })
    assert.equal(published.date, dayOf(clock.now()))
    assert.ok(published.createdAt > before.createdAt)
    const shown = await anonymous.changelog.get({ id })
    assert.deepEqual(
      [shown.title, shown.version, shown.number, shown.editedAt, shown.state, shown.authorId],
      ['Wombats pause', '2.5.0', number, null, undefined, (await moderator.account()).id],
    )
    assert.equal((await anonymous.changelog.revisions({ id })).total, 0)
    assert.deepEqual(
      (await anonymous.changelog.list()).items.map((one) => one.id),
      [id, before.id],
    )
    assert.equal((await anonymous.feed.list({ type: 'release' })).items[0]?.id, id)
    assert.equal((await anonymous.search.find({ q: 'wombats' })).items[0]?.id, id)
    assert.equal((await anonymous.bugs.get({ id: bug.id })).status, 'resolved')
    assert.deepEqual(await told(world, voter), ['release Crash'])
    assert.deepEqual(await told(world, bob), ['mention Wombats pause'])
    await assert.rejects(moderator.changelog.publish({ id }), { status: 409, message: 'It is published already' })
    await assert.rejects(moderator.changelog.publish({ id: 'none' }), { status: 404 })
    assert.ok(
      (await admin.admin.listAudit({})).items.some((act) => act.targetId === id && act.action === 'release.publish'),
    )
    await app.deliver()
    await assertSound(world)
  })

  it('keeps the date that was chosen, and is published once by two at once', async (world) => {
    const { moderator, admin, clock } = world
    const chosen = dayOf(clock.now() + 5 * DAY * 1_000)
    const { id } = await moderator.changelog.create({ ...entry, draft: true, date: chosen })
    await admin.account()
    clock.pass(DAY)
    const outcomes = await Promise.allSettled([moderator, admin].map((person) => person.changelog.publish({ id })))
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal((await moderator.changelog.get({ id })).date, chosen)
    await assertSound(world)
  })

  it('closes only what its publisher may, and stays a draft otherwise', async (world) => {
    const { alice, moderator, admin, anonymous } = world
    const [bug, feature] = [await alice.bugs.create(crash), await alice.features.create(wish)]
    await assert.rejects(moderator.changelog.create({ ...entry, draft: true, closes: '999' }), { status: 400 })
    await assert.rejects(moderator.changelog.create({ ...entry, draft: true, closes: `${feature.number}` }), {
      status: 403,
    })
    const { id } = await admin.changelog.create({ ...entry, draft: true, closes: `${bug.number},${feature.number}` })
    await assert.rejects(moderator.changelog.publish({ id }), { status: 403 })
    await moderator.bugs.delete({ id: bug.id })
    await assert.rejects(admin.changelog.publish({ id }), { status: 400, message: /nothing has the number/ })
    assert.equal((await anonymous.changelog.list()).total, 0)
    await admin.changelog.edit({ id, closes: `${feature.number}` })
    await admin.changelog.publish({ id })
    assert.equal((await anonymous.features.get({ id: feature.id })).status, 'shipped')
    await assertSound(world)
  })

  it('is told to webhooks when it is published, and not when it goes before that', (world) =>
    receiving(async (receiver) => {
      world.dependencies.reach = home
      const { admin, app } = world
      await admin.webhooks.create({ url: receiver.url })
      const settle = async () => {
        await app.deliver()
        await app.sendWebhooks()
        return receiver.arrived.map(({ body }) => JSON.parse(body).type)
      }
      const one = await admin.changelog.create({ ...entry, draft: true })
      await admin.changelog.delete({ id: one.id })
      const { id } = await admin.changelog.create({ ...entry, draft: true })
      assert.deepEqual(await settle(), [])
      await admin.changelog.publish({ id })
      assert.deepEqual(await settle(), ['release.created'])
    }))

  it('goes with its author', async (world) => {
    const { moderator, admin, anonymous } = world
    const { id } = await moderator.changelog.create({ ...entry, draft: true })
    const published = await moderator.changelog.create(entry)
    await admin.admin.deleteUser({ id: (await moderator.account()).id, content: 'anonymise', reason: 'Asked for' })
    world.clock.pass(15 * DAY)
    await world.app.work()
    const later = world.person('later')
    await later.account()
    await assert.rejects(later.changelog.get({ id }), { status: 404 })
    assert.equal(await world.db.selectFrom('release').select('id').where('id', '=', id).executeTakeFirst(), undefined)
    assert.equal((await anonymous.changelog.get({ id: published.id })).title, entry.title)
    await assertSound(world)
  })
})

onEveryEngine('an edit of a release', (it) => {
  it('closes what is added to it and tells that, and opens nothing that is taken out', async (world) => {
    const { alice, bob, admin, moderator, anonymous } = world
    const [bug, other, feature] = [
      await alice.bugs.create(crash),
      await alice.bugs.create({ ...crash, title: 'Other' }),
      await alice.features.create(wish),
    ]
    for (const id of [bug.id, other.id]) await bob.bugs.vote({ id, value: 1 })
    const { id } = await moderator.changelog.create({ ...entry, closes: `${bug.number}` })
    assert.deepEqual(await told(world, bob), ['release Crash'])
    await assert.rejects(moderator.changelog.edit({ id, closes: `${bug.number},${feature.number}` }), { status: 403 })
    await assert.rejects(moderator.changelog.edit({ id, closes: '999' }), { status: 400 })
    await assert.rejects(moderator.changelog.edit({ id, date: '2026-02-30' }), { status: 400 })
    assert.equal((await anonymous.changelog.revisions({ id })).total, 0)
    const edited = await moderator.changelog.edit({ id, closes: `#${other.number}`, date: '2026-11-01' })
    assert.deepEqual([edited.closes, edited.date], [`${other.number}`, '2026-11-01'])
    const statuses = await Promise.all([bug, other].map(async (one) => (await anonymous.bugs.get(one)).status))
    assert.deepEqual(statuses, ['resolved', 'resolved'])
    assert.deepEqual(await told(world, bob), ['release Crash', 'release Other'])
    const [revision] = (await anonymous.changelog.revisions({ id })).items
    assert.deepEqual(revision?.changes.map(({ field }) => field).sort(), ['closes', 'date'])
    await admin.changelog.edit({ id, closes: `${other.number},${feature.number}` })
    assert.equal((await anonymous.features.get({ id: feature.id })).status, 'shipped')
    // A moderator leaves what is there, and an edit of the text alone closes nothing.
    await admin.bugs.triage({ id: other.id, status: 'open' })
    await moderator.changelog.edit({ id, title: 'Said better' })
    assert.equal((await anonymous.bugs.get({ id: other.id })).status, 'open')
    assert.equal((await anonymous.changelog.get({ id })).closes, `${other.number},${feature.number}`)
    await assertSound(world)
  })
})
