// What is read while a part is off, derived from the contracts: every read, with what it asks for taken from the things that there are,
// by a member, a moderator and an admin. None of them says a word of a thing of that part.
import assert from 'node:assert/strict'
import { api } from '../src/api.ts'
import { addressOf } from '../src/contract/addresses.ts'
import { type Contract, pathNames } from '../src/contract/operation.ts'
import { type PartName, partNames, partsOff } from '../src/contract/parts.ts'
import { ask } from './mcp/caller.ts'
import { fill, KINDS, mark } from './parts-content.ts'
import { sampleOf } from './samples.ts'
import { turnOff } from './turned-off.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from './world.ts'

const operations = Object.entries(api as Record<string, Contract>).flatMap(([slice, contract]) =>
  Object.entries(contract).map(([verb, operation]) => ({ name: `${slice}.${verb}`, operation })),
)
/** Streams go on, and what is signed in the log stays as it is. */
const LEFT_OUT: ReadonlySet<string> = new Set(['notifications.stream'])
const reads = operations.filter(({ name, operation }) => operation.method === 'GET' && !LEFT_OUT.has(name))

/** Every address of a read: with each id that it may be about. */
function addressesOf({ operation }: (typeof reads)[number], ids: readonly string[]): string[] {
  const { input, path } = operation
  const needed = Object.entries(input.shape).filter(
    ([name, field]) => pathNames(path).includes(name) || !field.safeParse(undefined).success,
  )
  const rest = Object.fromEntries(needed.map(([name, field]) => [name, sampleOf(field)]))
  const about = needed.map(([name]) => name).filter((name) => name === 'id' || name.endsWith('Id'))
  const inputs = about.length === 0 ? [rest] : ids.map((id) => ({ ...rest, [about[0] ?? 'id']: id }))
  return inputs.map((one) => `/api${addressOf(operation, one)}`)
}

const IDS = /"id":"([0-9a-f-]{36})"/g

/** The ids of everything that the reads without an id say. */
async function idsOf({ admin, alice, moderator }: World): Promise<string[]> {
  const ids = new Set<string>()
  for (const person of [alice, moderator, admin]) {
    for (const read of reads.filter(({ operation }) => pathNames(operation.path).length === 0)) {
      for (const address of addressesOf(read, [])) {
        const text = await (await person.request(address)).text()
        for (const [, id] of text.matchAll(IDS)) ids.add(id ?? '')
      }
    }
  }
  return [...ids]
}

const documents = [
  '/llms.txt',
  '/auth.md',
  '/.well-known/agent-skills/guildhall/SKILL.md',
  '/.well-known/agent-skills/index.json',
  '/api/mcp/server-card',
]

/** What the documents for agents call what is off. */
const words: readonly (readonly [off: readonly PartName[], word: RegExp])[] = [
  [['bugs'], /\bbugs?\b/i],
  [['features'], /\bfeatures?\b/i],
  [['bugs', 'features'], /before you file|\bfiling\b/i],
  [['posts'], /secrets into [^.]*\bposts\b/],
  [['blog'], /\bblog\b/i],
  [['changelog'], /\bchangelog\b/i],
  [['orgs'], /\borgs?\b/i],
  [['workflows'], /\bworkflows?\b/i],
  [['automations'], /\bautomations?\b/i],
  [['orgs', 'workflows', 'automations', 'skills', 'mcp-servers'], /\b(library|readmes?|publish\w*|downloads?)\b/i],
]

interface PageRequest {
  person: Person
  address: string
  name: string
}

const textOf = async ({ person, address }: PageRequest) => (await person.request(address)).text()

/** Every read that says a word of a thing while all parts are on; the others have nothing to keep back. */
async function tellingIn(world: World, ids: readonly string[]): Promise<PageRequest[]> {
  const telling: PageRequest[] = []
  for (const person of [world.alice, world.admin]) {
    for (const read of reads) {
      for (const address of addressesOf(read, ids)) {
        const told = { person, address, name: read.name }
        const text = await textOf(told)
        if (KINDS.some((kind) => text.includes(mark(kind)))) telling.push(told)
      }
    }
  }
  return telling
}

onEveryEngine('reads while a part is off', (it) => {
  it('say no word of it', async (world) => {
    const things = await fill(world)
    const telling = await tellingIn(world, [...new Set([...things, ...(await idsOf(world))])])
    assert.ok(new Set(telling.map(({ name }) => name)).size > 40)
    const said: string[] = []
    for (const name of partNames) {
      const { kinds } = partsOff({ partsOff: [name] })
      const marks = KINDS.filter((kind) => kinds.has(kind)).map(mark)
      if (marks.length === 0) continue
      await turnOff(world, [name])
      for (const told of telling) {
        const text = await textOf(told)
        const word = marks.find((one) => text.includes(one))
        if (word) said.push(`${told.name}: ${text.slice(Math.max(0, text.indexOf(word) - 200)).slice(0, 400)}`)
      }
    }
    assert.deepEqual(said, [])
  })

  for (const [names, word] of words) {
    it(`have no word of it in documents for agents: ${names.join(', ')}`, async (world) => {
      await turnOff(world, names)
      for (const path of documents.slice(0, 4)) {
        const text = await (await world.anonymous.request(path)).text()
        assert.doesNotMatch(text, word, path)
      }
    })
  }

  for (const name of partNames) {
    const off = partsOff({ partsOff: [name] })

    it(`has no tool, operation or page in documents for agents: ${name}`, async (world) => {
      await turnOff(world, [name])
      const its = operations.filter((operation) => off.hasOperation(operation.name))
      const on = operations.filter((operation) => !off.hasOperation(operation.name))
      const shared = new Set(on.map(({ operation }) => operation.tool?.name))
      for (const path of documents) {
        const text = await (await world.anonymous.request(path)).text()
        for (const { operation } of its) {
          const tool = operation.tool?.name
          if (tool && !shared.has(tool)) assert.doesNotMatch(text, new RegExp(`\\b${tool}\\b`), path)
          assert.ok(
            !text.includes(`${operation.path} `) && !text.includes(`${operation.path})`),
            `${path}: ${operation.path}`,
          )
        }
        for (const page of off.pages) assert.ok(!text.includes(`${BASE_URL}${page}`), `${path} leads to ${page}`)
      }
    })

    it(`is no value of an enumeration: ${name}`, async (world) => {
      await turnOff(world, [name])
      const described = [
        await (await world.anonymous.request('/api/openapi.json')).text(),
        JSON.stringify((await ask(world.app, 'tools/list')).messages),
      ]
      for (const text of described) {
        for (const [, values = ''] of text.matchAll(/"enum":\[([^\]]*)\]/g)) {
          const all = values.split(',').map((value) => value.replaceAll(/^"|"$/g, ''))
          const left = all.filter((value) => !off.kinds.has(value) && !off.hasEvent(value))
          assert.ok(left.length === all.length || left.length === 0, values)
        }
      }
    })
  }
})
