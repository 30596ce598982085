// Looking into an item before it is installed: the text of its files, and the graph of a workflow.
import assert from 'node:assert/strict'
import { automationFile, orgFile, workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { MAX_GRAPH_LINKS, MAX_GRAPH_NODES } from '../../formats/workflow-graph.ts'
import { MAX_TEXT_BYTES } from './read-entry.ts'

const refused = (status: number) => (error: unknown) => (error as { status?: number }).status === status

const entry = (name: string, data: string | Buffer) => ({ name, data: Buffer.from(data) })

async function publishPackage(world: World, entries: ReturnType<typeof entry>[], changes = {}) {
  const file = automationFile(changes, entries)
  return world.alice.library.publish({ kind: 'automation', visibility: 'public', file })
}

onEveryEngine('the files of an item', (it) => {
  it('are read as text by everybody who sees it, by id and by slug', async (world) => {
    const source = 'export const go = () => "größer"\n'
    const { id, slug, version } = await publishPackage(world, [entry('scripts/go.js', source)])
    const path = 'scripts/go.js'
    const expected = { version, path, size: Buffer.byteLength(source), text: source, truncated: false }
    assert.deepEqual(await world.anonymous.library.readFile({ id, path }), expected)
    assert.deepEqual(await world.anonymous.library.findFile({ kind: 'automation', slug, path }), expected)
    await assert.rejects(world.anonymous.library.readFile({ id, path: 'scripts/none.js' }), refused(404))
    await assert.rejects(world.anonymous.library.readFile({ id, path: '../automation.json' }), refused(404))
    await assert.rejects(world.anonymous.library.readFile({ id, path: '' }), refused(400))
    await assert.rejects(world.anonymous.library.readFile({ id, path: 'x'.repeat(1_025) }), refused(400))
  })

  it('are those of the version that is asked for', async (world) => {
    const { id } = await publishPackage(world, [entry('a.txt', 'one')], { version: '1.0.0' })
    const file = automationFile({ version: '1.1.0' }, [entry('a.txt', 'two')])
    await world.alice.library.publishVersion({ id, file })
    const read = async (version?: string) => (await world.bob.library.readFile({ id, path: 'a.txt', version })).text
    assert.deepEqual([await read(), await read('1.0.0'), await read('1.1.0')], ['two', 'one', 'two'])
    await assert.rejects(read('9.9.9'), refused(404))
    await assert.rejects(read('nonsense'), refused(400))
  })

  it('are text up to 256 KiB, and nothing where they are none', async (world) => {
    const long = 'ä'.repeat(MAX_TEXT_BYTES / 2)
    const { id } = await publishPackage(world, [
      entry('full.txt', long),
      entry('longer.txt', `x${long}`),
      entry('picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1])),
      entry('latin1.txt', Buffer.from([0x66, 0xfc, 0x72])),
      entry('empty.txt', ''),
    ])
    const read = async (path: string) => {
      const { text, truncated, size } = await world.anonymous.library.readFile({ id, path })
      return [text?.length ?? null, truncated, size]
    }
    assert.deepEqual(await read('full.txt'), [MAX_TEXT_BYTES / 2, false, MAX_TEXT_BYTES])
    assert.deepEqual(await read('longer.txt'), [MAX_TEXT_BYTES / 2, true, MAX_TEXT_BYTES + 1])
    assert.deepEqual(await read('picture.png'), [null, false, 6])
    assert.deepEqual(await read('latin1.txt'), [null, false, 3])
    assert.deepEqual(await read('empty.txt'), [0, false, 0])
  })

  it('of a private item are read by its owner alone', async (world) => {
    const { id, slug } = await world.alice.library.publish({ kind: 'org', visibility: 'private', file: orgFile() })
    const path = `${slug}.json`
    assert.match((await world.alice.library.readFile({ id, path })).text ?? '', /"roles"/)
    for (const person of [world.bob, world.anonymous, world.moderator]) {
      await assert.rejects(person.library.readFile({ id, path }), refused(404))
      await assert.rejects(person.library.graph({ id }), refused(404))
    }
  })
})

onEveryEngine(
  'files where downloads need an account',
  (it) => {
    it('are read by members alone', async (world) => {
      const { id } = await publishPackage(world, [entry('a.txt', 'one')])
      await assert.rejects(world.anonymous.library.readFile({ id, path: 'a.txt' }), refused(401))
      assert.equal((await world.bob.library.readFile({ id, path: 'a.txt' })).text, 'one')
    })
  },
  { PUBLIC_DOWNLOADS: 'off' },
)

onEveryEngine('the graph of a workflow', (it) => {
  it('has its nodes in order and the links between those that are there', async (world) => {
    const nodes = [
      { id: 'a', type: 'trigger.cron', name: ' Every\n morning ' },
      { id: 'b', type: 'rule.check', name: 'Sums add up', disabled: true },
      { id: 'c', type: 'file.write' },
    ]
    const connections = [
      { source: 'a', source_handle: 'main', target: 'b' },
      { source: 'b', source_handle: 'true', target: 'c' },
      { source: 'b', source_handle: 'true', target: 'c' },
      { source: 'b', target: 'b' },
      { source: 'b', target: 'nowhere' },
      { source: 7, target: null },
      null,
    ]
    const { id, version } = await world.alice.library.publish({
      ...{ kind: 'workflow', visibility: 'public' },
      file: workflowFile({ nodes, connections }),
    })
    assert.deepEqual(await world.anonymous.library.graph({ id }), {
      version,
      nodes: [
        { name: 'Every morning', type: 'trigger.cron', disabled: false },
        { name: 'Sums add up', type: 'rule.check', disabled: true },
        { name: '', type: 'file.write', disabled: false },
      ],
      links: [
        { from: 0, to: 1, label: null },
        { from: 1, to: 2, label: 'true' },
      ],
      left_out: { nodes: 0, links: 0 },
    })
  })

  it('is cut where it is large, and tells how much', async (world) => {
    const nodes = Array.from({ length: MAX_GRAPH_NODES + 1 }, (_, n) => ({
      id: `n${n}`,
      type: 'x',
      name: 'y'.repeat(300),
    }))
    const connections = Array.from({ length: MAX_GRAPH_LINKS + 2 }, (_, n) => ({
      source: `n${n % 40}`,
      target: `n${41 + Math.floor(n / 40)}`,
    }))
    const far = { source: 'n0', target: `n${MAX_GRAPH_NODES}` }
    const file = workflowFile({ nodes, connections: [...connections, far] })
    const { id } = await world.alice.library.publish({ kind: 'workflow', visibility: 'public', file })
    const graph = await world.anonymous.library.graph({ id })
    assert.deepEqual([graph.nodes.length, graph.links.length], [MAX_GRAPH_NODES, MAX_GRAPH_LINKS])
    assert.deepEqual(graph.left_out, { nodes: 1, links: 3 })
    assert.equal(graph.nodes[0]?.name.length, 100)
    assert.deepEqual(await world.anonymous.library.graph({ id }), graph)
  })

  it('has no nodes for other kinds, or without connections', async (world) => {
    const org = await world.alice.library.publish({ kind: 'org', visibility: 'public', file: orgFile() })
    assert.deepEqual((await world.anonymous.library.graph({ id: org.id })).nodes, [])
    const file = workflowFile({ nodes: [{ type: 'x' }], connections: null })
    const { slug } = await world.alice.library.publish({ kind: 'workflow', visibility: 'public', file })
    const { nodes, links } = await world.anonymous.library.findGraph({ kind: 'workflow', slug })
    assert.deepEqual([nodes.length, links.length], [1, 0])
  })
})

onEveryEngine('the chart of an org', (it) => {
  it('has its roles as their author wrote them, of each version', async ({ alice, anonymous }) => {
    const roles = [
      { id: 'lead', title: 'Lead' },
      { id: 'worker', reports_to: 'lead', skills: ['triage'] },
    ]
    const communication = [{ from: 'lead', to: 'worker', type: 'command' }]
    const { id, slug, version } = await alice.library.publish({
      ...({ kind: 'org', visibility: 'public' } as const),
      file: orgFile({ roles, communication }),
    })
    const chart = await anonymous.library.chart({ id })
    assert.deepEqual([chart.version, chart.role_count, chart.communication], [version, 2, communication])
    assert.deepEqual(
      chart.roles.map((role) => [role.id, role.title, role.reports_to, role.skills]),
      [
        ['lead', 'Lead', null, []],
        ['worker', null, 'lead', ['triage']],
      ],
    )
    await alice.library.publishVersion({ id, file: orgFile({ roles: roles.slice(0, 1), communication: [] }) })
    assert.equal((await anonymous.library.findChart({ kind: 'org', slug })).role_count, 1)
    assert.deepEqual(await anonymous.library.findChart({ kind: 'org', slug, version }), chart)
    await alice.library.update({ id, visibility: 'private' })
    await assert.rejects(anonymous.library.chart({ id }), { status: 404 })
  })

  it('is read in a thread where it is large, and has the first thousand roles', async ({ alice, anonymous }) => {
    const roles = Array.from({ length: 1_001 }, (_, n) => ({ id: `r${n}`, title: 'x'.repeat(50) }))
    const file = orgFile({ roles, communication: [] })
    const { id } = await alice.library.publish({ kind: 'org', visibility: 'public', file })
    const chart = await anonymous.library.chart({ id })
    assert.deepEqual([chart.role_count, chart.roles.length, chart.roles[999]?.id], [1_001, 1_000, 'r999'])
  })

  it('is that of the gallery for its orgs, and empty for other kinds', async ({ alice, anonymous }) => {
    const org = await alice.orgs.create({ orgJson: await orgFile().text() })
    const { roles, communication } = await anonymous.orgs.get({ id: org.id })
    const chart = await anonymous.library.chart({ id: org.id })
    assert.deepEqual([chart.roles, chart.communication], [roles, communication])
    const { id } = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
    assert.deepEqual((await anonymous.library.chart({ id })).roles, [])
  })
})
