// Parts that are turned off (src/contract/parts.ts): each in turn, derived from the declarations. What is off answers as if it had never been
// there; turned on again, everything is there.
import assert from 'node:assert/strict'
import { it as one } from 'node:test'
import { api } from '../src/api.ts'
import { readConfig } from '../src/config/config.ts'
import type { Contract } from '../src/contract/operation.ts'
import { type PartName, partNames, parts, partsOff } from '../src/contract/parts.ts'
import { subjects } from '../src/subjects.ts'
import { requestOf } from '../src/surfaces/client.ts'
import { ask } from './mcp/caller.ts'
import { turnOff } from './turned-off.ts'
import { BASE_URL, onEveryEngine, type World } from './world.ts'

const operations = Object.entries(api as Record<string, Contract>).flatMap(([slice, contract]) =>
  Object.entries(contract).map(([verb, operation]) => ({ name: `${slice}.${verb}`, operation })),
)

const get = ({ app }: World, path: string, init?: RequestInit) =>
  Promise.resolve(app.fetch(new Request(`${BASE_URL}${path}`, init)))

const offOf = (...names: PartName[]) => partsOff({ partsOff: names })

one('every part names contracts and operations that there are', () => {
  const slices = new Set(Object.keys(api))
  const names = new Set(operations.map(({ name }) => name))
  for (const part of Object.values(parts)) {
    for (const name of part.operations) assert.ok(slices.has(name) || names.has(name), name)
  }
})

one('every subject but the items of the library is a part, with its kinds and its pages', () => {
  for (const { type, path, kinds } of subjects) {
    const off = partNames.filter((name) => kinds.some(({ kind }) => offOf(name).kinds.has(kind)))
    assert.deepEqual(off.length, kinds.length || 0, type)
    if (type === 'item' || type === 'blog') continue
    assert.ok(
      off.some((name) => offOf(name).hasPage(path)),
      path,
    )
  }
})

one('the setting takes names of parts, and refuses others', () => {
  assert.deepEqual(readConfig({ PARTS_OFF: 'blog, roadmap,blog' }).partsOff, ['blog', 'roadmap'])
  assert.deepEqual(readConfig({}).partsOff, [])
  assert.throws(
    () => readConfig({ PARTS_OFF: 'accounts' }),
    /PARTS_OFF is "accounts"; set it to names .* of posts, bugs/,
  )
})

one('what is only of other parts is off with all of them, and stays with one', () => {
  assert.ok(offOf('features').names.has('roadmap'))
  assert.ok(!offOf('orgs', 'workflows').hasOperation('library.list'))
  const all = offOf('orgs', 'workflows', 'automations')
  assert.ok(all.hasOperation('library.list') && all.hasOperation('teams.get') && all.hasPage('/library'))
  assert.ok(!offOf('bugs').hasPage('/community/bugs-of-mine'))
  assert.ok(offOf('bugs').hasPage('/community/bugs.atom') && offOf('bugs').hasPage('/community/bugs/1'))
})

onEveryEngine('a part that is off', (it) => {
  for (const name of partNames) {
    const off = offOf(name)
    const its = operations.filter((operation) => off.hasOperation(operation.name))

    it(`answers as an unknown path: ${name}`, async (world) => {
      await turnOff(world, [name])
      const unknown = await get(world, '/api/community/nothing')
      for (const { name: called, operation } of its) {
        const input = Object.fromEntries(Object.keys(operation.input.shape).map((field) => [field, 'nothing']))
        const { pathname } = new URL(requestOf(operation, input, { baseUrl: BASE_URL }).url)
        for (const person of [world.anonymous, world.admin]) {
          assert.equal((await person.request(pathname, { method: operation.method })).status, 404, called)
        }
        const preflight = await get(world, pathname, { method: 'OPTIONS' })
        assert.equal(preflight.headers.get('allow'), null, called)
        const response = await get(world, pathname)
        if (pathname.startsWith('/api/community/')) assert.equal(await response.text(), await unknown.clone().text())
      }
    })

    it(`is not in OpenAPI, and comes back: ${name}`, async (world) => {
      const read = async () => (await get(world, '/api/openapi.json')).text()
      const before = await read()
      await turnOff(world, [name])
      const text = await read()
      for (const { name: called } of its) assert.ok(!text.includes(`"operationId":"${called}"`), called)
      const document = JSON.parse(text)
      for (const [, group, component] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
        assert.ok(document.components[group ?? ''][component ?? ''], component ?? '')
      }
      assert.equal(its.length > 0, text.length < before.length)
      await turnOff(world, [])
      assert.equal(await read(), before)
    })

    it(`has no tools and no prompts of MCP: ${name}`, async (world) => {
      await turnOff(world, [name])
      const tools = JSON.stringify((await ask(world.app, 'tools/list')).messages)
      for (const { operation } of its) {
        const tool = operation.tool?.name
        const isShared = operations.some(
          (other) => other.operation.tool?.name === tool && !off.hasOperation(other.name),
        )
        if (tool && !isShared) assert.ok(!tools.includes(`"name":"${tool}"`), tool)
      }
      for (const { name: called } of its) {
        const answer = (
          await ask(world.app, 'tools/call', { name: 'call_operation', arguments: { name: called, input: {} } })
        ).messages
        assert.match(JSON.stringify(answer), /There is no operation called/)
      }
      const prompts = JSON.stringify((await ask(world.app, 'prompts/list')).messages)
      assert.equal(prompts.includes('file_bug'), name !== 'bugs')
    })
  }
})
