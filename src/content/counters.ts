// Running counts, changed in the transaction that changes what they count: a list of any size knows its total at once.
import type { Db, Transaction } from '../database/schema.ts'
import * as queries from './counter-queries.ts'

/**
 * What is counted: a thing of a kind, in each group it belongs to (`all`, `by/<author>`, ...), under the values one can
 * filter a list by. Keys are `kind/group/value/value/`.
 */
export interface CountedThing {
  kind: string
  groups: readonly string[]
  facets: readonly string[]
}

export const increment = (db: Transaction, thing: CountedThing): Promise<void> => addToCount(db, thing, 1)
export const decrement = (db: Transaction, thing: CountedThing): Promise<void> => addToCount(db, thing, -1)

export function addToCount(db: Transaction, thing: CountedThing, delta: number): Promise<void> {
  return queries.addToCounters(db, changes(thing, delta))
}

/** Moves a thing to where it counts now; undefined for one that did not count, or no longer does. */
export async function recount(
  db: Transaction,
  before: CountedThing | undefined,
  after: CountedThing | undefined,
): Promise<void> {
  const sums = new Map<string, number>()
  for (const { key, count } of [...(before ? changes(before, -1) : []), ...(after ? changes(after, 1) : [])]) {
    sums.set(key, (sums.get(key) ?? 0) + count)
  }
  const moved = [...sums].filter(([, count]) => count !== 0)
  await queries.addToCounters(
    db,
    moved.map(([key, count]) => ({ key, count })),
  )
}

/** How many things of a group have these values, or one of several; undefined means any value. */
export async function countOf(
  db: Db,
  {
    kind,
    group,
    facets = [],
  }: { kind: string; group: string; facets?: readonly (string | readonly string[] | undefined)[] },
): Promise<number> {
  const prefix = `${kind}/${group}/`
  const counters = await queries.listCounters(db, prefix)
  return counters
    .filter(({ key }) => {
      const values = key.slice(prefix.length).split('/').slice(0, -1)
      const fits = (facet: (typeof facets)[number], value = '') =>
        facet === undefined || (typeof facet === 'string' ? facet === value : facet.includes(value))
      return values.length === facets.length && facets.every((facet, at) => fits(facet, values[at]))
    })
    .reduce((total, { count }) => total + count, 0)
}

const changes = ({ kind, groups, facets }: CountedThing, count: number) =>
  groups.map((group) => ({ key: [kind, group, ...facets, ''].join('/'), count }))
