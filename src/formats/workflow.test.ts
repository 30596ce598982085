// Reading workflow exports.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { MAX_WORKFLOW_BYTES } from '../contract/sizes.ts'
import { FormatError } from './format-error.ts'
import { readWorkflow } from './workflow.ts'

const folder = await mkdtemp(join(tmpdir(), 'workflow-'))
after(() => rm(folder, { recursive: true }))

async function read(content: string | Buffer | object) {
  const path = join(folder, 'workflow.json')
  await writeFile(path, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content))
  return readWorkflow(path)
}

const node = (type: string) => ({ id: 'n', type, config: { type: 'not this one', nodes: [] } })

describe('a workflow export', () => {
  it('derives name, description and meta', async () => {
    const path = fileURLToPath(new URL('../../test/fixtures/workflow-morning-digest.json', import.meta.url))
    assert.deepEqual(await readWorkflow(path), {
      name: 'Morning Digest',
      description: 'Mails a digest of the berth list',
      meta: {
        node_types: ['harbor-board.list_berths', 'trigger.cron'],
        trigger_types: ['trigger.cron'],
        required_automations: ['harbor-board'],
      },
      stepNames: ['7am', 'Berths'],
      names: [{ kind: 'automation', slug: 'harbor-board' }],
    })
  })

  it('may be empty, and may have null for connections', async () => {
    for (const connections of [undefined, null, []]) {
      assert.deepEqual(await read({ nodes: [], connections }), {
        name: 'Untitled workflow',
        description: '',
        meta: { node_types: [], trigger_types: [], required_automations: [] },
        stepNames: [],
        names: [],
      })
    }
  })

  it('lists types and automations once, in order', async () => {
    const nodes = ['b', 'trigger.web', 'a', 'b', 'trigger', 'trigger.cron'].map(node)
    const automations = { zeta: { nodes: {} }, alpha: {} }
    const { meta } = await read({ nodes, automations, unbundledAutomations: { mid: {}, alpha: { reason: 'x' } } })
    assert.deepEqual(meta.node_types, ['a', 'b', 'trigger', 'trigger.cron', 'trigger.web'])
    assert.deepEqual(meta.trigger_types, ['trigger.cron', 'trigger.web'])
    assert.deepEqual(meta.required_automations, ['alpha', 'mid', 'zeta'])
  })

  it('names its steps, up to 300 of 100 characters', async () => {
    const named = (name: unknown) => ({ ...node('a'), name })
    const names = [' Fetch\nit ', 5, '', 'x'.repeat(101), ...Array.from({ length: 400 }, (_, n) => `n${n}`)]
    const { stepNames } = await read({ nodes: names.map(named) })
    assert.deepEqual(stepNames.slice(0, 2), [' Fetch it ', 'x'.repeat(100)])
    assert.ok(stepNames.length <= 300 && stepNames.length >= 298, `${stepNames.length}`)
  })

  it('has its name and description trimmed and cut to 100 and 2,000 characters', async () => {
    const { name, description } = await read({
      nodes: [],
      name: ` ${'n'.repeat(99)}🎈`,
      description: 'd'.repeat(2_001),
    })
    assert.deepEqual([name, description.length], ['n'.repeat(99), 2_000])
    assert.equal((await read({ nodes: [], description: ' \n padded ' })).description, 'padded')
    assert.equal((await read({ nodes: [], name: ' \n' })).name, 'Untitled workflow')
    assert.equal(
      (await read({ nodes: [], name: 5, description: {}, automations: [{ a: 1 }] })).name,
      'Untitled workflow',
    )
  })

  it('counts the last of two equal keys, as JSON.parse does, escaped or not', async () => {
    const text =
      '{"nodes":5,"n\\u0061me":"a","nodes":[{"type":"a","type":"b"}],"automations":{"x":1},"automations":null}'
    const { name, meta } = await read(text)
    assert.deepEqual([name, meta.node_types, meta.required_automations], ['a', ['b'], []])
    await assert.rejects(read('{"nodes":[],"nodes":[{"type":"a","type":1}]}'), /nodes\.0\.type: expected/)
  })

  it('may be 20 MiB and no more', async () => {
    const textOf = (bytes: number) => `{"nodes":[],"x":"${'.'.repeat(bytes - 19)}"}`
    assert.equal((await read(textOf(MAX_WORKFLOW_BYTES))).name, 'Untitled workflow')
    await assert.rejects(read(textOf(MAX_WORKFLOW_BYTES + 1)), /at most 20 MiB/)
  })

  it('gives way to others while it is read', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await read(`{"nodes":[],"x":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`)
    clearInterval(timer)
    assert.ok(turns >= 10, `${turns} turns`)
  })
})

describe('a workflow export is refused', () => {
  const refusals: [string | Buffer | object, RegExp][] = [
    ['', /^expected JSON/],
    ['{"nodes":[]', /^expected JSON/],
    ['{"nodes":[]} x', /^expected JSON/],
    ['[]', /^expected a JSON object$/],
    ['null', /^expected a JSON object$/],
    ['\ufeff{"nodes":[]}', /^expected UTF-8 without a byte order mark$/],
    [Buffer.from('{"nodes":[],"name":"\xff"}', 'latin1'), /^expected text in UTF-8$/],
    [{}, /^nodes: expected an array$/],
    ['{"__proto__":{"nodes":[]}}', /^nodes: expected an array$/],
    [{ nodes: null }, /^nodes: expected an array$/],
    [{ nodes: { 0: { type: 'a' } } }, /^nodes: expected an array$/],
    [{ nodes: [node('a'), 'b'] }, /^nodes\.1: expected an object$/],
    [{ nodes: [node('a'), null] }, /^nodes\.1: expected an object$/],
    [{ nodes: [[{ type: 'a' }]] }, /^nodes\.0: expected an object$/],
    [{ nodes: [node('a'), {}] }, /^nodes\.1\.type: expected a string of at least 1 character$/],
    [{ nodes: [node('')] }, /^nodes\.0\.type: expected a string/],
    [{ nodes: [{ type: ['a'] }] }, /^nodes\.0\.type: expected a string/],
    [{ nodes: [node('a\0')] }, /^nodes\.0\.type: expected well-formed Unicode without NUL$/],
    ['{"nodes":[{"type":"\\ud800"}]}', /^nodes\.0\.type: expected well-formed/],
    [{ nodes: [], connections: {} }, /^connections: expected an array or null$/],
    [{ nodes: [], connections: 0 }, /^connections: expected an array or null$/],
    [{ nodes: [], name: 'a\0' }, /^name: expected well-formed/],
    [{ nodes: [], description: 'a\0' }, /^description: expected well-formed/],
    [{ nodes: [], automations: { '\0': 1 } }, /^automations: expected well-formed/],
    [
      { nodes: Array.from({ length: 40_000 }, (_, index) => node(`type-${index}`)) },
      /: expected at most 256 KiB of names/,
    ],
  ]
  for (const [content, message] of refusals) {
    const shown = typeof content === 'object' && !Buffer.isBuffer(content) ? JSON.stringify(content) : String(content)
    it(`as ${shown.slice(0, 80)}`, async () => {
      await assert.rejects(read(content), (error: Error) => error instanceof FormatError && message.test(error.message))
    })
  }
})
