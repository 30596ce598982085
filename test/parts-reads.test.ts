// What is read while a part is off, derived from the contracts: every read, with what it asks for taken from the things that there are,
// by a member, a moderator and an admin. None of them says a word of a thing of that part.
import assert from 'node:assert/strict'
import { type PartName, partNames, partsOff } from '../src/contract/parts.ts'
import { ask } from './mcp/caller.ts'
import { fill, KINDS, mark } from './parts-content.ts'
import { addressesOf, idsOf, operations, reads } from './reads.ts'
import { turnOff } from './turned-off.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from './world.ts'

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
    const telling = await tellingIn(world, [
      ...new Set([...things, ...(await idsOf([world.alice, world.moderator, world.admin]))]),
    ])
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
