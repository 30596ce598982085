// Parts that are turned off (src/contract/parts.ts): each in turn, derived from the declarations. What is off answers as if it had never been
// there; turned on again, everything is there.
import assert from 'node:assert/strict'
import { it as one } from 'node:test'
import { api } from '../src/api.ts'
import { readConfig } from '../src/config/config.ts'
import { itemKinds, listNameOf } from '../src/contract/item-kinds.ts'
import type { Contract } from '../src/contract/operation.ts'
import { type PartName, partNames, parts, partsOff } from '../src/contract/parts.ts'
import { subjects } from '../src/subjects.ts'
import { requestOf } from '../src/surfaces/client.ts'
import { workflowFile } from './library.ts'
import { ask } from './mcp/caller.ts'
import { agentThatAsks, waits } from './pending.ts'
import { turnOff } from './turned-off.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from './world.ts'

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
  const lists = itemKinds.map(listNameOf)
  assert.ok(!offOf(...lists.slice(1)).hasOperation('library.list'))
  const all = offOf(...lists)
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
      assert.equal(its.length + off.kinds.size > 0, text.length < before.length)
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

  it('keeps the events that a webhook has of it, though no form shows them', async (world) => {
    const { admin } = world
    const some = await admin.webhooks.create({
      url: 'https://hooks.example/some',
      events: ['bug.created', 'post.created'],
    })
    const only = await admin.webhooks.create({ url: 'https://hooks.example/only', events: ['bug.created'] })
    await turnOff(world, ['bugs'])
    const eventsOf = async () => (await admin.webhooks.list({})).items.map(({ events }) => events)
    assert.deepEqual(await eventsOf(), [['post.created'], ['bug.created']])
    await admin.webhooks.update({ id: some.id, events: ['post.edited'] })
    await admin.webhooks.update({ id: only.id, events: [] })
    const other = { url: 'https://hooks.example/new', events: ['bug.edited' as const] }
    await assert.rejects(admin.webhooks.create(other), { status: 404 })
    await assert.rejects(admin.webhooks.update({ id: some.id, events: ['bug.edited'] }), { status: 404 })
    await turnOff(world, [])
    assert.deepEqual(await eventsOf(), [['bug.created', 'post.edited'], ['bug.created']])
    await admin.webhooks.update({ id: only.id, events: [] })
    assert.deepEqual((await eventsOf())[1], [])
  })

  it('is not counted as unread, and its drafts and names are not there', async (world) => {
    const { alice, bob } = world
    const { id } = await alice.bugs.create({ title: 'Crash', description: 'D', severity: 'low' })
    const post = await alice.posts.create({ title: 'Hello', body: 'B' })
    await bob.bugs.comment({ id, body: 'One' })
    await bob.posts.comment({ id: post.id, body: 'Two' })
    const draft = { path: '/community/bugs/new', form: 'create', fields: [{ name: 'title', text: 'x' }] }
    await alice.drafts.save(draft)
    await world.app.deliver()
    const counts = async () => [
      (await alice.notifications.count({})).unread,
      (await alice.notifications.list({})).unread,
      (await alice.news.list({})).unread,
      (await alice.drafts.list({ path: draft.path })).items.length,
    ]
    assert.deepEqual(await counts(), [2, 2, 2, 1])
    await turnOff(world, ['bugs'])
    assert.deepEqual(await counts(), [1, 1, 1, 0])
    await assert.rejects(alice.drafts.save(draft), { status: 404 })
    assert.deepEqual(await alice.notifications.read({ through: '99' }), { unread: 0 })
    await turnOff(world, [])
    assert.deepEqual(await counts(), [0, 0, 0, 1])
  })

  it('is in no page of an inbox, nor in its numbers, where an agent asks for a write about it', async (world) => {
    const { alice, bob } = world
    const agent = await agentThatAsks(world, ['library'])
    const post = await alice.posts.create({ title: 'Hello', body: 'B' })
    const item = await alice.library.publish({ kind: 'workflow', file: workflowFile({ name: 'Payroll' }) })
    await bob.posts.comment({ id: post.id, body: 'One' })
    await world.app.deliver()
    await waits(agent.library.delete({ id: item.id }))
    await world.app.deliver()
    await bob.posts.comment({ id: post.id, body: 'Two' })
    await world.app.deliver()
    for (const [off, told] of [
      [[], ['One', 'Remove an item with all its versions, votes and comments', 'Two']],
      [['workflows'], ['One', 'Two']],
    ] as const) {
      await turnOff(world, off)
      for (const reader of [alice, agent]) {
        assert.deepEqual(await inboxOf(reader), told)
        assert.deepEqual(await inboxOf(reader, 'newest first'), told.toReversed())
        const counts = [reader.notifications.count({}), reader.notifications.list({}), reader.news.list({})]
        assert.deepEqual(
          (await Promise.all(counts)).map(({ unread }) => unread),
          Array(3).fill(told.length),
        )
        assert.equal((await reader.news.list({})).items.length, told.length)
      }
    }
    const { unread } = await alice.notifications.read({ through: '1' })
    assert.equal(unread, 1)
  })
})

/** What an inbox tells, read one by one: the text, or else what is asked for. */
async function inboxOf({ notifications }: Pick<Person, 'notifications'>, order = 'oldest first'): Promise<string[]> {
  const told: string[] = []
  let place = order === 'oldest first' ? '0' : ''
  for (let pages = 0; pages < 10; pages++) {
    const request = order === 'oldest first' ? { after: place } : { cursor: place }
    const { items, next, nextCursor } = await notifications.list({ ...request, per_page: 1 })
    told.push(...items.map(({ excerpt, target }) => excerpt || target.title))
    const following = order === 'oldest first' ? next : nextCursor
    if (items.length === 0 || !following || following === place) return told
    place = following
  }
  throw new Error('the inbox has no end')
}
