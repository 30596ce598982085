// Sample data: made with the first admin, and removed in one go, but for what members use. On SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { newBrowser } from '../../../test/visitors.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { renewSetupLink } from '../../accounts/setup/setup.ts'
import { required } from '../../runtime/untyped.ts'

const BOSS = 'boss@example.com'

/** The first admin of an instance with sample data, or without. */
async function setUp(world: World, samples?: 'en' | 'de'): Promise<Person> {
  const link = required(await renewSetupLink(world.dependencies))
  const token = required(new URL(link).searchParams.get('token') ?? undefined)
  const boss = newBrowser(world)
  await boss.setup.sendCode({ token, email: BOSS })
  const settings = { SITE_NAME: 'Acme Lab', HOME_TEXTS: '{"text":"For friends"}' }
  await boss.setup.finish({ token, email: BOSS, code: await world.code(BOSS), settings, samples })
  await world.dependencies.settings.reload()
  return boss
}

const titles = async ({ feed }: Person) => (await feed.list()).items.map(({ title }) => title)

onEveryEngine('sample data', (it) => {
  it('is a welcome, three labels, two bugs and a request, in the language of the set-up', async (world) => {
    const boss = await setUp(world, 'de')
    assert.deepEqual(await boss.samples.get(), { count: 7 })
    const found = await titles(world.anonymous)
    assert.equal(found.length, 4)
    assert.ok(found.includes('Willkommen bei Acme Lab'))
    assert.equal((await world.anonymous.labels.list()).total, 3)
    const { items } = await world.anonymous.bugs.list()
    assert.deepEqual(
      items.map(({ labels }) => labels.length),
      [1, 1],
    )
    assert.equal((await world.anonymous.bugs.list({ label: 'gestaltung' })).total, 1)
    assert.ok((await world.anonymous.search.find({ q: 'Kalender' })).items.length > 0)
    assert.equal(world.dependencies.config.homeTexts.text, 'For friends')
  })

  it('is not there unless it was asked for', async (world) => {
    const boss = await setUp(world)
    assert.deepEqual(await boss.samples.get(), { count: 0 })
    assert.deepEqual(await titles(boss), [])
    assert.deepEqual(await boss.samples.remove(), { removed: 0, kept: [] })
    const { items } = await boss.admin.listAudit()
    assert.ok(items.every(({ action }) => action !== 'sample.remove'))
  })

  it('goes in one go, with its entry in the audit log', async (world) => {
    const boss = await setUp(world, 'en')
    const before = await world.db.selectFrom('counter').select(['key', 'count']).where('count', '>', 0).execute()
    assert.ok(before.length > 0)
    assert.deepEqual(await boss.samples.remove(), { removed: 7, kept: [] })
    assert.deepEqual(await titles(boss), [])
    assert.equal((await boss.labels.list()).total, 0)
    assert.deepEqual(await boss.samples.get(), { count: 0 })
    const { items } = await boss.admin.listAudit()
    assert.equal(items[0]?.action, 'sample.remove')
    for (const table of ['sample', 'feedEntry', 'bugLabel', 'label', 'searchDocument'] as const)
      assert.deepEqual(await world.db.selectFrom(table).selectAll().execute(), [], table)
    const left = await world.db.selectFrom('counter').select('key').where('count', '>', 0).execute()
    assert.deepEqual(left, [{ key: 'account/all/admin/open/' }], 'only the admin is counted')
  })

  it('keeps what was voted for, commented on, edited or decided, and the labels of it', async (world) => {
    const { alice } = world
    const boss = await setUp(world, 'en')
    const [first, second] = (await boss.bugs.list()).items
    const [post] = (await boss.posts.list()).items
    const [wish] = (await boss.features.list()).items
    await alice.bugs.vote({ id: required(first).id, value: 1 })
    await boss.bugs.triage({ id: required(second).id, status: 'in_progress', reason: null })
    await alice.posts.comment({ id: required(post).id, body: 'Hello' })
    await boss.features.edit({ id: required(wish).id, title: 'Ours now' })
    const { removed, kept } = await boss.samples.remove()
    assert.equal(removed, 0)
    assert.deepEqual(kept.map(({ type }) => type).toSorted(), [
      'bug',
      'bug',
      'feature',
      'label',
      'label',
      'label',
      'post',
    ])
    assert.ok(kept.every(({ href }) => href.startsWith(world.dependencies.config.baseUrl)))
    assert.equal((await titles(boss)).length, 4)
    assert.deepEqual(await boss.samples.remove(), { removed: 0, kept: [] })
    assert.equal((await titles(boss)).length, 4)
  })

  it('keeps what was edited and put back, decided and put back, moved, or labelled by members', async (world) => {
    const boss = await setUp(world, 'en')
    const [first, second] = (await boss.bugs.list()).items
    const [post] = (await boss.posts.list()).items
    const [wish] = (await boss.features.list()).items
    const { id, title } = required(post)
    await boss.posts.edit({ id, title: 'For a moment' })
    await boss.posts.edit({ id, title })
    for (const status of ['in_progress', 'open'] as const)
      await boss.bugs.triage({ id: required(first).id, status, reason: null })
    const board = await boss.boards.create({ name: 'Other', slug: 'other' })
    await boss.boards.move({ type: 'bug', id: required(second).id, board: board.slug })
    const label = await boss.labels.create({ name: 'ours', color: '#123456' })
    await boss.features.attachLabel({ id: required(wish).id, labelId: label.id })
    const { kept } = await boss.samples.remove()
    assert.equal(kept.filter(({ type }) => type !== 'label').length, 4)
  })

  it('keeps a label that something else has, and forgets what is gone', async (world) => {
    const boss = await setUp(world, 'en')
    const [label] = (await boss.labels.list()).items
    const own = await world.alice.bugs.create({ title: 'Own', description: 'Bug', severity: 'low' })
    await boss.bugs.attachLabel({ id: own.id, labelId: required(label).id })
    const [post] = (await boss.posts.list()).items
    await boss.posts.delete({ id: required(post).id, reason: null })
    const { removed, kept } = await boss.samples.remove()
    assert.deepEqual([removed, kept.map(({ title }) => title)], [5, [required(label).name]])
    assert.deepEqual(await titles(boss), ['Own'])
  })

  it('is removed once by two at once, and by admins alone', async (world) => {
    const { alice, moderator, anonymous, blocked } = world
    const boss = await setUp(world, 'en')
    for (const person of [alice, moderator, blocked]) {
      await assert.rejects(person.samples.remove(), { status: 403 })
      await assert.rejects(person.samples.get(), { status: 403 })
    }
    await assert.rejects(anonymous.samples.remove(), { status: 401 })
    const both = await Promise.all([boss.samples.remove(), boss.samples.remove()])
    assert.deepEqual(
      both.map(({ removed }) => removed).toSorted((one, other) => one - other),
      [0, 7],
    )
  })
})
