// What a sentence or an error message finds: things that have some of its words, each by how much these words say. The rarest words are
// looked up first and what is read is bounded: a word that is everywhere finds nothing, but it counts where a thing was found by others.
import { searchTypes } from '../contract/kinds.ts'
import type { Db } from '../database/schema.ts'
import { COUNTED_SHARE } from './document.ts'
import { ALL } from './queries.ts'
import { type Expression, effort, termsIn } from './query.ts'
import { listNumbers } from './reading-queries.ts'
import { mapCounts } from './vocabulary-queries.ts'
import { listNewestNumbers } from './windows.ts'

/** So many entries of the index are read for a query, about. */
const MAX_READ = 8_000
/** A thing whose words say less than this share of what the best one has is left out. */
const LEAST_SHARE = 0.3

export interface Weights {
  /** How much the words say that a document has, by its number. */
  weights: ReadonlyMap<number, number>
  /** How much each word says, in the order of the query. */
  words: readonly number[]
  /** Whether only the newest documents were looked at. */
  isPartial: boolean
}

/** Documents that have words of a query, which are given as expressions. */
export async function weigh(db: Db, expressions: readonly Expression[]): Promise<Weights> {
  const counts = await mapCounts(db, [ALL, ...expressions.flatMap(termsIn)])
  const sizes = expressions.map((one) => effort(one, counts) * COUNTED_SHARE)
  const rarestFirst = [...expressions.keys()].sort((a, b) => sizes[a]! - sizes[b]! || a - b)
  const found = new Map<number, readonly number[]>()
  let read = 0
  for (const at of rarestFirst) {
    if (read + sizes[at]! > MAX_READ) break
    const numbers = await listNumbers(db, expressions[at]!)
    found.set(at, numbers)
    read += Math.max(sizes[at]!, numbers.length)
  }
  const isPartial = found.size === 0
  if (isPartial)
    found.set(
      rarestFirst[0]!,
      await listNewestNumbers(db, expressions[rarestFirst[0]!]!, { types: searchTypes, counts }),
    )
  const total = new Set([...found.values()].flat()).size
  const words = expressions.map((_, at) => weightOf(found.get(at)?.length ?? sizes[at]!, total))
  return { weights: above(sums(found, words)), words, isPartial }
}

/** The fewer of `total` documents have a word, the more it says (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, 3.1). */
const weightOf = (count: number, total: number): number =>
  Math.log(1 + Math.max(0, total - count) / (count + 0.5)) + Number.EPSILON

function sums(found: ReadonlyMap<number, readonly number[]>, words: readonly number[]): Map<number, number> {
  const weights = new Map<number, number>()
  for (const [at, numbers] of found) for (const n of numbers) weights.set(n, (weights.get(n) ?? 0) + words[at]!)
  return weights
}

function above(weights: ReadonlyMap<number, number>): Map<number, number> {
  let best = 0
  for (const weight of weights.values()) best = Math.max(best, weight)
  return new Map([...weights].filter(([, weight]) => weight >= LEAST_SHARE * best))
}

/**
 * At most so many of these numbers, the heaviest first and of equals the newest of a type. Few weights differ, so what weighs the same is
 * put in order together.
 */
export function heaviest(numbers: Iterable<number>, weights: Weights['weights'], most: number): number[] {
  const groups = Map.groupBy(numbers, (n) => weights.get(n) ?? 0)
  const first: number[] = []
  for (const weight of [...groups.keys()].sort((a, b) => b - a)) {
    if (first.length >= most) break
    first.push(...groups.get(weight)!.sort((a, b) => a - b))
  }
  return first.slice(0, most)
}
