// Things that say about the same as a new title, while it is typed. It reads the titles in the index of the search, each word once, and then
// the texts of the first things: people say the same in other words, and often in the text. What is read is bounded as for any search.
import type { SearchType } from '../contract/kinds.ts'
import type { Db } from '../database/schema.ts'
import { type Alternatives, type Expression, expressionOf, inTitles, type Unit, unitsOf } from './query.ts'
import { ranked } from './ranking.ts'
import { listPlaces, listTexts, type Place } from './reading-queries.ts'
import { wordsOfEach } from './relevance.ts'
import { begunBy, numbersOf } from './seeking.ts'
import { listBegun } from './vocabulary-queries.ts'
import { heaviest } from './weighing.ts'

/** What has less of the words in its title is shown where it has half of them in its title and text. */
const LEAST_IN_TITLE = 1 / 3
const LEAST = 1 / 2
/** What has so much of the words is likely about the same. */
const LIKELY = 3 / 4
/** The weight of a word that no title has: it may be a typing error. */
const UNUSED = 0.5
/** So many are ranked. */
const MAX_RANKED = 50
/** The texts of so many are read. */
const MAX_TEXTS = 30

export interface SimilarRequest {
  title: string
  types: readonly SearchType[]
  limit: number
  /** The time, in milliseconds. */
  now: number
}

/** `likely` where most of the words are there; rare words count more than common ones. */
export type Similar = Pick<Place, 'id'> & { likely: boolean }

/** The things of some types with the words of a title in theirs, and in their texts: the likely ones first, and of these the best. */
export async function findSimilar(db: Db, { title, types, limit, now }: SimilarRequest): Promise<Similar[]> {
  const units = unitsOf(title)
  const alternatives = await alternativesOf(db, units.at(-1))
  const expressions = units.map((unit) => expressionOf(unit, alternatives))
  const shares = new Map<number, number>()
  const weights: number[] = []
  for (const expression of expressions) {
    const { numbers, weight } = await titledWith(db, expression, types)
    weights.push(weight)
    for (const n of numbers) shares.set(n, (shares.get(n) ?? 0) + weight)
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const inTitle = (n: number) => (shares.get(n) ?? 0) / total
  const best = heaviest(shares.keys(), shares, MAX_RANKED)
  if (best.length === 0) return []
  const hits = (await listPlaces(db, best)).map((place) => ({
    ...place,
    ...({ closeness: 'most', isNamed: false, hasWhole: false } as const),
  }))
  const sums = await sumsOf(db, hits, { expressions, weights, first: best.slice(0, MAX_TEXTS) })
  const share = (n: number) => (sums.get(n) ?? 0) / total
  const shown = hits.filter(({ rowId }) => inTitle(rowId) >= LEAST_IN_TITLE || share(rowId) >= LEAST)
  const inOrder = ranked(shown, { units, alternatives }, now)
  const found = inOrder.map(({ id, rowId }) => ({ id, likely: share(rowId) >= LIKELY }))
  return [...found.filter(({ likely }) => likely), ...found.filter(({ likely }) => !likely)].slice(0, limit)
}

interface Weighed {
  expressions: readonly Expression[]
  weights: readonly number[]
  /** The numbers of what is read. */
  first: readonly number[]
}

/** How much the words say together that each thing has in its title and text, by its number. */
async function sumsOf(
  db: Db,
  places: readonly Place[],
  { expressions, weights, first }: Weighed,
): Promise<ReadonlyMap<number, number>> {
  const bodies = new Map((await listTexts(db, first)).map(({ rowId, body }) => [rowId, body]))
  const texts = places.map(({ rowId, title, names }) => ({ title, names, body: bodies.get(rowId) ?? '' }))
  const had = wordsOfEach(texts, expressions)
  const sumOf = (has: (at: number) => boolean) => weights.reduce((sum, weight, at) => sum + (has(at) ? weight : 0), 0)
  return new Map(places.map(({ rowId }, at) => [rowId, sumOf(had[at]!)]))
}

/** The last word may still be typed. */
async function alternativesOf(db: Db, last: Unit | undefined): Promise<Alternatives> {
  if (!last) return new Map()
  return new Map([[last.whole, begunBy(last.whole, await listBegun(db, last.whole))]])
}

/** The things with a word in their title, and how much the word says: one of many titles says little. */
async function titledWith(db: Db, expression: Expression, types: readonly SearchType[]) {
  const { numbers } = await numbersOf(db, inTitles(expression), types)
  return { numbers, weight: numbers.length === 0 ? UNUSED : 1 / (1 + Math.log10(1 + numbers.length)) }
}
