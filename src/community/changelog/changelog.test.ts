// The changelog through the front door, on SQLite and on PostgreSQL: who publishes, what is closed, and who is notified.

import assert from 'node:assert/strict'
import { assertSound } from '../../../test/sound.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { numbersIn } from '../../content/references/closing-contract.ts'

const entry = { title: 'Workflows can be paused', body: 'A **paused** workflow keeps its place.' }
const crash = { title: 'Crash', description: 'It stops on start', severity: 'high' } as const
const wish = { title: 'Pause a workflow', description: 'During holidays' }

async function told({ app }: World, person: Person) {
  await app.deliver()
  const { items } = await person.notifications.list({ after: '0' })
  return items.map(({ type, target, status, release }) => `${type} ${target.title} ${status?.to} ${release?.url}`)
}

onEveryEngine('the changelog', (it) => {
  it('is published by moderators, and read, found, voted and commented on by everybody', async (world) => {
    const { alice, moderator, admin, anonymous } = world
    const made = await moderator.changelog.create({ ...entry, version: '2.4.0', date: '2026-11-20' })
    const { id: authorId } = await moderator.account()
    const { id, number, createdAt, ...rest } = made
    assert.deepEqual(rest, { ...entry, version: '2.4.0', date: '2026-11-20', closes: '', authorId, editedAt: null })
    const shown = await anonymous.changelog.get({ id })
    assert.deepEqual([shown.url, shown.closed, shown.number], [`/community/changelog/${id}`, [], number])
    await alice.changelog.vote({ id, value: 1 })
    await alice.changelog.comment({ id, body: 'At last' })
    const { items, total } = await anonymous.changelog.list()
    assert.deepEqual([total, items[0]?.score, items[0]?.commentCount, items[0]?.createdAt], [1, 1, 1, createdAt])
    assert.equal((await anonymous.feed.list({ type: 'release' })).items[0]?.id, id)
    assert.equal((await anonymous.search.find({ q: 'paused workflow' })).items[0]?.id, id)
    assert.equal((await anonymous.references.get({ number })).id, id)
    const edited = await admin.changelog.edit({ id, version: '2.4.1' })
    assert.equal(edited.version, '2.4.1')
    assert.equal((await anonymous.changelog.revisions({ id })).items[0]?.changes[0]?.before, '2.4.0')
    await assertSound(world)
    await moderator.changelog.delete({ id })
    await assert.rejects(anonymous.changelog.get({ id }), { status: 404 })
    const { items: acts } = await admin.admin.listAudit({})
    assert.ok(acts.some(({ action, targetId }) => action === 'release.publish' && targetId === id))
    await assertSound(world)
  })

  it('is not written by others, and has limits', async (world) => {
    const { alice, blocked, anonymous, moderator } = world
    await assert.rejects(anonymous.changelog.create(entry), { status: 401 })
    for (const person of [alice, blocked]) await assert.rejects(person.changelog.create(entry), { status: 403 })
    const { id } = await moderator.changelog.create({
      title: 'x'.repeat(100),
      body: 'x'.repeat(10_000),
      version: 'x'.repeat(50),
    })
    for (const person of [alice, blocked]) {
      await assert.rejects(person.changelog.edit({ id, title: 'X' }), { status: 403 })
      await assert.rejects(person.changelog.delete({ id }), { status: 403 })
    }
    const wrong = [
      ...[
        { title: 'x'.repeat(101) },
        { title: '' },
        { body: 'x'.repeat(10_001) },
        { body: '' },
        { version: 'x'.repeat(51) },
      ],
      ...[{ date: 'yesterday' }, { date: '2026-02-30' }, { closes: 'x' }, { closes: '999' }],
    ]
    for (const more of wrong) await assert.rejects(moderator.changelog.create({ ...entry, ...more }), { status: 400 })
    const today = (await moderator.changelog.create(entry)).date
    assert.equal(today, new Date(world.clock.now()).toISOString().slice(0, 10))
  })

  it('closes bugs and requests, and tells those who follow or voted for them, once each', async (world) => {
    const { alice, bob, admin, person, anonymous } = world
    const [voter, against, muted, off] = ['voter', 'against', 'muted', 'off'].map(person) as [
      Person,
      Person,
      Person,
      Person,
    ]
    const [bug, feature] = [await alice.bugs.create(crash), await alice.features.create(wish)]
    await alice.features.vote({ id: feature.id, value: 1 })
    await bob.bugs.comment({ id: bug.id, body: 'Here too' })
    await voter.features.vote({ id: feature.id, value: 1 })
    await voter.bugs.vote({ id: bug.id, value: 1 })
    await against.features.vote({ id: feature.id, value: -1 })
    await muted.features.vote({ id: feature.id, value: 1 })
    await muted.follows.set({ id: feature.id, state: 'muted' })
    await off.features.vote({ id: feature.id, value: 1 })
    await off.notifications.updateSettings({ release: 'off' })
    const { id, number, closes } = await admin.changelog.create({
      ...entry,
      closes: `#${bug.number}, ${feature.number} #${bug.number}`,
    })
    assert.equal(closes, `${bug.number},${feature.number}`)
    assert.equal((await anonymous.bugs.get({ id: bug.id })).status, 'resolved')
    assert.equal((await anonymous.features.get({ id: feature.id })).status, 'shipped')
    const { items } = await anonymous.features.statusChanges({ id: feature.id })
    assert.deepEqual(
      items.map(({ from, to, reason }) => [from, to, reason]),
      [['open', 'shipped', `Released with #${number}`]],
    )
    const { closed } = await anonymous.changelog.get({ id })
    assert.deepEqual(
      closed.map((one) => [one.type, one.title]),
      [
        ['bug', 'Crash'],
        ['feature', 'Pause a workflow'],
      ],
    )
    const url = `/community/changelog/${id}`
    const [ofBug, ofFeature] = [`release Crash resolved ${url}`, `release Pause a workflow shipped ${url}`]
    assert.deepEqual(await told(world, voter), [ofBug, ofFeature])
    assert.deepEqual((await told(world, alice)).slice(-2), [ofBug, ofFeature])
    assert.deepEqual(await told(world, bob), [ofBug])
    for (const one of [against, muted, off, admin]) assert.deepEqual(await told(world, one), [])
    await assertSound(world)
  })

  it('is not named by what it closes while it is in a closed board', async (world) => {
    const { alice, admin, anonymous } = world
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
    const open = await alice.bugs.create(crash)
    const { id } = await admin.changelog.create({ ...entry, board: 'staff', closes: String(open.number) })
    const changes = (await anonymous.bugs.statusChanges({ id: open.id })).items
    assert.deepEqual(
      changes.map(({ to, reason }) => [to, reason]),
      [['resolved', 'Released']],
    )
    assert.deepEqual((await told(world, alice)).slice(-1), ['release Crash resolved undefined'])
    const { items } = await alice.notifications.list({})
    assert.doesNotMatch(JSON.stringify(items), new RegExp(id))
  })

  it('mails voters in the daily digest, once', async (world) => {
    const { alice, bob, admin, app, clock, db, mails } = world
    const feature = await alice.features.create(wish)
    await bob.features.vote({ id: feature.id, value: 1 })
    await db
      .updateTable('user')
      .set({ emailVerifiedAt: new Date().toISOString() })
      .where('email', '=', bob.email)
      .execute()
    const { id } = await admin.changelog.create({ ...entry, closes: String(feature.number) })
    await app.deliver()
    const before = (await mails(bob.email)).length
    for (let day = 0; day < 3; day++) {
      clock.pass(86_400)
      await app.deliver()
    }
    const after = (await mails(bob.email)).slice(before)
    assert.equal(after.length, 1)
    assert.match(after[0]!.body, /shipped what you wait for: "Pause a workflow"/)
    assert.match(after[0]!.body, new RegExp(`open is now shipped\\nWhat is new: http.*/community/changelog/${id}`))
  })

  it('tells of what was shipped before as well, and changes nothing else', async (world) => {
    const { alice, bob, admin, anonymous } = world
    const feature = await alice.features.create(wish)
    await bob.features.vote({ id: feature.id, value: 1 })
    await admin.features.setStatus({ id: feature.id, status: 'shipped' })
    await admin.changelog.create({ ...entry, closes: String(feature.number) })
    assert.equal((await told(world, bob)).length, 1)
    assert.equal((await anonymous.features.statusChanges({ id: feature.id })).total, 1)
  })

  it('closes only what its writer may, and nothing when one of them is wrong', async (world) => {
    const { alice, moderator, admin, anonymous } = world
    const [bug, feature, post] = [
      await alice.bugs.create(crash),
      await alice.features.create(wish),
      await alice.posts.create({ title: 'Hello', body: 'World' }),
    ]
    const closing = (...numbers: number[]) => ({ ...entry, closes: numbers.join() })
    await assert.rejects(moderator.changelog.create(closing(bug.number, feature.number)), { status: 403 })
    await assert.rejects(admin.changelog.create(closing(bug.number, post.number)), {
      status: 400,
      message: /has no status/,
    })
    assert.equal((await anonymous.changelog.list()).total, 0)
    assert.equal((await anonymous.bugs.get({ id: bug.id })).status, 'open')
    await moderator.changelog.create(closing(bug.number))
    assert.equal((await anonymous.bugs.get({ id: bug.id })).status, 'resolved')
  })

  it('names 50 things at most', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => n + 1).join()
    assert.equal(numbersIn(many(50))?.length, 50)
    assert.equal(numbersIn(many(51)), undefined)
    assert.deepEqual(numbersIn(''), [])
    assert.deepEqual(numbersIn(' #1,\n2  #2 '), [1, 2])
    for (const text of ['1;2', '#', '-1', '0', '1.5']) assert.equal(numbersIn(text), undefined, text)
  })
})
