// What a server answers is in its description: the status, and a body that a validator of other people accepts.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'
import { api } from '../src/api.ts'
import type { Contract, Operation } from '../src/contract/operation.ts'
import { openApiOf } from '../src/surfaces/openapi/openapi.ts'
import { oauthClient, REDIRECT } from './oauth.ts'
import { onEveryEngine, type Person } from './world.ts'

const document = openApiOf(api, 'https://guildhall.example')
// Formats are for programs that read them.
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'api', ...document })

const operations = Object.entries(api).flatMap(([slice, contract]) =>
  Object.entries<Operation>(contract as Contract).map(([verb, operation]) => ({ name: `${slice}.${verb}`, operation })),
)
const described = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
  Object.keys(methods as object).map((method) => ({ path, method: method.toUpperCase() })),
)

const pointer = (...names: string[]) =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** What stands at a place of the document, and where that is in the end. */
function at(place: string): { place: string; value: unknown } {
  let value: unknown = document
  for (const name of place.split('/').slice(1)) {
    value = (value as Record<string, unknown> | undefined)?.[name.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  const { $ref } = (value ?? {}) as { $ref?: string }
  return $ref === undefined ? { place, value } : at($ref.slice(1))
}

/** Fails unless the description has this answer. */
async function requireDescribed(answer: Response, path: string, method: string): Promise<void> {
  const what = `${method} ${path} ${answer.status}`
  const { place, value } = at(pointer('paths', path, method.toLowerCase(), 'responses', String(answer.status)))
  assert.ok(value, `${what} is not described`)
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return
  const validate = ajv.compile({ $ref: `api#${place}/content/application~1json/schema` })
  const body: unknown = await answer.json()
  assert.ok(validate(body), `${what}: ${JSON.stringify(validate.errors)} of ${JSON.stringify(body)}`)
}

/** An address with something that is not there in the place of each name. */
const filled = (path: string) => `/api${path.replaceAll(/\{\w+\}/g, 'nothing')}`

const ELSEWHERE = { Origin: 'https://elsewhere.example', 'Content-Type': 'application/json' }
const send = (person: Person, path: string, body: unknown) =>
  person.request(`/api${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

it('No contract has a pattern with a flag, which JSON Schema does not know', () => {
  for (const { name, operation } of operations) {
    const types = [operation.input, operation.output, operation.deferredBody, operation.upload?.fields]
    for (const type of types.filter((one) => one instanceof z.ZodType)) {
      z.toJSONSchema(type, {
        unrepresentable: 'any',
        override({ zodSchema, jsonSchema }) {
          const { patterns } = zodSchema._zod.bag as { patterns?: Set<RegExp> }
          if (jsonSchema.pattern === undefined) return
          for (const { source, flags } of patterns ?? []) assert.ok(/^u?$/.test(flags), `${name}: /${source}/${flags}`)
        },
      })
    }
  }
})

onEveryEngine('what a server answers is described', (it) => {
  it('where a query is no text', async ({ alice }) => {
    for (const { path, method } of described) {
      if (method !== 'GET' || path.endsWith('/stream')) continue
      const answer = await alice.request(`${filled(path)}?x=%00`)
      assert.equal(answer.status, 400, path)
      await requireDescribed(answer, path, method)
    }
    await requireDescribed(await alice.request('/api/mcp?x=%00', { method: 'POST' }), '/mcp', 'POST')
  })

  it('where another site sends it with a cookie', async ({ alice }) => {
    for (const { path, method } of described) {
      if (method === 'GET') continue
      const answer = await alice.request(filled(path), { method, headers: ELSEWHERE, body: '{}' })
      await requireDescribed(answer, path, method)
    }
  })

  it('where a format is none', async ({ admin }) => {
    for (const { path, method } of described) {
      if (method !== 'GET' || path.endsWith('/stream')) continue
      await requireDescribed(await admin.request(`${filled(path)}?format=none`), path, method)
    }
  })

  it('where a board or an item that it names is not there', async ({ admin }) => {
    const bug = { title: 'T', description: 'D', severity: 'low' }
    const writes = { bugs: bug, features: bug, posts: { title: 'T', body: 'B' }, changelog: { title: 'T', body: 'B' } }
    for (const [kind, write] of Object.entries(writes)) {
      const path = `/community/${kind}`
      const read = await admin.request(`/api${path}?board=nowhere`)
      const written = await send(admin, path, { ...write, board: 'nowhere' })
      assert.deepEqual([kind, read.status, written.status], [kind, 404, 404])
      await requireDescribed(read, path, 'GET')
      await requireDescribed(written, path, 'POST')
    }
    for (const kind of ['bugs', 'features']) {
      const about = { item: 'workflow/nothing', version: '1.0.0' }
      const answer = await send(admin, `/community/${kind}`, { ...bug, about })
      assert.equal(answer.status, 404)
      await requireDescribed(answer, `/community/${kind}`, 'POST')
    }
  })

  it('where a colour has capitals', async ({ moderator }) => {
    const answer = await send(moderator, '/community/labels', { name: 'UI', color: '#aABb01' })
    assert.equal(answer.status, 201)
    await requireDescribed(answer, '/community/labels', 'POST')
    await requireDescribed(await moderator.request('/api/community/labels'), '/community/labels', 'GET')
  })

  it('where a refresh asks for a scope that its token lacks', async (world) => {
    const client = oauthClient(world)
    const clientId = await client.register()
    const { code, verifier } = await client.consent(world.alice, { clientId, scope: 'offline_access community:read' })
    const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: verifier }
    const { refresh_token = '' } = await client.token({ ...form, client_id: clientId })
    const again = { grant_type: 'refresh_token', refresh_token, client_id: clientId, scope: 'library:write' }
    const answer = await world.anonymous.request('/api/auth/oauth2/token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(again).toString(),
    })
    assert.equal(((await answer.clone().json()) as { error: string }).error, 'invalid_scope')
    await requireDescribed(answer, '/auth/oauth2/token', 'POST')
  })
})

onEveryEngine('a batch of messages', (it) => {
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
  const pong = (id: number) => ({ jsonrpc: '2.0', id, result: {} })

  it('is answered by a list, also where it has one message or one answer', async ({ anonymous }) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
    const told = { jsonrpc: '2.0', method: 'notifications/initialized' }
    for (const [batch, answers] of [
      [[ping(1)], [pong(1)]],
      [[ping(1), told], [pong(1)]],
      [
        [ping(1), ping(2)],
        [pong(1), pong(2)],
      ],
    ]) {
      const answer = await anonymous.request('/api/mcp', { method: 'POST', headers, body: JSON.stringify(batch) })
      assert.deepEqual(await answer.clone().json(), answers)
      await requireDescribed(answer, '/mcp', 'POST')
    }
  })
})
