// Things whose title says about the same as a new one, while it is typed. It reads the titles in the index of the search, each word once:
// what is read is bounded as for any search.
import type { SearchType } from '../contract/kinds.ts'
import type { Db } from '../database/schema.ts'
import { type Alternatives, expressionOf, inTitles, type Unit, unitsOf } from './query.ts'
import { ranked } from './ranking.ts'
import { listPlaces, type Place } from './reading-queries.ts'
import { begunBy, numbersOf } from './seeking.ts'
import { listBegun } from './vocabulary-queries.ts'

/** A title that has less of the words is about something else; one that has as much is likely about the same. */
const LEAST = 1 / 3
const LIKELY = 2 / 3
/** The weight of a word that no title has: it may be a typing error. */
const UNUSED = 0.5
/** So many are ranked. */
const MAX_RANKED = 50

export interface SimilarRequest {
  title: string
  types: readonly SearchType[]
  limit: number
  /** The time, in milliseconds. */
  now: number
}

/** `likely` where most of the words are the same; rare words count more than common ones. */
export type Similar = Pick<Place, 'id'> & { likely: boolean }

/** The things of some types with the words of a title in theirs, the best first. */
export async function findSimilar(db: Db, { title, types, limit, now }: SimilarRequest): Promise<Similar[]> {
  const units = unitsOf(title)
  const alternatives = await alternativesOf(db, units.at(-1))
  const shares = new Map<number, number>()
  let total = 0
  for (const unit of units) {
    const { numbers, weight } = await titledWith(db, unit, { alternatives, types })
    total += weight
    for (const n of numbers) shares.set(n, (shares.get(n) ?? 0) + weight)
  }
  const shareOf = (n: number) => (shares.get(n) ?? 0) / total
  const best = [...shares.keys()]
    .filter((n) => shareOf(n) >= LEAST)
    .sort((a, b) => shareOf(b) - shareOf(a) || a - b)
    .slice(0, MAX_RANKED)
  if (best.length === 0) return []
  const hits = (await listPlaces(db, best)).map((place) => ({
    ...place,
    ...({ closeness: 'most', isNamed: false, hasWhole: false } as const),
  }))
  const inOrder = ranked(hits, { units, alternatives }, now).slice(0, limit)
  return inOrder.map(({ id, rowId }) => ({ id, likely: shareOf(rowId) >= LIKELY }))
}

/** The last word may still be typed. */
async function alternativesOf(db: Db, last: Unit | undefined): Promise<Alternatives> {
  if (!last) return new Map()
  return new Map([[last.whole, begunBy(last.whole, await listBegun(db, last.whole))]])
}

interface TitleSearchOptions {
  alternatives: Alternatives
  types: readonly SearchType[]
}

/** The things with a word in their title, and how much the word says: one of many titles says little. */
async function titledWith(db: Db, unit: Unit, { alternatives, types }: TitleSearchOptions) {
  const { numbers } = await numbersOf(db, inTitles(expressionOf(unit, alternatives)), types)
  return { numbers, weight: numbers.length === 0 ? UNUSED : 1 / (1 + Math.log10(1 + numbers.length)) }
}
