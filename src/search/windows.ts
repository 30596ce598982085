// What an expression of common words finds among the newest documents of each type. FTS5 looks for the next document that has all words
// until it finds one, wherever a range ends. So each word is read by itself there, which ends with the range, and put together here.
import type { SearchType } from '../contract/kinds.ts'
import { engineOf } from '../database/engine.ts'
import type { Db } from '../database/schema.ts'
import { type Expression, effort, partsOf } from './query.ts'
import { listNumbersInAll, listNumbersWithin, listWindows, type Window } from './reading-queries.ts'

interface NewestOptions {
  types: readonly SearchType[]
  /** How many documents have a term, of those that are counted. */
  counts: ReadonlyMap<string, number>
}

/** The numbers of what has this among the newest documents of each of these types, ascending. */
export async function listNewestNumbers(
  db: Db,
  expression: Expression,
  { types, counts }: NewestOptions,
): Promise<number[]> {
  const windows = await listWindows(db, types)
  const found: number[] = []
  if (engineOf(db) === 'postgres') found.push(...(await listNumbersInAll(db, expression, windows)))
  else for (const window of windows) found.push(...(await numbersIn({ db, window, counts }, expression)))
  return found.sort((a, b) => a - b)
}

interface WindowSearch {
  db: Db
  window: Window
  counts: NewestOptions['counts']
}

/** A term, or one of several: the next document that has one is found without looking at others. */
const isSimple = (expression: Expression): boolean =>
  typeof expression === 'string' || ('any' in expression && expression.any.every((one) => typeof one === 'string'))

async function numbersIn(reading: WindowSearch, expression: Expression): Promise<number[]> {
  const { db, window, counts } = reading
  if (isSimple(expression)) return listNumbersWithin(db, expression, window)
  const parts = partsOf(expression)
  const needed =
    typeof expression === 'string' || 'any' in expression ? 1 : parts.length - ('most' in expression ? 1 : 0)
  const rarestFirst = parts.toSorted((a, b) => effort(a, counts) - effort(b, counts))
  // How many of the parts each document has, by its place in the window.
  const had = new Uint8Array(window.end - window.from)
  let left: number[] = []
  for (const [at, part] of rarestFirst.entries()) {
    const numbers = await numbersIn(reading, part)
    for (const n of numbers) had[n - window.from]!++
    // A document that lacks more than it may stays out, and after that many parts no further one comes in.
    const mayLack = parts.length - needed
    const candidates = at <= mayLack ? [...new Set([...left, ...numbers])] : left
    left = candidates.filter((n) => had[n - window.from]! >= at + 1 - mayLack)
    if (left.length === 0 && at >= mayLack) return []
  }
  return left.sort((a, b) => a - b)
}
