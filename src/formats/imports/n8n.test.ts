// Workflows of n8n as our workflow files: each passes the checks of publishing.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { breakEachText, filesOf, fixturesOf } from '../../../test/imports.ts'
import { readWorkflow } from '../workflow.ts'
import { readWorkflowGraph } from '../workflow-graph.ts'
import { type ConvertedWorkflow, convertN8n } from './n8n.ts'
import { SourceError } from './record.ts'

const fixtures = fixturesOf('n8n')
const digest = fixtures['digest.json']!
const folder = await mkdtemp(join(tmpdir(), 'n8n-'))
after(() => rm(folder, { recursive: true }))

async function converted(text: string): Promise<ConvertedWorkflow[]> {
  const all: ConvertedWorkflow[] = []
  for await (const workflow of convertN8n(filesOf({ 'w.json': text }))) all.push(workflow)
  return all
}

/** As publishing reads it. */
async function published(text: string) {
  const path = join(folder, 'workflow.json')
  await writeFile(path, text)
  return { read: await readWorkflow(path), graph: await readWorkflowGraph(path) }
}

const first = async (text: string) => (await converted(text))[0]!

describe('a workflow of n8n', () => {
  it('becomes a workflow file that can be published', async () => {
    const { read, graph } = await published((await first(digest)).text)
    assert.equal(read.name, 'Digest of the day 💥')
    assert.equal(read.description, 'Mails what is new')
    assert.deepEqual(read.meta, {
      node_types: [
        '@n8n/n8n-nodes-langchain.lmChatOpenAi',
        'n8n-nodes-base.emailSend',
        'n8n-nodes-base.httpRequest',
        'n8n-nodes-base.if',
        'n8n-nodes-base.noOp',
        'trigger.n8n-nodes-base.scheduleTrigger',
        'trigger.n8n-nodes-base.webhook',
      ],
      trigger_types: ['trigger.n8n-nodes-base.scheduleTrigger', 'trigger.n8n-nodes-base.webhook'],
      required_automations: [],
    })
    assert.deepEqual(
      graph.links.map(({ from, to, label }) => [graph.nodes[from]?.name, graph.nodes[to]?.name, label]),
      [
        ['Every morning', 'Get news', null],
        ['Or when asked', 'Get news', null],
        ['Get news', 'Is there any?', null],
        ['Is there any?', 'Mail', null],
        ['Is there any?', 'Nothing', 'main:1'],
        ['Model', 'Mail', 'ai_languageModel'],
      ],
    )
    assert.equal(graph.nodes.find(({ name }) => name === 'Mail')?.disabled, true)
  })

  it('keeps parameters, and leaves behind what belongs to an installation', async () => {
    const { text, leftOut } = await first(digest)
    assert.deepEqual(Object.fromEntries(leftOut.map(({ what, count }) => [what, count])), {
      'addresses of webhooks': 1,
      'credentials of nodes': 1,
      'sticky notes': 1,
      'connections of nodes that are not there': 1,
      'data of tests and of runs': 1,
      'values of parameters that are named like secrets': 2,
    })
    assert.doesNotMatch(text, /sk-live|abc123|0b7d|Our account|private/)
    const { nodes } = JSON.parse(text)
    assert.deepEqual(nodes[3].position, { x: 200, y: 40 })
    assert.equal(nodes[2].config.headerParameters.parameters[1].value, '={{ $json.key }}')
    assert.equal(nodes[2].config.headerParameters.parameters[2].value, 'application/json')
  })

  it('may come with others, in an array or as a page of the API', async () => {
    assert.equal((await converted(`[${digest},${digest}]`)).length, 2)
    assert.equal((await converted(`{"data": [${digest}], "nextCursor": null}`)).length, 1)
  })
})

describe('hostile workflows', () => {
  it('are refused with the file and the place, or pass the checks', async () => {
    await assert.rejects(
      converted('{"nodes": 1, "connections": {}}'),
      (error: Error) =>
        error instanceof SourceError && /^w\.json, record 1, line 1: expected a workflow/.test(error.message),
    )
    await assert.rejects(converted('{"nodes": [], "connections": []}'), SourceError)
    await assert.rejects(converted(digest.slice(0, 500)), SourceError)
    const many = JSON.stringify({ nodes: Array(5_001).fill({ type: 'x' }), connections: {} })
    await assert.rejects(converted(many), /at most 5000 nodes/)
    assert.equal((await converted(many.replace('{"type":"x"},', ''))).length, 1)
    let passed = 0
    for (const text of breakEachText(digest)) {
      try {
        for (const workflow of await converted(text)) await published(workflow.text)
        passed += 1
      } catch (error) {
        assert.ok(error instanceof SourceError, `${error}\n${text.slice(0, 300)}`)
      }
    }
    assert.ok(passed > 100)
  })

  it('with names that are no names have their nodes kept apart', async () => {
    const nodes = [
      { type: 'a.b', name: '__proto__' },
      { type: 'a.b', name: 'constructor' },
      { type: '' },
      null,
      { type: 'a\0b' },
    ]
    const connections = JSON.parse('{"__proto__": {"main": [[{"node": "constructor", "type": "main", "index": 0}]]}}')
    const { text, leftOut } = await first(JSON.stringify({ name: '\ud800', nodes, connections }))
    const { graph, read } = await published(text)
    assert.equal(read.name, '�')
    assert.equal(graph.nodes.length, 3)
    assert.deepEqual(graph.links, [{ from: 0, to: 1, label: null }])
    assert.deepEqual(leftOut, [{ what: 'nodes without a type', count: 2 }])
  })
})
