// The JSON Schemas say what the validators say, apart from what a JSON Schema cannot express.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import manifestFixture from '../../test/fixtures/automation.json' with { type: 'json' }
import invoiceDesk from '../../test/fixtures/org-invoice-desk.json' with { type: 'json' }
import minimal from '../../test/fixtures/org-minimal.json' with { type: 'json' }
import supportMesh from '../../test/fixtures/org-support-mesh.json' with { type: 'json' }
import morningDigest from '../../test/fixtures/workflow-morning-digest.json' with { type: 'json' }
import { type SchemaKind, schemaKinds } from '../contract/files.ts'
import { FormatError } from './format-error.ts'
import { metaOf, readManifest } from './manifest.ts'
import { readOrg } from './org.ts'
import { schemaOf } from './schemas.ts'
import { readWorkflow } from './workflow.ts'

const folder = await mkdtemp(join(tmpdir(), 'schemas-'))
after(() => rm(folder, { recursive: true }))

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: false })
const compiled = (kind: SchemaKind) => ajv.compile(schemaOf(kind, 'https://guildhall.example'))
const schemas = { org: compiled('org'), workflow: compiled('workflow'), automation: compiled('automation') }

const validators: Record<SchemaKind, (text: string) => unknown> = {
  org: readOrg,
  automation: (text) => metaOf(readManifest(Buffer.from(text))),
  async workflow(text) {
    const path = join(folder, 'workflow.json')
    await writeFile(path, text)
    return readWorkflow(path)
  },
}

const fixtures: Record<SchemaKind, object[]> = {
  org: [invoiceDesk, minimal, supportMesh],
  workflow: [morningDigest],
  automation: [manifestFixture],
}

/** Why the validator refuses a text; undefined where it does not. */
async function refusal(kind: SchemaKind, text: string): Promise<string | undefined> {
  try {
    await validators[kind](text)
    return undefined
  } catch (error) {
    if (error instanceof FormatError) return error.message
    throw error
  }
}

/** Refusals that no JSON Schema can express; `description` of each schema lists them. */
const BEYOND = /well-formed Unicode without NUL|at most 500,000 bytes|at most 256 KiB/

const values = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1, 0.5, 2, 1.5, '', ' ', 'x', [], {}, [1], ['x'], [null], [{}]),
  fc.constantFrom<unknown>('claude', 'none', '1.0.0', '1.0', '1.0.0-a.b+c', 'jailbreak', { id: 'x' }, { type: 'x' }),
  fc.jsonValue({ maxDepth: 2 }),
)
const otherNames = ['zzz', 'provider', 'policy', 'fence', 'site', 'runtime', 'connections', 'topology', 'run_config']

/** One value of a document is replaced, removed, or added. */
function mutated(document: unknown, { at, name, value }: { at: number; name: string; value: unknown }): unknown {
  const copy = structuredClone(document)
  const places: [holder: Record<string, unknown>, key: string][] = []
  const walk = (one: unknown) => {
    if (typeof one !== 'object' || one === null) return
    const holder = one as Record<string, unknown>
    for (const [key, inner] of Object.entries(holder)) {
      places.push([holder, key])
      walk(inner)
    }
    if (!Array.isArray(one)) places.push([holder, name])
  }
  walk(copy)
  const [holder, key] = places[at % places.length]!
  if (at % 7 === 0 && !Array.isArray(holder)) delete holder[key]
  else holder[key] = value
  return copy
}

describe('the JSON Schemas', () => {
  for (const kind of schemaKinds) {
    it(`accept the real files of kind ${kind}, and are as they are served`, async () => {
      for (const fixture of fixtures[kind]) {
        assert.equal(schemas[kind](fixture), true)
        assert.equal(await refusal(kind, JSON.stringify(fixture)), undefined)
      }
      assert.equal(schemaOf(kind, 'https://a.example')['$id'], `https://a.example/schemas/${kind}/v1.json`)
    })

    it(`refuse of kind ${kind} what the validator refuses, and nothing else`, async () => {
      let refused = 0
      const change = fc.record({ at: fc.nat(), name: fc.constantFrom(...otherNames), value: values })
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...fixtures[kind]),
          fc.array(change, { maxLength: 3 }),
          async (base, changes) => {
            const document = changes.reduce(mutated, base)
            const why = await refusal(kind, JSON.stringify(document))
            if (why !== undefined && BEYOND.test(why)) return
            if (why !== undefined) refused += 1
            assert.equal(schemas[kind](JSON.parse(JSON.stringify(document))), why === undefined, why ?? 'accepted')
          },
        ),
        { numRuns: 1500 },
      )
      assert.ok(refused > 100, `${refused} were refused`)
    })
  }

  it('list what they cannot express: every such file passes the schema and not the validator', async () => {
    const beyond: [SchemaKind, string, RegExp][] = [
      ['org', '{"name":"a\\u0000","roles":[{"id":"x"}]}', /NUL/],
      ['org', '{"name":"a","x":"\\ud800","roles":[{"id":"x"}]}', /well-formed/],
      ['org', `{"name":"a","x":"${'y'.repeat(500_000)}","roles":[{"id":"x"}]}`, /500,000 bytes/],
      ['workflow', '{"name":"a\\u0000","nodes":[]}', /NUL/],
      ['workflow', `{"nodes":[{"type":"${'t'.repeat(300_000)}"}]}`, /256 KiB/],
      ['automation', JSON.stringify({ ...manifestFixture, name: 'a\0' }), /NUL/],
      ['automation', JSON.stringify({ ...manifestFixture, actions: ['a'.repeat(300_000)] }), /256 KiB/],
    ]
    for (const [kind, text, why] of beyond) {
      assert.equal(schemas[kind](JSON.parse(text)), true, text.slice(0, 80))
      assert.match((await refusal(kind, text)) ?? '', why)
    }
  })

  it('accept the demo of the product too', async () => {
    const demo = new URL('../../demo/', import.meta.url)
    for (const [kind, path] of [
      ['org', 'library-orgs'],
      ['org', 'orgs'],
      ['workflow', 'workflows'],
    ] as const) {
      const names = (await readdir(new URL(path, demo))).filter((name) => name.endsWith('.json'))
      assert.ok(names.length > 0, path)
      for (const name of names) {
        const document = JSON.parse(await readFile(new URL(`${path}/${name}`, demo), 'utf8'))
        assert.equal(schemas[kind](document), true, name)
      }
    }
  })
})
