// The references of the description of the API: what repeats is said once, and with its references replaced it says what the contracts say.
import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { it } from 'node:test'
import { createSchema } from 'zod-openapi'
import { api } from '../src/api.ts'
import { contentTypesOf } from '../src/contract/files.ts'
import { entriesOf, isRepeatable, type Operation, placesOf } from '../src/contract/operation.ts'
import { rendering } from '../src/surfaces/openapi/component-schemas.ts'
import { openApiOf, wholeOpenApiOf } from '../src/surfaces/openapi/openapi.ts'
import { dereferenced } from './dereferenced.ts'

type Part = Record<string, unknown>
interface Answer {
  $ref?: string
  headers?: Record<string, Part>
  content?: Record<string, { schema?: unknown; examples?: Part }>
}
interface Described {
  operationId: string
  parameters?: { in: string; name: string }[]
  requestBody?: Part
  responses: Record<string, Answer>
}
interface Document {
  paths: Record<string, Record<string, Described>>
  components: Record<string, Record<string, Part>>
}

/** In bytes, with its part of what operations share. */
const BYTES_OF_AN_OPERATION = 2_600
const KINDS = ['responses', 'parameters', 'requestBodies', 'headers', 'examples']
const whole = wholeOpenApiOf(api, 'https://guildhall.dev') as unknown as Document
const document = openApiOf(api, 'https://guildhall.dev') as unknown as Document
const [before, after] = await Promise.all([dereferenced(whole), dereferenced(document)])

const operations = Object.entries(api).flatMap(([slice, contract]) =>
  Object.entries(contract).map(([verb, operation]): [string, Operation] => [`${slice}.${verb}`, operation]),
)
const describedOf = ({ paths }: Document, { path, method }: Operation): Described => paths[path]![method.toLowerCase()]!
const everyOperation = ({ paths }: Document) => Object.values(paths).flatMap((methods) => Object.values(methods))

/** Without the components that the references are to; schemas that contracts name were there before. */
function asBefore(given: Document): Document {
  const { schemas, securitySchemes } = given.components
  const known = Object.fromEntries(Object.keys(before.components['schemas']!).map((name) => [name, schemas![name]!]))
  return { ...given, components: { schemas: known, securitySchemes: securitySchemes! } }
}

it('says with its references what it says without them', () => {
  assert.ok(!JSON.stringify(after).includes('"$ref"'), 'every reference is replaced')
  assert.ok(!JSON.stringify(document).includes('x-component'))
  for (const kind of KINDS) assert.ok(!(kind in whole.components) && kind in document.components, kind)
  assert.deepEqual(asBefore(after), before)
})

it('says what its components say', async () => {
  const changed = structuredClone(document)
  for (const kind of [...KINDS, 'schemas']) {
    const parts = changed.components[kind]!
    const name = kind === 'schemas' ? 'Timestamp' : Object.keys(parts)[0]!
    parts[name] = { ...parts[name], description: `Other ${kind}` }
  }
  const other = asBefore(await dereferenced(changed))
  for (const kind of [...KINDS, 'schemas']) assert.ok(JSON.stringify(other.paths).includes(`Other ${kind}`), kind)
  assert.notDeepEqual(other, before)
})

it('is a file of less than 2.6 KB for an operation', async () => {
  const { size } = await stat('docs/openapi.json')
  assert.ok(size < BYTES_OF_AN_OPERATION * operations.length, `${size} bytes of ${operations.length} operations`)
})

it('says nothing twice that may be a reference', () => {
  const places = everyOperation(document).flatMap(({ parameters = [], requestBody, responses }) => [
    ...parameters,
    ...(requestBody ? [requestBody] : []),
    ...Object.values(responses),
  ])
  const headers = [...Object.values(document.components['responses']!), ...places].flatMap((part) =>
    Object.values('headers' in part ? (part.headers as Part) : {}),
  )
  const texts = [...places, ...headers]
    .map((part) => JSON.stringify(part))
    .filter((text) => !text.startsWith('{"$ref"'))
  const counted = Map.groupBy(texts, (text) => text)
  assert.ok(counted.size > 100)
  assert.deepEqual(
    [...counted].filter(([, same]) => same.length > 1).map(([text]) => text),
    [],
  )
})

it('names components in words, refers to each more than once, and has no two that generators call the same', () => {
  const text = JSON.stringify(document)
  const schemas = Object.keys(document.components['schemas']!)
  const suffixes = { responses: 'Response', parameters: 'Parameter', requestBodies: 'Body', headers: 'Header' }
  for (const kind of KINDS) {
    for (const name of Object.keys(document.components[kind]!)) {
      assert.match(name, /^[A-Z][A-Za-z]*$/, `${kind} ${name}`)
      assert.ok(text.split(`"#/components/${kind}/${name}"`).length > 2, `${kind} ${name}`)
    }
  }
  for (const [kind, suffix] of Object.entries(suffixes)) {
    for (const name of Object.keys(document.components[kind]!)) assert.ok(!schemas.includes(`${name}${suffix}`), name)
  }
})

it('has the components that it makes in the order of their names', () => {
  for (const kind of KINDS) {
    const names = Object.keys(document.components[kind]!)
    assert.deepEqual(names, [...names].sort(), kind)
  }
})

it('has the refusals of an operation in the words of its own area', () => {
  for (const [name, operation] of operations) {
    const { errorBody, statusOf } = operation.access.area
    const id = errorBody.meta()!.id!
    const own = createSchema(errorBody, { io: 'output', openapiVersion: '3.1.0' }).components[id]
    const { responses } = describedOf(after, operation)
    const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400)
    for (const [status, { content }] of refusals) {
      const { schema: shown, examples } = content!['application/json']!
      assert.deepEqual(shown, own, `${name} ${status}`)
      const codes = Object.keys(examples!) as Parameters<typeof statusOf>[0][]
      for (const code of codes) assert.equal(String(statusOf(code)), status, `${name} ${code}`)
    }
    for (const [status, { $ref }] of Object.entries(describedOf(document, operation).responses)) {
      const area = id.replace(/Error$/, '')
      if (Number(status) >= 400 && $ref) assert.ok($ref.startsWith(`#/components/responses/${area}`), `${name} ${$ref}`)
    }
  }
})

it('has the parameters and headers of each contract', () => {
  for (const [name, operation] of operations) {
    const { path, query } = placesOf(operation)
    const once = isRepeatable(operation)
    const isList = entriesOf(operation) !== undefined
    const { parameters = [], responses } = describedOf(after, operation)
    assert.deepEqual(
      parameters.map((parameter) => `${parameter.in} ${parameter.name}`).sort(),
      [
        ...path.map((field) => `path ${field}`),
        ...query.map((field) => `query ${field}`),
        ...(isList ? ['query format'] : []),
        ...(once ? ['header Idempotency-Key', 'header Prefer'] : []),
      ].sort(),
      name,
    )
    const { headers: named = {}, content = {} } = responses[operation.status ?? 200]!
    const headers = Object.keys(named)
    assert.equal(headers.includes('Link'), isList, name)
    for (const type of ['text/csv', 'application/jsonl']) assert.equal(type in content, isList, `${name} ${type}`)
    assert.equal(headers.includes('Dry-Run'), once, name)
    assert.equal(headers.includes('RateLimit'), operation.budget !== undefined, name)
  }
})

it('has the schema of the answer of each contract', async () => {
  const made = operations
    .filter(([, { output }]) => !contentTypesOf(output))
    .map(
      ([name, { output }]) =>
        [name, createSchema(output, { io: 'output', openapiVersion: '3.1.0', opts: rendering })] as const,
    )
  const { answers } = await dereferenced({
    components: { schemas: Object.assign({}, ...made.map(([, { components }]) => components)) },
    answers: Object.fromEntries(made.map(([name, { schema }]) => [name, schema])) as Record<string, unknown>,
  })
  assert.ok(made.length > 200)
  for (const [name, operation] of operations) {
    if (contentTypesOf(operation.output)) continue
    const { content } = describedOf(after, operation).responses[operation.status ?? 200]!
    assert.deepEqual(content!['application/json']!.schema, answers[name], name)
  }
})
