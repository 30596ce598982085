// The description of the API holds what it says: other people's linter passes it, and its examples are what is accepted.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { api } from '../src/api.ts'
import { contentTypesOf } from '../src/contract/files.ts'
import { type Operation, placesOf } from '../src/contract/operation.ts'
import { UNKNOWN_TEXT } from '../src/surfaces/openapi/examples.ts'
import { openApiOf } from '../src/surfaces/openapi/openapi.ts'
import { openApiText } from '../src/surfaces/openapi/served.ts'
import { dereferenced } from './dereferenced.ts'
import { AGENT } from './oauth.ts'
import { onEveryEngine } from './world.ts'

const { Spectral } = spectralCore
const { oas } = spectralRulesets

interface Described {
  operationId: string
  deprecated?: boolean
  parameters?: { name: string; description?: string; deprecated?: boolean }[]
  security?: Record<string, string[]>[]
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<
    string,
    { content?: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> }
  >
}

const document = openApiOf(api, 'https://guildhall.dev')
const paths = (await dereferenced(document)).paths as unknown as Record<string, Record<string, Described>>
const operations = Object.entries(api).flatMap(([slice, contract]) =>
  Object.entries(contract).map(([verb, operation]): [string, Operation, Described] => [
    `${slice}.${verb}`,
    operation,
    paths[operation.path]![operation.method.toLowerCase()]!,
  ]),
)

async function lint(path: string): Promise<{ code: number | null; output: string }> {
  const cli = 'node_modules/@redocly/cli/bin/cli.js'
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const child = spawn(process.execPath, [cli, 'lint', path, '--extends', 'recommended', '--max-problems', '50'], {
    env,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { code, output }
}

it('is what a server gives at its own address, without making it', async () => {
  assert.equal(
    await openApiText({ baseUrl: 'https://guildhall.dev', name: 'Guildhall', partsOff: [], ai: {} as never }),
    JSON.stringify(document),
  )
})

it('says what is answered by files of JSON, and how what is asked for wrongly is refused', () => {
  const contentOf = (path: string, method: string, status: string) =>
    paths[path]?.[method]?.responses[status]?.content as Record<string, { schema?: { type?: string } }> | undefined
  for (const path of ['/library/items/{id}/artifact', '/library/{kind}/{slug}/{version}/file'])
    assert.equal(contentOf(path, 'get', '200')?.['application/json']?.schema?.type, 'object', path)
  assert.ok(contentOf('/community/notifications/stream', 'get', '400')?.['application/json'])
  assert.ok(contentOf('/mcp', 'post', '406')?.['application/json'])
  for (const method of ['get', 'post']) {
    const types = Object.keys(contentOf('/auth/oauth2/authorize', method, '400') ?? {})
    assert.deepEqual(types.sort(), ['application/json', 'text/html'], method)
  }
})

it('passes the recommended rules of Redocly without a warning', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-openapi-'))
  try {
    const path = join(folder, 'openapi.json')
    await writeFile(path, JSON.stringify(document))
    const { code, output } = await lint(path)
    assert.equal(code, 0, output)
    assert.doesNotMatch(output, /warning/i, output)
  } finally {
    await rm(folder, { recursive: true })
  }
})

it('passes the recommended rules of Spectral without a warning', async () => {
  const spectral = new Spectral()
  // Redocly has the same rule for examples, and compiles each schema once.
  const rules = { 'oas3-valid-media-example': 'off' }
  spectral.setRuleset({ extends: [[oas, 'recommended']], rules } as RulesetDefinition)
  const found = await spectral.run(JSON.stringify(document))
  assert.deepEqual(
    found.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`),
    [],
  )
})

it('describes every parameter', () => {
  for (const [path, methods] of Object.entries(paths)) {
    for (const { operationId, parameters = [] } of Object.values(methods)) {
      for (const { name, description } of parameters) assert.ok(description, `${operationId} ${path} ${name}`)
    }
  }
})

it('describes the refusal of a bad input wherever there is an input, files included', () => {
  for (const [name, operation, { responses }] of operations) {
    const { path, query, body } = placesOf(operation)
    const takesInput = path.length + query.length + body.length > 0 || operation.upload
    if (takesInput) assert.ok(responses['400']?.content?.['application/json']?.examples?.['invalid_request'], name)
    if (operation.upload) assert.ok(responses[operation.access.area.statusOf('too_large')], name)
  }
})

it('shows the addresses of an item as they are answered: absolute', () => {
  const { example } = paths['/library/items/{id}']!['get']!.responses['200']!.content!['application/json']!
  const item = example as Record<string, string>
  for (const name of ['url', 'artifact_url']) assert.match(item[name]!, /^https:\/\/guildhall\.example\//)
})

it('describes every operation under its own name, with what it asks of the caller', () => {
  for (const [name, { access }, described] of operations) {
    assert.equal(described.operationId, name)
    const scopes = described.security!.flatMap(({ oauth2 }) => oauth2 ?? [])
    const bySession = access.credential === 'none' || access.credential === 'session'
    assert.deepEqual(scopes, bySession || !access.scope ? [] : [access.scope], name)
  }
})

it('marks what has a better way, and only that', () => {
  const deprecated = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { deprecated = false }]) => (deprecated ? [`${method} ${path}`] : [])),
  )
  const ours = ['features', 'posts', 'changelog']
  assert.deepEqual(
    deprecated.sort(),
    [
      ...ours.map((kind) => `delete /community/${kind}/{id}/comments/{commentId}`),
      ...ours.map((kind) => `patch /community/${kind}/{id}/text`),
      ...['', '/badges'].map((part) => `get /community/users/{username}${part}`),
    ].sort(),
  )
})

it('has examples that the contracts themselves accept', () => {
  for (const [name, operation, described] of operations) {
    const { body } = placesOf(operation)
    const fields = operation.deferredBody ?? operation.input
    if (body.length > 0) {
      const { example } = described.requestBody!.content['application/json']!
      const { path } = placesOf(operation)
      const inPath = operation.deferredBody ? {} : Object.fromEntries(path.map((part) => [part, 'some-id']))
      const parsed = fields.safeParse({ ...(example as object), ...inPath })
      assert.ok(parsed.success, `${name} takes ${JSON.stringify(example)}: ${parsed.error?.message}`)
    }
    if (operation.upload) {
      const { example } = described.requestBody!.content['multipart/form-data']!
      const form = operation.upload.fields.safeParse(example)
      assert.ok(form.success, `${name} takes ${JSON.stringify(example)}: ${form.error?.message}`)
      for (const file of Object.keys(operation.upload.files)) assert.ok(file in (example as object), `${name} ${file}`)
    }
    if (contentTypesOf(operation.output)) continue
    const { example } = described.responses[operation.status ?? 200]!.content!['application/json']!
    const parsed = operation.output.safeParse(example)
    assert.ok(parsed.success, `${name} answers ${JSON.stringify(example)}: ${parsed.error?.message}`)
  }
})

it('has an example for every text', () => {
  const shown = (described: Described) =>
    [described.requestBody, ...Object.values(described.responses)].flatMap((part) =>
      Object.values(part?.content ?? {}).map(({ example }) => JSON.stringify(example) ?? ''),
    )
  for (const [name, , described] of operations) {
    for (const example of shown(described)) assert.ok(!example.includes(`"${UNKNOWN_TEXT}"`), `${name} ${example}`)
  }
})

it('names in a refusal for want of a scope the one that the operation asks for', () => {
  for (const [name, { access }, { responses }] of operations) {
    const refusal = responses['403']?.content?.['application/json']?.examples?.['insufficient_scope']
    if (access.credential === 'required' && access.scope) assert.ok(refusal, name)
    if (refusal) assert.match(JSON.stringify(refusal), new RegExp(`scope ${access.scope}"`), name)
  }
})

it('shows every refusal in the dialect of its area', () => {
  for (const [name, { access }, { responses }] of operations) {
    const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400)
    assert.ok(refusals.length > 0, name)
    for (const [status, { content }] of refusals) {
      for (const { value } of Object.values(content!['application/json']!.examples!)) {
        assert.ok(access.area.errorBody.safeParse(value).success, `${name} ${status}`)
      }
    }
  }
})

onEveryEngine('the endpoints of OAuth in it', (it) => {
  it('are those that the metadata of the server names', async ({ anonymous }) => {
    const answer = await anonymous.request('/api/auth/.well-known/oauth-authorization-server')
    const metadata = Object.entries((await answer.json()) as Record<string, string>)
    const named = metadata.filter(([name]) => name.endsWith('_endpoint') || name === 'jwks_uri')
    assert.ok(named.length > 5)
    for (const [name, url] of named) assert.ok(new URL(url).pathname.slice('/api'.length) in paths, name)
  })

  it('refuse with what it says', async ({ anonymous }) => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const refresh = 'grant_type=refresh_token&refresh_token=x'
    const requests: [path: string, init: RequestInit][] = [
      ['/auth/oauth2/token', { method: 'POST', headers: form, body: `${refresh}&client_id=nobody` }],
      ['/auth/oauth2/token', { method: 'POST', headers: form, body: `${refresh}&client_id=${AGENT}` }],
      ['/auth/oauth2/revoke', { method: 'POST', headers: form, body: 'token=x&client_id=nobody' }],
      ['/auth/oauth2/revoke', { method: 'POST', headers: form, body: 'client_id=nobody' }],
      ['/auth/oauth2/register', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '[]' }],
      ['/auth/oauth2/register', { method: 'POST', body: '{"redirect_uris":["https://agent.example/#here"]}' }],
      ['/auth/oauth2/userinfo', { headers: { Authorization: 'Bearer nonsense' } }],
      ['/auth/oauth2/userinfo', { method: 'POST' }],
    ]
    for (const [path, init] of requests) {
      const answer = await anonymous.request(`/api${path}`, init)
      const { error } = (await answer.json()) as { error: string }
      const described = paths[path]![(init.method ?? 'GET').toLowerCase()]!.responses[answer.status]
      assert.ok(described, `${path} ${answer.status}`)
      assert.ok(error in described.content!['application/json']!.examples!, `${path} ${answer.status} ${error}`)
    }
  })
})

it('Only `before` is deprecated: pages by a number are of the contract', () => {
  const marked = operations.flatMap(([name, , { parameters = [] }]) =>
    parameters.filter(({ deprecated }) => deprecated).map((one) => `${name} ${one.name}`),
  )
  const lists = ['pendingActs', 'agents', 'comments', 'notifications', 'news', 'follows']
  assert.deepEqual(
    marked.toSorted(),
    lists.map((slice) => `${slice}.${slice === 'agents' ? 'get' : 'list'} before`).toSorted(),
  )
})
