// What is taken as server.json is what the registry's schema of 2025-12-11 takes, field by field: each change below is judged by both.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isServerJson } from '../../../../test/mcp-registry.ts'
import { ServerJson } from './server-json.ts'

const input = { description: 'x', isRequired: true, isSecret: false, format: 'filepath', value: '{a}', choices: ['a'] }
const whole = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ...{ name: 'com.example/weather', title: 'Weather', description: 'Tells the weather.', version: '1.0.0' },
  ...{ websiteUrl: 'https://example.com', repository: { url: 'https://github.com/a/b', source: 'github', id: '1' } },
  icons: [{ src: 'https://example.com/a.png', mimeType: 'image/png', sizes: ['48x48', 'any'], theme: 'dark' }],
  packages: [
    {
      ...{ registryType: 'npm', registryBaseUrl: 'https://registry.example', identifier: 'a', version: '1.0.0' },
      ...{ fileSha256: 'a'.repeat(64), runtimeHint: 'npx', transport: { type: 'stdio' } },
      runtimeArguments: [{ type: 'positional', valueHint: 'x', isRepeated: true }],
      packageArguments: [{ type: 'named', name: '--port', ...input, variables: { a: input } }],
      environmentVariables: [{ name: 'KEY', ...input }],
    },
  ],
  remotes: [
    { type: 'sse', url: 'http://a.example/{b}', headers: [{ name: 'X', value: 'y' }], variables: { b: input } },
    { type: 'streamable-http', url: 'https://a.example' },
  ],
  _meta: { 'io.modelcontextprotocol.registry/publisher-provided': { a: 1 }, other: 1 },
}

/** Values of every type, and those that a rule of some field ends at. */
const values: readonly unknown[] = [
  ...[
    undefined,
    null,
    0,
    1.5,
    true,
    {},
    [],
    [{}],
    'x',
    '',
    'latest',
    'stdio',
    'sse',
    'named',
    'ftp://a',
    'https://a b',
  ],
  ...[
    'a/b',
    'a/b/c',
    'a'.repeat(64),
    'A'.repeat(64),
    'x'.repeat(100),
    'x'.repeat(101),
    'x'.repeat(255),
    'x'.repeat(256),
  ],
]

/** The value with each of its fields, at any depth, put to each of the values. */
function* changed(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const put = (next: unknown) => (Array.isArray(value) ? value.with(Number(key), next) : { ...value, [key]: next })
    for (const next of values) yield put(next)
    for (const next of changed(inner)) yield put(next)
  }
}

it('server.json is judged as by the schema of the registry', () => {
  let [taken, refused] = [0, 0]
  for (const one of [whole, ...changed(whole)]) {
    const value: unknown = JSON.parse(JSON.stringify(one))
    const isTaken = ServerJson.safeParse(value).success
    assert.equal(isTaken, isServerJson(value), JSON.stringify(value))
    if (isTaken) taken++
    else refused++
  }
  assert.ok(taken > 100 && refused > 500, `${taken} taken, ${refused} refused`)
})
