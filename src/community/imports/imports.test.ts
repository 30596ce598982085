// Imports from other trackers, through the operations of admins.
import assert from 'node:assert/strict'
import { signInAgain } from '../../../test/erasure.ts'
import { dumpOfImport, manyRecords } from '../../../test/import-records.ts'
import { complaintsOf } from '../../../test/sound.ts'
import { newBrowser } from '../../../test/visitors.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { engineOf } from '../../database/engine.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { GivenRecord } from '../../formats/imports/record.ts'
import { runImport } from './imports.ts'

const at = (day: number) => `2024-03-${String(day).padStart(2, '0')}T10:00:00Z`

const records: GivenRecord[] = [
  { type: 'person', id: 'u1', username: 'Weaver', name: 'Wanda Weaver', email: 'wanda@example.com' },
  { type: 'person', id: 'u2', username: 'admin' },
  { type: 'person', id: 'u3', username: 'silent' },
  { type: 'label', name: 'Looms', color: '#aabbcc', description: 'All about looms' },
  {
    ...{ type: 'thing', id: 'i7', kind: 'bug', number: 7, url: 'https://github.com/acme/looms/issues/7', author: 'u1' },
    ...{ title: 'It stops', text: 'See #9, #8 and `#9`; https://github.com/acme/looms/issues/9 too.', state: 'done' },
    ...{ labels: ['Looms', 'a name that is much longer than thirty characters'], createdAt: at(7), severity: 'high' },
  },
  {
    ...{
      type: 'thing',
      id: 'i9',
      kind: 'feature',
      number: 9,
      url: 'https://github.com/acme/looms/issues/9',
      author: 'u2',
    },
    ...{ title: 'T'.repeat(150), text: `${'Long. '.repeat(400)}end`, state: 'planned', labels: [], createdAt: at(9) },
  },
  { type: 'thing', id: 'd1', kind: 'post', title: 'Hello', text: '', createdAt: at(3), isLocked: true },
  { type: 'comment', id: 'c1', thing: 'i7', author: 'u2', text: 'The same here', createdAt: at(8) },
  {
    type: 'comment',
    id: 'c2',
    thing: 'i7',
    parent: 'c1',
    author: 'u1',
    text: 'Thanks',
    createdAt: at(9),
    isSolution: true,
  },
  { type: 'comment', id: 'c3', thing: 'gone', text: 'On nothing', createdAt: at(9) },
  { type: 'vote', thing: 'i7', person: 'u2', value: 1 },
  { type: 'vote', thing: 'i9', person: 'u1', value: -1 },
  { type: 'left out', what: 'pull requests', count: 3 },
]

const noPictures = { pictures: 0, picturesLeft: 0 }

const fileOf = (all: readonly object[]) => new File([all.map((one) => JSON.stringify(one)).join('\n')], 'records.jsonl')

const read = ({ admin }: World, all: readonly object[] = records, more: object = {}) =>
  admin.imports.read({ source: 'guildhall', name: 'acme/looms', files: [fileOf(all)], ...more })

async function brought(world: World, all?: readonly object[]) {
  const { id } = await read(world, all)
  await world.admin.imports.start({ id })
  await world.app.imports()
  return world.admin.imports.get({ id })
}

onEveryEngine('an import', (it) => {
  it('says what will become of what was read, and writes nothing before it is started', async (world) => {
    const { state, report, total } = await read(world)
    assert.equal(state, 'staged')
    assert.deepEqual([report.bugs, report.features, report.posts, report.comments, report.votes], [1, 1, 1, 3, 2])
    assert.deepEqual([report.long, report.withoutAuthor, report.doubled, report.already, total], [1, 2, 0, 0, 8])
    assert.deepEqual(report.leftOut, [
      { what: 'pull requests', count: 3 },
      { what: 'comments on what is not in the files', count: 1 },
    ])
    assert.equal((await world.admin.bugs.list({})).total, 0)
    assert.equal((await world.admin.admin.listUsers({ q: 'wanda' })).total, 0)
  })

  it('brings things with their times, authors, states, labels, votes and comments', async (world) => {
    const { anonymous } = world
    const { state, done } = await brought(world)
    assert.equal(state, 'done')
    assert.deepEqual(done, {
      things: 3,
      comments: 2,
      votes: 2,
      people: 2,
      matched: 0,
      labels: 2,
      skipped: 1,
      ...noPictures,
    })
    const [bug] = (await anonymous.bugs.list({})).items
    const [feature] = (await anonymous.features.list({})).items
    const [post] = (await anonymous.posts.list({})).items
    assert.ok(bug && feature && post)
    assert.deepEqual(
      [bug.title, bug.status, bug.severity, bug.createdAt, bug.score, bug.commentCount, bug.authorUsername],
      ['It stops', 'resolved', 'high', '2024-03-07T10:00:00.000Z', 1, 2, 'Weaver'],
    )
    const address = `/community/features/${feature.id}`
    assert.ok(address)
    assert.equal(
      bug.description,
      `See #${feature.number}, [#8](https://github.com/acme/looms/issues/8) and \`#9\`; #${feature.number} too.`,
    )
    assert.deepEqual(bug.labels.map(({ name }) => name).sort(), ['Looms', 'a name that is much longer th…'])
    assert.deepEqual([feature.status, feature.score, feature.authorUsername], ['planned', -1, 'admin-2'])
    assert.deepEqual([feature.title.length, feature.title.at(-1), feature.description.length], [100, '…', 1_000])
    assert.ok(feature.description.startsWith(`${'T'.repeat(150)}\n\nLong.`))
    assert.deepEqual([post.body, post.authorUsername ?? null], ['(no text)', null])
    const { items } = await anonymous.bugs.comments({ id: bug.id })
    assert.deepEqual(
      items.map(({ body, authorUsername, parentId }) => [body, authorUsername, parentId === null]),
      [
        ['The same here', 'admin-2', true],
        ['Thanks', 'Weaver', false],
      ],
    )
    assert.equal((await anonymous.bugs.get({ id: bug.id })).solution, items[1]?.id)
    await assert.rejects(world.bob.posts.comment({ id: post.id, body: 'Late' }), { status: 403, message: 'Locked' })
    assert.deepEqual(await complaintsOf(world), [])
    assert.equal((await world.db.selectFrom('importRecord').select('sortKey').execute()).length, 0)
  })

  it('notifies nobody, and is found by its words', async (world) => {
    await brought(world)
    await world.app.deliver()
    assert.deepEqual(await world.mails('wanda@example.com'), [])
    assert.deepEqual((await world.admin.notifications.list({})).items, [])
    const { items } = await world.anonymous.search.find({ q: 'It stops' })
    assert.ok(items.some(({ type }) => type === 'bug'))
  })

  it('is found by the address and the number that a thing had there, also after it was merged', async (world) => {
    const { anonymous, moderator } = world
    const { id } = await brought(world)
    const origin = (await anonymous.bugs.list({})).items[0]!
    const { importedFrom } = await anonymous.bugs.get({ id: origin.id })
    const { name, number, url } = importedFrom!
    const idsOf = async (q: string) => (await anonymous.search.find({ q })).items.map((hit) => hit.id)
    assert.deepEqual(await idsOf(`${name}#${number}`), [origin.id])
    for (const written of [url!, `${url}/`, `${url}#comment`]) assert.equal((await idsOf(written))[0], origin.id)
    assert.ok(!(await idsOf(`${name}#${number! + 1_000}`)).includes(origin.id))
    assert.ok(!(await idsOf(`other/place#${number}`)).includes(origin.id))
    // The highest number of a source, and what no column holds.
    for (const none of [2_000_000_000, 2_000_000_001, 2_147_483_648, 9_999_999_999]) await idsOf(`${name}#${none}`)
    const other = await moderator.bugs.create({ title: 'Other', description: 'D', severity: 'low' })
    await moderator.bugs.merge({ id: origin.id, into: other.id, reason: 'The same' })
    await world.app.deliver()
    assert.deepEqual(await idsOf(`${name}#${number}`), [other.id])
    assert.equal((await world.admin.imports.get({ id })).state, 'done')
  })

  it('brings only what is new when it comes again, and leaves what members made of it', async (world) => {
    await brought(world)
    const [bug] = (await world.anonymous.bugs.list({})).items
    await world.moderator.bugs.edit({ id: bug!.id, title: 'Edited here' })
    const [post] = (await world.anonymous.posts.list({})).items
    await world.moderator.posts.delete({ id: post!.id })
    const more = [...records, { type: 'comment', id: 'c9', thing: 'i7', author: 'u3', text: 'New', createdAt: at(20) }]
    const { done, report } = await brought(world, more)
    assert.deepEqual([report.already, done.things, done.comments, done.votes, done.people], [5, 0, 1, 0, 1])
    const again = await world.anonymous.bugs.get({ id: bug!.id })
    assert.deepEqual([again.title, again.commentCount], ['Edited here', 3])
    assert.equal((await world.anonymous.posts.list({})).total, 0)
    assert.deepEqual(await complaintsOf(world), [])
  })

  it('is taken back as a whole, with its people and labels, but for what others use', async (world) => {
    const { admin, bob, app } = world
    const own = await bob.bugs.create({ title: 'Ours', description: 'D', severity: 'low' })
    const { id } = await brought(world)
    const label = (await admin.labels.list({})).items.find(({ name }) => name === 'Looms')
    await admin.bugs.attachLabel({ id: own.id, labelId: label!.id })
    await admin.imports.revert({ id })
    await app.imports()
    assert.equal((await admin.imports.get({ id })).state, 'reverted')
    assert.deepEqual(
      (await admin.bugs.list({})).items.map(({ title }) => title),
      ['Ours'],
    )
    assert.deepEqual([(await admin.features.list({})).total, (await admin.posts.list({})).total], [0, 0])
    assert.deepEqual(
      (await admin.labels.list({})).items.map(({ name }) => name),
      ['Looms'],
    )
    assert.equal((await admin.admin.listUsers({ q: 'wanda' })).total, 0)
    assert.equal((await world.db.selectFrom('fullText').select('thingId').execute()).length, 0)
    assert.deepEqual(await complaintsOf(world), [])
    // Nothing of it counts as brought: it can come again.
    assert.equal((await brought(world)).done.things, 3)
  })

  it('gives a person to who has proven the address, and else to who enters by a mailed code', async (world) => {
    const { alice, db } = world
    await alice.account()
    await alice.accounts.verifyEmail({ code: await world.code(alice.email) })
    const people = [
      { type: 'person', id: 'a', username: 'somebody', email: alice.email.toUpperCase() },
      { type: 'person', id: 'w', username: 'wanda', email: 'wanda@example.com' },
      { type: 'thing', id: '1', kind: 'post', title: 'One', text: 'T', author: 'a', createdAt: at(1) },
      { type: 'thing', id: '2', kind: 'post', title: 'Two', text: 'T', author: 'w', createdAt: at(2) },
    ]
    const { done } = await brought(world, people)
    assert.deepEqual([done.matched, done.people], [1, 1])
    const me = await alice.profile.me()
    const [two, one] = (await alice.posts.list({})).items
    assert.deepEqual([one?.authorId, two?.authorUsername], [me.id, 'wanda'])
    // Nobody signs in to it with a password, and a sign-up does not take it.
    const row = await db
      .selectFrom('user')
      .select(['passwordHash', 'emailVerifiedAt'])
      .where('id', '=', two!.authorId)
      .executeTakeFirst()
    assert.deepEqual(row, { passwordHash: null, emailVerifiedAt: null })
    const wanda = newBrowser(world)
    await wanda.accounts.sendCode({ email: 'wanda@example.com' })
    await wanda.accounts.signInWithCode({ email: 'wanda@example.com', code: await world.code('wanda@example.com') })
    assert.equal((await wanda.profile.me()).id, two!.authorId)
  })

  it('leads from old numbers and addresses to what is here, and to nothing that is not', async (world) => {
    await brought(world)
    const { anonymous, moderator } = world
    const [bug] = (await anonymous.bugs.list({})).items
    const [feature] = (await anonymous.features.list({})).items
    const byNumber = { source: 'guildhall', name: 'acme/looms', number: 7 } as const
    assert.equal((await anonymous.imports.locate(byNumber)).id, bug!.id)
    assert.equal((await anonymous.imports.locate({ url: 'https://github.com/acme/looms/issues/9' })).id, feature!.id)
    const page = await anonymous.request('/imported/guildhall/acme/looms/7', { redirect: 'manual' })
    assert.deepEqual([page.status, page.headers.get('location')], [301, `/community/bugs/${bug!.id}`])
    assert.equal((await anonymous.request('/imported/guildhall/acme/looms/8', { redirect: 'manual' })).status, 404)
    for (const wrong of [{}, { source: 'github', number: 7 } as const, { name: 'acme/looms', number: 7 }])
      await assert.rejects(anonymous.imports.locate(wrong), { status: 404 })
    for (const other of [{ ...byNumber, number: 8 }, { ...byNumber, name: 'acme' }, { url: 'https://example.com/' }])
      await assert.rejects(anonymous.imports.locate(other), { status: 404 })
    await moderator.bugs.delete({ id: bug!.id })
    await assert.rejects(anonymous.imports.locate(byNumber), { status: 404 })
  })

  it('keeps long texts whole until they are edited', async (world) => {
    await brought(world)
    const { anonymous, moderator, db } = world
    const [listed] = (await anonymous.features.list({})).items
    assert.ok(listed && listed.fullText === undefined)
    const one = await anonymous.features.get({ id: listed.id })
    assert.deepEqual([one.fullText?.length, one.fullText?.slice(0, 999)], [2_555, one.description.slice(0, 999)])
    const { importedFrom } = await anonymous.features.get({ id: one.id })
    const url = 'https://github.com/acme/looms/issues/9'
    assert.deepEqual(importedFrom, { source: 'guildhall', name: 'acme/looms', number: 9, url })
    const page = await (await anonymous.request(`/community/features/${one.id}`)).text()
    assert.match(page, /Long\. end/)
    assert.match(page, /acme\/looms #9/)
    assert.equal((await anonymous.features.list({ q: 'Long end' })).total, 1)
    await moderator.features.edit({ id: one.id, title: 'Another title' })
    assert.equal((await anonymous.features.get({ id: one.id })).fullText?.length, 2_555)
    assert.deepEqual(await complaintsOf(world), [])
    await moderator.features.edit({ id: one.id, description: 'Short' })
    const edited = await anonymous.features.get({ id: one.id })
    assert.deepEqual([edited.description, edited.fullText], ['Short', undefined])
    assert.deepEqual(await db.selectFrom('fullText').select('thingId').execute(), [])
    assert.deepEqual(await complaintsOf(world), [])
  })

  it('is read and stepped by admins alone, in the order of its states', async (world) => {
    const { admin, moderator, bob, anonymous } = world
    const { id } = await read(world)
    for (const [person, status] of [
      [moderator, 403],
      [bob, 403],
      [anonymous, 401],
    ] as const) {
      const given = { source: 'guildhall' as const, name: 'x', files: [fileOf(records)] }
      await assert.rejects(person.imports.read(given), { status })
      await assert.rejects(person.imports.list(), { status })
      for (const step of ['get', 'start', 'pause', 'revert'] as const)
        await assert.rejects(person.imports[step]({ id }), { status })
    }
    await assert.rejects(admin.imports.start({ id: '01a1fb4e-bb9a-7544-87a4-2785318c8f22' }), { status: 404 })
    await assert.rejects(admin.imports.pause({ id }), { status: 409 })
    await admin.imports.start({ id })
    await assert.rejects(admin.imports.start({ id }), { status: 409 })
    await admin.imports.pause({ id })
    await world.app.imports()
    assert.equal((await admin.bugs.list({})).total, 0)
    await admin.imports.start({ id })
    await world.app.imports()
    assert.equal((await admin.imports.get({ id })).state, 'done')
    await admin.imports.revert({ id })
    await world.app.imports()
    await assert.rejects(admin.imports.revert({ id }), { status: 409 })
  })

  it('fails after ten attempts at a batch, and goes on there when it is started again', async (world) => {
    const { admin, app, clock, db } = world
    const { id } = await read(world)
    await admin.imports.start({ id })
    const key = 'importRecord'
    await db.updateTable(key).set({ body: '{' }).where('sortKey', 'like', '3 %').execute()
    for (let attempt = 1; attempt <= 10; attempt++) {
      assert.equal((await admin.imports.get({ id })).state, 'running', `attempt ${attempt}`)
      await app.imports().catch(() => undefined)
      clock.pass(600)
    }
    const { state, error } = await admin.imports.get({ id })
    assert.deepEqual([state, error?.startsWith('A batch failed ten times')], ['failed', true])
    assert.equal((await admin.bugs.list({})).total, 1)
    await db.deleteFrom(key).where('sortKey', 'like', '3 %').execute()
    await admin.imports.start({ id })
    await app.imports()
    assert.equal((await admin.imports.get({ id })).state, 'done')
  })

  it('gives new numbers where others write before the first one, and keeps those of an empty instance', async (world) => {
    const { admin, bob, app } = world
    const numbered = manyRecords(5)
    const kept = await brought(world, numbered)
    assert.equal(kept.report.keepsNumbers, true)
    assert.deepEqual((await admin.bugs.list({})).items.map(({ number }) => number).sort(), [1, 2, 3, 4, 5])
    const next = await bob.bugs.create({ title: 'Ours', description: 'D', severity: 'low' })
    assert.equal(next.number, 6)
    await admin.imports.revert({ id: kept.id })
    await app.imports()
    await admin.bugs.delete({ id: next.id })
    const { id, report } = await read(world, numbered)
    assert.equal(report.keepsNumbers, true)
    const first = await bob.bugs.create({ title: 'First', description: 'D', severity: 'low' })
    await admin.imports.start({ id })
    await app.imports()
    const numbers = (await admin.bugs.list({})).items.map(({ number }) => number).sort((one, other) => one - other)
    assert.deepEqual(
      numbers,
      [0, 1, 2, 3, 4, 5].map((n) => first.number + n),
    )
    assert.deepEqual(await complaintsOf(world), [])
  })

  it('that was read is forgotten after a month, also where its process ended, and can be taken back before', async (world) => {
    const { admin, app, clock, db } = world
    const { id } = await read(world)
    clock.pass(29 * 86_400)
    await app.cleanUp()
    await signInAgain(admin)
    const again = await read(world)
    await db.updateTable('import').set({ report: '{}' }).where('id', '=', again.id).execute()
    await assert.rejects(admin.imports.start({ id: again.id }), { status: 409 })
    assert.equal((await admin.imports.list()).items.length, 2)
    clock.pass(2 * 86_400)
    await app.cleanUp()
    assert.deepEqual(
      (await admin.imports.list()).items.map((one) => one.id),
      [again.id],
    )
    await assert.rejects(admin.imports.get({ id }), { status: 404 })
    await admin.imports.revert({ id: again.id })
    await app.imports()
    assert.equal((await admin.imports.get({ id: again.id })).state, 'reverted')
  })

  it('comes again where a label was renamed here, and makes it no second time', async (world) => {
    const { admin } = world
    const thing = (id: string, name: string) => ({
      type: 'thing',
      id,
      kind: 'bug',
      title: id,
      text: 'T',
      labels: [name],
      createdAt: at(1),
    })
    await brought(world, [thing('1', 'Looms'), thing('2', 'Threads')])
    const named = async (name: string) => (await admin.labels.list({})).items.find((one) => one.name === name)
    const looms = await named('Looms')
    await admin.labels.update({ id: looms!.id, name: 'Machines' })
    const { state } = await brought(world, [thing('3', 'Looms'), thing('4', 'Threads')])
    assert.equal(state, 'done')
    const labelsOf = async (title: string) =>
      (await admin.bugs.list({})).items.find((one) => one.title === title)?.labels.map(({ name }) => name)
    assert.deepEqual([await labelsOf('3'), await labelsOf('4')], [['Machines'], ['Threads']])
  })

  it('takes back its votes and what was merged here too', async (world) => {
    const { admin, bob, moderator, app, db } = world
    const own = await bob.bugs.create({ title: 'Ours', description: 'D', severity: 'low' })
    const first = [
      {
        type: 'thing',
        id: 'a',
        kind: 'bug',
        title: 'Old',
        text: `${'Words of Zwielicht. '.repeat(80)}`,
        createdAt: at(1),
      },
    ]
    const one = await brought(world, first)
    const second = await brought(world, [
      ...first,
      { type: 'person', id: 'p', username: 'voter' },
      { type: 'vote', thing: 'a', person: 'p', value: 1 },
    ])
    const [old] = (await admin.bugs.list({})).items.filter(({ title }) => title === 'Old')
    assert.equal(old?.score, 1)
    await admin.imports.revert({ id: second.id })
    await app.imports()
    assert.equal((await admin.bugs.get({ id: old!.id })).score, 0)
    assert.equal((await admin.admin.listUsers({ q: 'voter' })).total, 0)
    await moderator.bugs.merge({ id: old!.id, into: own.id, reason: 'The same' })
    await app.deliver()
    const where = { source: 'guildhall', name: 'acme/looms' } as const
    await assert.rejects(admin.imports.locate({ ...where, number: 1 }), { status: 404 })
    await admin.imports.revert({ id: one.id })
    await app.imports()
    assert.equal((await admin.imports.get({ id: one.id })).state, 'reverted')
    const texts = await db.selectFrom('mergedThing').select('text').execute()
    assert.ok(!JSON.stringify(texts).includes('Zwielicht'))
    assert.deepEqual(await db.selectFrom('fullText').select('thingId').execute(), [])
    assert.deepEqual(await complaintsOf(world), [])
  })

  it('names people of other scripts, many of the same name', async (world) => {
    const people = Array.from({ length: 40 }, (_, n) => ({ type: 'person', id: `p${n}`, username: '李雷' }))
    const things = people.map(({ id }, n) => ({
      type: 'thing',
      id: `t${n}`,
      kind: 'post',
      title: id,
      text: 'T',
      author: id,
      createdAt: at(1),
    }))
    const { state, done } = await brought(world, [...people, ...things])
    assert.deepEqual([state, done.people], ['done', 40])
    const { items } = await world.anonymous.posts.list({ per_page: 50 })
    assert.equal(new Set(items.map(({ authorUsername }) => authorUsername)).size, 40)
    assert.ok(items.every(({ authorUsername }) => /^[\w-]{3,24}$/.test(authorUsername ?? '')))
  })

  it('has numbers of its own where another one runs beside it', async (world) => {
    const { admin, dependencies } = world
    const start = async (name: string) => {
      const { id, report } = await read(world, manyRecords(6), { name })
      assert.equal(report.keepsNumbers, true)
      await admin.imports.start({ id })
      return id
    }
    const both = [await start('one'), await start('two')]
    // A batch of each in turn, as two processes do.
    for (let goesOn = [true, true]; goesOn.some(Boolean); )
      goesOn = [await runImport(dependencies, both[0]!), await runImport(dependencies, both[1]!)]
    const numbers = (await admin.bugs.list({ per_page: 50 })).items.map(({ number }) => number)
    assert.deepEqual([numbers.length, new Set(numbers).size], [12, 12])
    assert.deepEqual(await complaintsOf(world), [])
  })

  it('refuses what is no file of its source, and leaves nothing of it', async (world) => {
    const { admin, db } = world
    for (const [text, message] of [
      ['{"type":"thing"', /records\.jsonl, line 1: is no JSON/],
      [`${JSON.stringify(records[0])}\n{"type":"ghost"}`, /line 2/],
      [JSON.stringify({ ...records[4], createdAt: 'yesterday' }), /createdAt/],
    ] as const) {
      const files = [new File([text], 'records.jsonl')]
      await assert.rejects(admin.imports.read({ source: 'guildhall', name: 'x', files }), { status: 400, message })
    }
    assert.deepEqual(await db.selectFrom('import').select('id').execute(), [])
    assert.deepEqual(await db.selectFrom('importRecord').select('sortKey').execute(), [])
  })

  for (const how of ['in one go', 'by processes that end after each batch']) {
    it(`has the same bytes ${how}`, async (world) => {
      const { id } = await read(world, manyRecords(260))
      await world.admin.imports.start({ id })
      const { dependencies } = world
      for (let goesOn = true; goesOn; ) {
        // What a process did that ended goes with its transaction.
        if (how !== 'in one go') await assert.rejects(runImport({ ...dependencies, db: ending(dependencies.db) }, id))
        goesOn = await runImport(dependencies, id)
      }
      assert.deepEqual(await complaintsOf(world), [])
      const bytes = await dumpOfImport(world.db)
      const before = dumps.get(engineOf(world.db))
      dumps.set(engineOf(world.db), bytes)
      assert.ok(bytes.includes('Bug 259'))
      if (before !== undefined) assert.equal(bytes, before)
    })
  }
})

const dumps = new Map<string, string>()

/** The database of a process that ends before each commit. */
const ending = (db: Db): Db =>
  new Proxy(db, {
    get: (whole, name) =>
      name === 'transaction'
        ? () => ({
            execute: (work: (transaction: Transaction) => Promise<unknown>) =>
              whole.transaction().execute(async (transaction) => {
                await work(transaction)
                throw new Error('The process has ended')
              }),
          })
        : Reflect.get(whole, name, whole),
  })
