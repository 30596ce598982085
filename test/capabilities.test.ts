// What the things of a subject can do is said once, in its `can`: contracts and the lists of the application have just that.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { api } from '../src/api.ts'
import { can } from '../src/content/subject.ts'
import { type CapabilityName, capabilities } from '../src/contract/capabilities.ts'
import type { Contract } from '../src/contract/operation.ts'
import { keysOf } from '../src/contract/records.ts'
import { hidings, things } from '../src/features.ts'
import { subjects } from '../src/subjects.ts'

const names = keysOf(capabilities)

/** The operations of a subject that are at its own address, by their names in its contract. */
function operationsOf(path: string): Set<string> {
  const all = Object.values<Contract>(api).flatMap((contract) => Object.entries(contract))
  return new Set(all.flatMap(([name, operation]) => (`${operation.path}/`.startsWith(`${path}/`) ? [name] : [])))
}

for (const subject of subjects) {
  it(`${subject.many} say what they can do in the order of the capabilities, each once`, () => {
    const own = subject.can.map(({ name }) => name)
    assert.deepEqual(
      own,
      names.filter((name) => own.includes(name)),
    )
  })

  it(`${subject.many} have the operations of what they can do, and of nothing else`, () => {
    const operations = operationsOf(subject.path)
    for (const name of names) {
      // The blog and the library have lists of their own, and orgs and items are written in parts.
      const isOwn = !subject.kinds.some(({ kind }) => kind === subject.type) && ['lists', 'writes'].includes(name)
      for (const operation of isOwn ? [] : capabilities[name].operations)
        assert.equal(operations.has(operation), can(subject, name), `${name}: ${operation}`)
    }
  })
}

/** By a capability, the types of what the application lists for it. */
const listed: Partial<Record<CapabilityName, readonly { type: string }[]>> = {
  merges: things.mergeables,
  votes: things.votables,
  comments: things.commentables,
  moves: things.boarded,
  reports: hidings,
}

for (const name of keysOf(listed)) {
  it(`the application has a thing that ${name} of just those subjects that say so`, () => {
    const types = new Set(listed[name]?.map(({ type }) => type))
    for (const subject of subjects) assert.equal(types.has(subject.type), can(subject, name), subject.type)
  })
}

it('just those subjects name the version that they are about that say so', () => {
  for (const subject of subjects) {
    const list = Object.values<Contract>(api)
      .flatMap((contract) => Object.values(contract))
      .find(({ method, path }) => method === 'GET' && path === subject.path)
    assert.equal(Boolean(list && 'version' in list.input.shape && 'item' in list.input.shape), can(subject, 'concerns'))
  }
})

it('the application decides about the things of just those subjects that say so', () => {
  const decided = subjects.filter(({ can: own }) => own.some((one) => 'decides' in one)).map(({ type }) => type)
  assert.deepEqual(things.threads.map(({ type }) => type).sort(), [...decided].sort())
})
