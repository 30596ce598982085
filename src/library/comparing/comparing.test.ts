// Comparing versions of items, and what each version may do.
import assert from 'node:assert/strict'
import { manifestEntry } from '../../../test/corpus/archive-parts.ts'
import { zip } from '../../../test/corpus/zip-writer.ts'
import { automationFile, fileOf, orgFile, workflow, workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'

const site = (...domains: string[]) => ({ site: { domains }, permissions: { steps: ['navigate'] } })
const script = (text: string) => ({ name: 'scripts/a.js', data: text })
const action = (...steps: object[]) => ({ name: 'actions/list_berths.json', data: JSON.stringify({ steps }) })

const open = { step: 'navigate', url: 'https://a.example/' }
const click = { id: 'press', step: 'click', at: '#one' }

async function automation({ alice }: World, visibility: 'public' | 'private' = 'public') {
  const files = [
    automationFile({ version: '1.0.0', ...site('a.example') }, [script('one\n'), action(open, click)]),
    automationFile({ version: '1.1.0', ...site('a.example', 'b.example') }, [
      script('one\ntwo\n'),
      action(open, { ...click, at: '#two' }, { step: 'extract' }),
      { name: 'README.md', data: '# Hello' },
    ]),
  ] as const
  const item = await alice.library.publish({ kind: 'automation', file: files[0], visibility })
  await alice.library.publishVersion({ id: item.id, file: files[1] })
  return item
}

const names = (list: { name: string }[]) => list.map(({ name }) => name)

onEveryEngine('comparing versions', (it) => {
  it('tells first what the later one may newly do, then files, steps and nodes', async (world) => {
    const { id, slug } = await automation(world)
    const compared = await world.anonymous.library.compare({ id })
    assert.deepEqual([compared.from?.version, compared.to.version], ['1.0.0', '1.1.0'])
    assert.deepEqual(compared.permissions, {
      added: [
        { type: 'site', name: 'b.example' },
        { type: 'step', name: 'extract' },
      ],
      removed: [],
      kept: [
        { type: 'script', name: 'scripts/a.js' },
        { type: 'site', name: 'a.example' },
        { type: 'step', name: 'click' },
        { type: 'step', name: 'navigate' },
      ],
    })
    const { added, removed, changed, unchanged } = compared.files
    assert.deepEqual([added.map(({ path }) => path), removed, unchanged], [['README.md'], [], 0])
    assert.deepEqual(
      changed.map(({ path }) => path),
      ['automation.json', 'scripts/a.js', 'actions/list_berths.json'],
    )
    assert.deepEqual(changed[1]?.diff, [
      {
        ...{ from_line: 1, to_line: 1 },
        parts: [
          { kind: 'same', text: 'one\n' },
          { kind: 'added', text: 'two\n' },
        ],
      },
    ])
    assert.deepEqual(compared.steps, {
      added: [{ name: 'list_berths 3', type: 'extract' }],
      removed: [],
      changed: [{ name: 'list_berths press', type: 'click' }],
    })
    assert.equal(compared.truncated, false)
    const bySlug = await world.anonymous.library.findCompare({ kind: 'automation', slug, from: '1.0.0', to: 'latest' })
    assert.deepEqual(bySlug, compared)
  })

  it('goes in either direction, and from nothing to the first version', async (world) => {
    const { id } = await automation(world)
    const back = await world.bob.library.compare({ id, from: '1.1.0', to: '^1.0.0 <1.1.0' })
    assert.deepEqual([back.permissions.added, names(back.permissions.removed)], [[], ['b.example', 'extract']])
    const first = await world.bob.library.compare({ id, to: '1.0.0' })
    assert.equal(first.from, null)
    assert.deepEqual(names(first.permissions.added), ['scripts/a.js', 'a.example', 'click', 'navigate'])
    const same = await world.bob.library.compare({ id, from: 'latest' })
    assert.deepEqual([same.permissions.added, same.files.changed, same.files.unchanged], [[], [], 4])
  })

  it('takes the version before that was not yanked', async (world) => {
    const { id } = await automation(world)
    const { alice, db } = world
    await alice.library.publishVersion({ id, file: automationFile({ version: '1.2.0', ...site('a.example') }) })
    await db
      .updateTable('itemVersion')
      .set({ yankedAt: '2026-01-01T00:00:00.000Z' })
      .where('version', '=', '1.1.0')
      .execute()
    const compared = await alice.library.compare({ id })
    assert.deepEqual([compared.from?.version, compared.to.version], ['1.0.0', '1.2.0'])
    assert.equal((await alice.library.compare({ id, from: '1.1.0' })).from?.version, '1.1.0')
  })

  it('of workflows tells nodes by their ids, and where one stands is no change', async ({ alice, anonymous }) => {
    const [trigger, list] = workflow['nodes'] as [object, object]
    const { id } = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    const nodes = [
      { ...trigger, position: { x: 9, y: 9 } },
      { ...list, config: { url: 'https://new.example' } },
      { id: 'n3', type: 'mail.send', name: 'Send' },
    ]
    await alice.library.publishVersion({ id, file: workflowFile({ nodes }) })
    const compared = await anonymous.library.compare({ id })
    assert.deepEqual(compared.nodes, {
      added: [{ name: 'Send', type: 'mail.send' }],
      removed: [],
      changed: [{ name: 'Berths', type: 'harbor-board.list_berths' }],
    })
    assert.deepEqual(names(compared.permissions.added), ['new.example', 'mail.send'])
    assert.deepEqual(
      compared.files.changed.map(({ path, diff }) => [path, diff !== null]),
      [['morning-digest.json', true]],
    )
  })

  it('of orgs tells roles', async ({ alice, anonymous }) => {
    const policy = { allowTools: ['Read'], fileRead: [], fileWrite: [], webAllow: [], git: 'none' }
    const { id } = await alice.library.publish({
      kind: 'org',
      file: orgFile({ roles: [{ id: 'a', policy }] }),
      visibility: 'public',
    })
    const roles = [
      { id: 'a', policy: { ...policy, git: 'read' } },
      { id: 'b', policy },
    ]
    await alice.library.publishVersion({ id, file: orgFile({ roles }) })
    const { nodes, permissions } = await anonymous.library.compare({ id })
    assert.deepEqual([names(nodes.added), names(nodes.changed)], [['b'], ['a']])
    assert.deepEqual(permissions.added, [{ type: 'step', name: 'git read' }])
  })

  it('of what is private is for its owner, and 404 for others', async (world) => {
    const { alice, bob, anonymous, blocked } = world
    const { id, slug } = await automation(world, 'private')
    assert.equal((await alice.library.compare({ id })).to.version, '1.1.0')
    for (const caller of [bob, anonymous, blocked]) {
      await assert.rejects(caller.library.compare({ id }), { status: 404, code: 'not_found' })
      await assert.rejects(caller.library.findCompare({ kind: 'automation', slug }), { status: 404 })
    }
    await alice.library.update({ id, visibility: 'public' })
    assert.equal((await anonymous.library.compare({ id })).to.version, '1.1.0')
    await world.db.updateTable('libraryItem').set({ hidden: 1 }).where('id', '=', id).execute()
    await assert.rejects(anonymous.library.compare({ id }), { status: 404 })
  })

  it('refuses what is no version, and 404 of one that is not there', async (world) => {
    const { id } = await automation(world)
    const { anonymous } = world
    await assert.rejects(anonymous.library.compare({ id, from: 'newest' }), { status: 400, code: 'invalid_request' })
    await assert.rejects(anonymous.library.compare({ id, to: '9.0.0' }), { status: 404, code: 'not_found' })
    await assert.rejects(anonymous.library.compare({ id, from: '>=2' }), { status: 404 })
    await assert.rejects(anonymous.library.compare({ id, from: 'a'.repeat(257) }), { status: 400 })
  })

  it('is bounded: 500 in a list, 64 KiB of a text', async ({ alice, anonymous }) => {
    const many = (count: number, text: string) =>
      Array.from({ length: count }, (_, at) => ({ name: `f/${at}.txt`, data: text }))
    const build = (version: string, entries: { name: string; data: string }[]) =>
      fileOf(zip([manifestEntry({ version }), ...entries]), 'a.mpkg')
    const large = (size: number, text: string) => ({ name: `${size}.txt`, data: text.padEnd(size, 'x') })
    const limit = 64 * 1024
    const first = build('1.0.0', [large(limit, 'a\n'), large(limit + 1, 'a\n')])
    const { id } = await alice.library.publish({ kind: 'automation', file: first, visibility: 'public' })
    await alice.library.publishVersion({
      id,
      file: build('1.1.0', [large(limit, 'b\n'), large(limit + 1, 'b\n'), ...many(500, 'x')]),
    })
    const compared = await anonymous.library.compare({ id })
    assert.deepEqual([compared.files.added.length, compared.truncated], [500, false])
    const diffs = new Map(compared.files.changed.map(({ path, diff }) => [path, diff !== null]))
    assert.deepEqual([diffs.get(`${limit}.txt`), diffs.get(`${limit + 1}.txt`)], [true, false])
    await alice.library.publishVersion({ id, file: build('1.2.0', many(501, 'y')) })
    const more = await anonymous.library.compare({ id, from: '1.0.0' })
    assert.deepEqual([more.files.added.length, more.truncated], [500, true])
  })

  it('of deep and of huge files answers', async ({ alice, anonymous }) => {
    const nodes = (config: unknown) => [{ id: 'a', type: 't', config }]
    const plain = workflowFile({ nodes: nodes({}) })
    const { id } = await alice.library.publish({ kind: 'workflow', file: plain, visibility: 'public' })
    const text = (config: string) => new File([`{"nodes":[{"id":"a","type":"t","config":${config}}]}`], 'w.json')
    await alice.library.publishVersion({ id, file: text(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) })
    assert.equal((await anonymous.library.compare({ id })).nodes.changed.length, 1)
    await alice.library.publishVersion({ id, file: text(`[${'[],'.repeat(400_000)}1]`) })
    const { permissions, truncated } = await anonymous.library.compare({ id })
    assert.deepEqual([permissions.added.length, truncated], [8, true])
  })
})

onEveryEngine('what a version may do', (it) => {
  it('is told with its contents, and what is new in it', async (world) => {
    const { id } = await automation(world)
    const { may_do, may_do_more } = await world.anonymous.library.contents({ id })
    assert.deepEqual(names(may_do), ['scripts/a.js', 'a.example', 'b.example', 'click', 'extract', 'navigate'])
    assert.equal(may_do_more?.than, '1.0.0')
    assert.deepEqual(names(may_do_more.permissions), ['b.example', 'extract'])
    const first = await world.anonymous.library.contents({ id, version: '1.0.0' })
    assert.deepEqual(
      [names(first.may_do), first.may_do_more],
      [['scripts/a.js', 'a.example', 'click', 'navigate'], null],
    )
  })

  it('is read from the file where it was not kept or was kept by older rules, once', async (world) => {
    const { db, dependencies } = world
    const { id } = await automation(world)
    const before = await world.anonymous.library.contents({ id })
    await db.deleteFrom('versionPermissions').where('version', '=', '1.0.0').execute()
    await db.updateTable('versionPermissions').set({ revision: 0, permissions: '[]' }).execute()
    const again = await Promise.all([world.bob.library.contents({ id }), world.anonymous.library.contents({ id })])
    assert.deepEqual(again, [before, before])
    dependencies.blobs.artifacts.path = async () => assert.fail('read again')
    assert.deepEqual(await world.bob.library.contents({ id }), before)
  })

  it('of an automation inside of a workflow is that of the workflow as well', async ({ alice, anonymous }) => {
    const bytes = zip([manifestEntry(site('inner.example')), script('process.env.INNER')])
    const carrying = (mpkg: string) => workflowFile({ automations: { 'harbor-board': { mpkg } } })
    const file = carrying(bytes.toString('base64'))
    const { id } = await alice.library.publish({ kind: 'workflow', file, visibility: 'public' })
    const told = names((await anonymous.library.contents({ id })).may_do)
    assert.ok(
      ['inner.example', 'INNER', 'scripts/a.js'].every((name) => told.includes(name)),
      told.join(),
    )
    await alice.library.publishVersion({ id, file: carrying(bytes.subarray(0, 99).toString('base64')) })
    const { may_do_more } = await anonymous.library.contents({ id })
    assert.ok(names(may_do_more?.permissions ?? []).includes('any site'))
  })
})
