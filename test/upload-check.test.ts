// The check of the upload form says what the JSON Schemas say, and finds the manifest in every package that the library takes.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { type Schema, wrongIn } from '../site/src/enhance/check-schema.ts'
import { manifestIn } from '../site/src/enhance/package-manifest.ts'
import { type SchemaKind, schemaKinds } from '../src/contract/files.ts'
import { schemaOf } from '../src/formats/schemas.ts'
import { hostileArchives } from './corpus/hostile-archives.ts'
import { automationFile, org, workflow } from './library.ts'

const ajv = new Ajv2020({ strictTypes: false })
const manifest = { schema: 'monoagent.automation/v1', id: 'a', name: 'A', version: '1.0.0', actions: ['x'], site: {} }
const samples: Record<SchemaKind, Record<string, unknown>> = { org, workflow, automation: manifest }

const names = fc.constantFrom(
  'name',
  'roles',
  'id',
  'policy',
  'provider',
  'site',
  'fence',
  'nodes',
  'connections',
  'runtime',
  'run_config',
  'version',
)
const values = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    0,
    1,
    -1,
    0.5,
    2,
    '',
    ' ',
    'x',
    'claude',
    [],
    {},
    [{}],
    [{ id: '' }],
    [{ id: 'a', provider: { x: 1 } }],
  ),
  fc.constantFrom<unknown>(
    { abortThreshold: 2 },
    { maxUsd: 0 },
    { idle_minutes: -1 },
    { domains: [1] },
    [{ type: '' }],
    ['a', 1],
  ),
  fc.jsonValue({ maxDepth: 3 }),
)

describe('the check of the upload form', () => {
  for (const kind of schemaKinds) {
    it(`refuses of kind ${kind} what the schema refuses, and nothing else`, () => {
      const schema = schemaOf(kind, '')
      const validate = ajv.compile(schemaOf(kind, `https://${kind}.example`))
      assert.equal(wrongIn(samples[kind], schema as Schema), undefined)
      let refused = 0
      fc.assert(
        fc.property(fc.dictionary(names, values, { maxKeys: 3 }), values, fc.boolean(), (changes, other, isWhole) => {
          const value: unknown = isWhole ? other : JSON.parse(JSON.stringify({ ...samples[kind], ...changes }))
          const wrong = wrongIn(value, schema as Schema)
          if (wrong !== undefined) refused += 1
          assert.equal(wrong === undefined, validate(value), JSON.stringify(wrong ?? validate.errors))
        }),
        { numRuns: 1000 },
      )
      assert.ok(refused > 50)
    })
  }

  it('names the place and the reason', () => {
    const wrong = (changes: object) => wrongIn({ ...org, ...changes }, schemaOf('org', '') as Schema)
    assert.deepEqual(wrong({ roles: [{ id: 'a' }, {}] }), { place: 'roles.1.id', name: 'missing', value: '' })
    assert.deepEqual(wrong({ roles: [] }), { place: 'roles', name: 'entries', value: 1 })
    assert.deepEqual(wrong({ roles: [{ id: 'a', provider: { key: 'x' } }] }), {
      ...{ place: 'roles.0.provider.key', name: 'unknown', value: '' },
    })
    assert.deepEqual(wrongIn(3, schemaOf('org', '') as Schema), { place: '', name: 'type', value: 'object' })
  })

  it('reads the manifest of a package, stored or deflated, and ends at every hostile archive', async () => {
    const text = await manifestIn(automationFile({ name: 'Board' }))
    assert.equal(JSON.parse(text!).name, 'Board')
    const entries = { 'README.md': strToU8('x'.repeat(70_000)), 'automation.json': strToU8('{"id": "deflated"}') }
    const deflated = zipSync(entries, { level: 9 })
    assert.equal(await manifestIn(new Blob([deflated])), '{"id": "deflated"}')
    const stored = zipSync(entries, { level: 0 })
    assert.equal(await manifestIn(new Blob([stored])), '{"id": "deflated"}')
    assert.equal(await manifestIn(new Blob(['PK no'])), undefined)
    for (const { bytes } of hostileArchives) await manifestIn(new Blob([new Uint8Array(bytes)])).catch(() => undefined)
  })
})
