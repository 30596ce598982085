// What items name, and which items use them, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { automationFile, orgFile, workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { createApp } from '../../app.ts'
import { checkUses } from '../library.ts'
import { MAX_USERS } from './user-queries.ts'

const automation = (person: Person, id = 'harbor-board', visibility: 'public' | 'private' = 'public') =>
  person.library.publish({ kind: 'automation', file: automationFile({ id }), visibility })
/** A workflow that requires automations. */
const naming = (names: readonly string[]) =>
  workflowFile({ automations: {}, unbundledAutomations: Object.fromEntries(names.map((name) => [name, {}])) })
const user = (person: Person, names: readonly string[], visibility: 'public' | 'private' = 'public') =>
  person.library.publish({ kind: 'workflow', file: naming(names), visibility })

const usersOf = async (person: Person, id: string) => {
  const { items, total } = await person.library.usedBy({ id })
  return [items.map((one) => one.id), total]
}
const named = async (person: Person, id: string, version?: string) => {
  const { items } = await person.library.dependencies({ id, ...(version && { version }) })
  return items.map(({ kind, slug, item }) => [`${kind}/${slug}`, item && `${item.kind}/${item.slug}`])
}

onEveryEngine('what an item names', (it) => {
  it('is told with the item of each name, where the caller sees one', async ({ alice, bob, anonymous }) => {
    const board = await automation(alice)
    await automation(alice, 'secret-board', 'private')
    const { id, slug } = await user(bob, ['harbor-board', 'secret-board', 'no-such-board'])
    for (const person of [anonymous, bob]) {
      assert.deepEqual(await named(person, id), [
        ['automation/harbor-board', 'automation/harbor-board'],
        ['automation/secret-board', null],
        ['automation/no-such-board', null],
      ])
    }
    assert.deepEqual((await named(alice, id))[1], ['automation/secret-board', 'automation/secret-board'])
    const { version, items } = await anonymous.library.findDependencies({ kind: 'workflow', slug })
    const { username, name } = await alice.account()
    assert.deepEqual(
      [version, items[0]?.item],
      [
        '1.0.0',
        {
          ...{ id: board.id, kind: 'automation', slug: 'harbor-board', name: board.name, version: board.version },
          owner: { id: board.owner.id, username, name },
          ...{ url: board.url, href: board.href },
        },
      ],
    )
    await alice.library.deprecate({ id: board.id, deprecated: true })
    assert.equal((await anonymous.library.dependencies({ id })).items[0]?.item?.deprecated, true)
  })

  it('is what the texts of a workflow name too, in the order of the file', async ({ alice, bob }) => {
    const org = await bob.library.publish({ kind: 'org', file: orgFile({ name: 'Desk' }), visibility: 'public' })
    const node = (id: string, config: object) => ({ id, type: 'run', name: id, config })
    const file = workflowFile({
      description: 'workflow/in-words is no name, but in the middle of words',
      nodes: [node('a', { org: 'orgs/desk@^1' }), node('b', { of: ['workflow/other', 'automation/z-board'] })],
      automations: { 'z-board': {}, 'b-board': {} },
      unbundledAutomations: { 'a-board': {}, 'z-board': {} },
    })
    const { id } = await alice.library.publish({ kind: 'workflow', file, visibility: 'public' })
    assert.deepEqual(await named(alice, id), [
      ['org/desk', 'org/desk'],
      ['workflow/other', null],
      ['automation/z-board', null],
      ['automation/b-board', null],
      ['automation/a-board', null],
    ])
    assert.deepEqual(await usersOf(bob, org.id), [[id], 1])
    const names = Array.from({ length: 101 }, (_, n) => `workflow/w${String(100 - n).padStart(3, '0')}`)
    const many = workflowFile({ nodes: [node('a', { names })], automations: { 'y-board': {} } })
    const { id: other } = await alice.library.publish({ kind: 'workflow', file: many })
    const all = (await named(alice, other)).map(([name]) => name)
    assert.deepEqual(all, [...names.slice(0, 100), 'automation/y-board'])
  })

  it('is that of each version, and is there for those who see the item', async ({ alice, bob, anonymous }) => {
    const { id } = await user(alice, ['a-board'], 'private')
    await alice.library.publishVersion({ id, file: naming(['b-board']) })
    assert.deepEqual(await named(alice, id), [['automation/b-board', null]])
    assert.deepEqual(await named(alice, id, '1.0.0'), [['automation/a-board', null]])
    await assert.rejects(alice.library.dependencies({ id, version: '9.0.0' }), { status: 404 })
    for (const person of [bob, anonymous]) {
      await assert.rejects(person.library.dependencies({ id }), { status: 404 })
      await assert.rejects(person.library.usedBy({ id }), { status: 404 })
    }
  })

  it('leads to the item by a name that it had before', async ({ alice, bob, anonymous }) => {
    const { id } = await automation(alice)
    const { id: userId } = await user(bob, ['harbor-board'])
    await alice.library.rename({ id, slug: 'quay-board' })
    assert.deepEqual(await named(anonymous, userId), [['automation/harbor-board', 'automation/quay-board']])
    assert.deepEqual(await usersOf(anonymous, id), [[userId], 1])
    // Named by both names, it is one user.
    const { id: both } = await user(bob, ['harbor-board', 'quay-board'])
    assert.deepEqual(await usersOf(anonymous, id), [[both, userId], 2])
    await assert.rejects(alice.library.delete({ id }), { status: 409, code: 'conflict' })
  })
})

onEveryEngine('what uses an item', (it) => {
  it('is what everybody sees and names it in its current version, last made first', async (world) => {
    const { alice, bob, anonymous, moderator } = world
    const { id, slug } = await automation(alice)
    const { id: first } = await user(bob, ['harbor-board'])
    const { id: second } = await user(alice, ['harbor-board'], 'private')
    const { id: org } = await bob.library.publish({
      kind: 'org',
      file: orgFile({ name: 'Ours', goal: 'automation/harbor-board@^1' }),
      visibility: 'public',
    })
    const gallery = await bob.orgs.create({
      orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo', skills: ['automation/harbor-board'] }] }),
    })
    for (const person of [anonymous, alice, moderator]) {
      assert.deepEqual(await usersOf(person, id), [[gallery.id, org, first], 3])
    }
    await alice.library.update({ id: second, visibility: 'public' })
    assert.deepEqual((await usersOf(anonymous, id))[1], 4)
    await alice.library.publishVersion({ id: second, file: naming(['other-board']) })
    assert.deepEqual(await usersOf(anonymous, id), [[gallery.id, org, first], 3])
    await alice.library.yank({ id: second, version: '1.0.1', yanked: true })
    assert.deepEqual((await usersOf(anonymous, id))[1], 4)
    await alice.library.yank({ id: second, version: '1.0.1', yanked: false })
    await bob.library.update({ id: first, visibility: 'private' })
    await bob.orgs.delete({ id: gallery.id })
    assert.deepEqual(await usersOf(anonymous, id), [[org], 1])
    const { items } = await anonymous.library.findUsedBy({ kind: 'automation', slug })
    assert.deepEqual([items[0]?.kind, items[0]?.name], ['org', 'Ours'])
    await bob.library.delete({ id: org })
    assert.deepEqual(await usersOf(anonymous, id), [[], 0])
    await alice.library.delete({ id })
  })

  it('is not what moderators hide, nor what is of a blocked account', async (world) => {
    const { alice, bob, admin, moderator, anonymous } = world
    const { id } = await automation(alice)
    const { id: first } = await user(bob, ['harbor-board'])
    const { id: second } = await user(moderator, ['harbor-board'])
    await admin.admin.block({ id: (await bob.account()).id, blocked: true })
    assert.deepEqual(await usersOf(anonymous, id), [[second], 1])
    await world.app.deliver()
    assert.deepEqual(await usersOf(admin, id), [[second], 1])
    await admin.admin.block({ id: (await bob.account()).id, blocked: false })
    await world.app.deliver()
    assert.deepEqual(await usersOf(anonymous, id), [[second, first], 2])
  })

  it('comes in pages, and is counted up to a thousand', async (world) => {
    const { alice, bob, anonymous } = world
    const { id } = await automation(alice)
    const made = []
    for (let count = 0; count < 3; count++) made.unshift((await user(bob, ['harbor-board'])).id)
    const page = (number: number) => anonymous.library.usedBy({ id, page: number, per_page: 2 })
    const [one, two, three] = [await page(1), await page(2), await page(3)]
    assert.deepEqual(
      [...one.items, ...two.items].map((item) => item.id),
      made,
    )
    assert.deepEqual([one.total, two.page, two.per_page, three.items, three.total], [3, 2, 2, [], 3])
    for (const per_page of [0, 101]) await assert.rejects(anonymous.library.usedBy({ id, per_page }), { status: 400 })
    await assert.rejects(anonymous.library.usedBy({ id, page: 0 }), { status: 400 })
    await copies(world, made[0]!, MAX_USERS)
    assert.equal((await anonymous.library.usedBy({ id })).total, MAX_USERS)
    assert.equal((await anonymous.library.usedBy({ id, page: 10, per_page: 100 })).items.length, 100)
    assert.deepEqual((await anonymous.library.usedBy({ id, page: 11, per_page: 100 })).items, [])
  })

  it('is checked by verify', async ({ alice, bob, db }) => {
    await automation(alice)
    const { id } = await user(bob, ['harbor-board'])
    await bob.library.publishVersion({ id, file: naming(['harbor-board']) })
    const reports = async () => {
      const all: string[] = []
      await checkUses(db, (sentence) => all.push(sentence))
      return all
    }
    assert.deepEqual(await reports(), [])
    await db.updateTable('dependency').set({ shown: 1 }).execute()
    assert.deepEqual(await reports(), [`What version 1.0.0 of item ${id} names is counted wrongly`])
    await db.updateTable('dependency').set({ shown: 0 }).execute()
    assert.deepEqual(await reports(), [`What version 1.0.1 of item ${id} names is counted wrongly`])
    await bob.library.update({ id, visibility: 'private' })
    assert.deepEqual(await reports(), [])
  })

  it('has names from before they were stored, read from the files once', async (world) => {
    const { alice, bob, anonymous, app, db, dependencies } = world
    const { id } = await automation(alice)
    const org = orgFile({ name: 'Ours', goal: 'automation/harbor-board' })
    const own = await bob.library.publish({ kind: 'org', file: org, visibility: 'public' })
    const gallery = await bob.orgs.create({ orgJson: await org.text() })
    const secret = await bob.library.publish({ kind: 'org', file: org })
    const broken = await bob.library.publish({ kind: 'org', file: orgFile({ name: 'Broken' }), visibility: 'public' })
    await db
      .updateTable('libraryItem')
      .set({ sha256: 'ab'.repeat(32) })
      .where('id', '=', broken.id)
      .execute()
    await db.deleteFrom('dependency').execute()
    assert.deepEqual(await usersOf(anonymous, id), [[], 0])
    await app.backfill()
    assert.deepEqual(await usersOf(anonymous, id), [[gallery.id, own.id], 2])
    assert.deepEqual(await named(bob, secret.id), [['automation/harbor-board', 'automation/harbor-board']])
    dependencies.blobs.artifacts.path = async () => assert.fail('read again')
    await createApp(dependencies).backfill()
  })

  it('never counts itself', async ({ alice, anonymous }) => {
    const file = orgFile({ name: 'Mirror', goal: 'org/mirror' })
    const { id } = await alice.library.publish({ kind: 'org', file, visibility: 'public' })
    assert.deepEqual(await named(anonymous, id), [['org/mirror', 'org/mirror']])
    assert.deepEqual(await usersOf(anonymous, id), [[], 0])
    await alice.library.delete({ id })
  })
})

/** Rows of an item again, under other ids and slugs. */
async function copies({ db }: World, id: string, count: number): Promise<void> {
  const { rowId: _, ...item } = await db
    .selectFrom('libraryItem')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const names = await db.selectFrom('dependency').selectAll().where('itemId', '=', id).execute()
  for (let from = 0; from < count; from += 100) {
    const some = Array.from({ length: 100 }, (_, at) => `${id.slice(0, -6)}${String(from + at).padStart(6, '0')}`)
    await db
      .insertInto('libraryItem')
      .values(some.map((one) => ({ ...item, id: one, slug: one })))
      .execute()
    await db
      .insertInto('dependency')
      .values(some.flatMap((itemId) => names.map((name) => ({ ...name, itemId }))))
      .execute()
  }
}
