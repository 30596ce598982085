// Every read of the API, with what it asks for taken from the things that there are.
import { api } from '../src/api.ts'
import { addressOf } from '../src/contract/addresses.ts'
import { type Contract, pathNames } from '../src/contract/operation.ts'
import { sampleOf } from './samples.ts'
import type { Person } from './world.ts'

export const operations = Object.entries(api as Record<string, Contract>).flatMap(([slice, contract]) =>
  Object.entries(contract).map(([verb, operation]) => ({ name: `${slice}.${verb}`, operation })),
)
/** Streams go on, and what is signed in the log stays as it is. */
const LEFT_OUT: ReadonlySet<string> = new Set(['notifications.stream'])
export const reads = operations.filter(({ name, operation }) => operation.method === 'GET' && !LEFT_OUT.has(name))

/** Every address of a read: with each id that it may be about. */
export function addressesOf({ operation }: (typeof reads)[number], ids: readonly string[]): string[] {
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

/** The ids of everything that the reads without an id say to some people. */
export async function idsOf(people: readonly Person[]): Promise<string[]> {
  const ids = new Set<string>()
  for (const person of people) {
    for (const read of reads.filter(({ operation }) => pathNames(operation.path).length === 0)) {
      for (const address of addressesOf(read, [])) {
        const text = await (await person.request(address)).text()
        for (const [, id] of text.matchAll(IDS)) ids.add(id ?? '')
      }
    }
  }
  return [...ids]
}
