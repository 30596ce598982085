// What a query finds: the documents that have all words; where these are few, those that have words that begin like them or are spelt like
// them; and then those that have most of a few words, or some of a sentence. Everything that is read is bounded.
import { MAX_QUERY } from '../contract/fields.ts'
import { type SearchType, searchTypes } from '../contract/kinds.ts'
import type { Db } from '../database/schema.ts'
import { asName, COUNTED_SHARE } from './document.ts'
import { ALL, typeOfNumber } from './queries.ts'
import {
  type Alternatives,
  allOf,
  type Expression,
  effort,
  estimate,
  expressionOf,
  MAX_WORDS,
  surfacesOf,
  termsIn,
  type Unit,
  wordsOf,
} from './query.ts'
import type { Closeness } from './ranking.ts'
import { listNumbers, listPlaces, MAX_NUMBERS } from './reading-queries.ts'
import { stemOf } from './stem.ts'
import { mostUsed, nearest, type VocabularyWord } from './typos.ts'
import { listBegun, listKnown, listSimilar, mapCounts } from './vocabulary-queries.ts'
import { type Weights, weigh } from './weighing.ts'
import { listNewestNumbers } from './windows.ts'
import { nameKey } from './words.ts'

/** Fewer hits are little: then more is tried. */
const FEW = 3
/** So many words are a sentence, such as an error message: things with some of them are found too, where fewer than a page have all. */
const SENTENCE = 4
const FEW_OF_SENTENCE = 10
/** So many words of a sentence that are nowhere are corrected. */
const MAX_CORRECTED = 8
/** A search that finds more, by estimate, or reads more of the index, looks at the newest documents only. */
const MAX_ESTIMATED = 4_096
const MAX_EFFORT = 50_000
/** Shorter words match themselves only, or as the last word also what they begin. */
const SHORTEST_BEGUN = 3
/** A word that so many documents have matches itself alone. */
const ENOUGH = 1_000
/** How many of the words that a word begins match it where it is not the last. */
const MAX_BEGUN_WITHIN = 8

/** What was searched for in the end, and the numbers that it found. */
export interface SearchOutcome {
  units: readonly Unit[]
  alternatives: Alternatives
  expression: Expression
  numbers: Map<number, Closeness>
  /** Of these the ones that are named so. */
  named: ReadonlySet<number>
  /** Whether only the newest documents were looked at. */
  isPartial: boolean
  /** Words that no document has, and what was searched for instead. */
  corrected: { word: string; to: string }[]
  /** Of a sentence that few have whole: what its words say, and the documents that have some of them. */
  weighed?: Weights & { expressions: readonly Expression[] }
}

export interface SeekOptions {
  /** Whether things that have some of the words are wanted: they are of use where the best come first. */
  inPart: boolean
}

/** Tries all words, then words like them, then most or some of the words, as long as little is found and nothing is named so. */
export async function seek(
  db: Db,
  q: string,
  { units, inPart }: SeekOptions & { units: readonly Unit[] },
): Promise<SearchOutcome> {
  const isSentence = inPart && units.length >= SENTENCE
  const last = units.at(-1)
  const alternatives = new Map<string, readonly string[]>()
  for (const word of new Set(last && [last.whole, last.parts.at(-1) ?? last.whole])) {
    alternatives.set(word, begunBy(word, await listBegun(db, word)))
  }
  const expression = allOf(units.map((unit) => expressionOf(unit, alternatives)))
  const isLong = units.length > MAX_WORDS
  const { numbers, isPartial } = isLong ? { numbers: [], isPartial: false } : await numbersOf(db, expression)
  const named = new Set(await listNumbers(db, asName(nameKey(q.slice(0, MAX_QUERY)))))
  const sought: SearchOutcome = {
    ...{ units, alternatives, expression, named, isPartial, corrected: [] },
    numbers: new Map([...numbers, ...named].map((n) => [n, 'exact'])),
  }
  if (sought.numbers.size >= (isSentence ? FEW_OF_SENTENCE : FEW) || (named.size > 0 && !isLong)) return sought
  return isSentence ? seekSome(db, sought) : seekClose(db, sought)
}

/** What has some of the words, by how much they say. The whole of a name says something, and so does each of its parts. */
async function seekSome(db: Db, before: SearchOutcome): Promise<SearchOutcome> {
  const { alternatives, corrected } = await alternativesOf(db, { units: before.units, alternatives: new Map() }, true)
  const expressions = wordsOf(before.units, alternatives)
  const weighed = await weigh(db, expressions)
  const some = [...weighed.weights.keys()].filter((n) => !before.numbers.has(n))
  return {
    ...{ ...before, alternatives, corrected, expression: { any: expressions } },
    numbers: new Map([...before.numbers, ...some.map((n): [number, Closeness] => [n, 'some'])]),
    isPartial: before.isPartial || weighed.isPartial,
    weighed: { ...weighed, expressions },
  }
}

/** Terms of the words that a word begins; none where it is a word that is used enough itself. */
export const begunBy = (word: string, begun: readonly VocabularyWord[]): string[] =>
  begun.some((one) => one.word === word && one.count * COUNTED_SHARE >= ENOUGH) ? [] : begun.map(({ term }) => term)

async function seekClose(db: Db, before: SearchOutcome): Promise<SearchOutcome> {
  const { units } = before
  const { alternatives, unknown, corrected } = await alternativesOf(db, before, false)
  const numbers = new Map(before.numbers)
  let { isPartial } = before
  const add = async (expression: Expression, closeness: Closeness) => {
    const found = await numbersOf(db, expression)
    isPartial ||= found.isPartial
    for (const n of found.numbers) if (!numbers.has(n)) numbers.set(n, closeness)
  }
  const expressions = units.map((unit) => expressionOf(unit, alternatives))
  const expression = allOf(expressions)
  if ([...alternatives].some(([word, terms]) => terms.length > (before.alternatives.get(word)?.length ?? 0))) {
    await add(expression, 'close')
  }
  if (numbers.size < FEW) {
    for (const most of mostWords(units, expressions, unknown)) {
      await add(most, 'most')
      if (numbers.size > 0) break
    }
  }
  return { ...before, alternatives, expression, numbers, isPartial, corrected }
}

/** The other words that each word may match. A word that is nowhere is spelt wrongly; otherwise any may be. */
async function alternativesOf(
  db: Db,
  { units, ...before }: Pick<SearchOutcome, 'units' | 'alternatives'>,
  ofUnknown: boolean,
) {
  const words = ofUnknown ? await listNowhere(db, surfacesOf(units)) : await listUnusual(db, surfacesOf(units))
  const begun = new Map<string, readonly VocabularyWord[]>()
  for (const word of words) begun.set(word, word.length < SHORTEST_BEGUN ? [] : await listBegun(db, word))
  const known = await listKnown(db, words)
  const nowhere = words.filter((word) => !known.has(word) && begun.get(word)?.length === 0)
  const doubted = nowhere.length > 0 ? nowhere : words
  const unknown = new Set<string>()
  const corrected: SearchOutcome['corrected'] = []
  const alternatives = new Map(before.alternatives)
  for (const word of words) {
    const meant = doubted.includes(word) ? await correct(db, word) : []
    if (nowhere.includes(word)) {
      if (!meant[0]) unknown.add(word)
      const to = units.some(({ parts }) => parts.includes(word)) ? await firstShown(db, meant) : undefined
      if (to !== undefined) corrected.push({ word, to })
    }
    const within = begunBy(word, begun.get(word) ?? []).slice(0, MAX_BEGUN_WITHIN)
    alternatives.set(word, [...(before.alternatives.get(word) ?? []), ...within, ...meant.map(({ term }) => term)])
  }
  return { alternatives, unknown, corrected }
}

/** Of many words those that are nowhere, as far as they are corrected. */
async function listNowhere(db: Db, words: readonly string[]): Promise<string[]> {
  const known = await listKnown(db, words)
  return words.filter((word) => !known.has(word)).slice(0, MAX_CORRECTED)
}

/** Words that are used enough are meant as they are: reading what is like them would cost more than the search itself. */
async function listUnusual(db: Db, words: readonly string[]): Promise<string[]> {
  const counts = await mapCounts(db, words.map(stemOf))
  return words.filter((word) => (counts.get(stemOf(word)) ?? 0) * COUNTED_SHARE < ENOUGH)
}

const MAX_LOOKED_AT = 50

/** The first of these words that a reader finds. Words of what is gone stay in the vocabulary, and must not be told. */
async function firstShown(db: Db, words: readonly VocabularyWord[]): Promise<string | undefined> {
  for (const { word, term } of words) {
    const { numbers } = await numbersOf(db, term)
    if (numbers.length > 0 && (await listPlaces(db, numbers.slice(0, MAX_LOOKED_AT))).length > 0) return word
  }
  return undefined
}

/** The words that are meant by a wrong one, the likeliest first. */
async function correct(db: Db, word: string): Promise<VocabularyWord[]> {
  const near = nearest(word, await listSimilar(db, word)).map((one) => ({ word: one, term: stemOf(one) }))
  const counts = await mapCounts(
    db,
    near.map(({ term }) => term),
  )
  return mostUsed(
    word,
    near.map((one) => ({ ...one, count: counts.get(one.term) ?? 0 })),
  )
}

/** Most of the words: those that any document has, and all of these but one. */
function* mostWords(
  units: readonly Unit[],
  expressions: readonly Expression[],
  unknown: ReadonlySet<string>,
): Generator<Expression> {
  const known = expressions.filter((_, at) => units[at]?.parts.some((part) => !unknown.has(part)))
  if (known.length > 0 && known.length < units.length && known.length * 2 >= units.length) yield allOf(known)
  if (known.length > 1 && (known.length - 1) * 2 >= units.length) yield { most: known }
}

/** The numbers of what has this: all of them, or where every word is common those among the newest documents of each of these types. */
export async function numbersOf(
  db: Db,
  expression: Expression,
  types: readonly SearchType[] = searchTypes,
): Promise<{ numbers: number[]; isPartial: boolean }> {
  const counts = await mapCounts(db, [ALL, ...termsIn(expression)])
  const total = counts.get(ALL) ?? 0
  const found = estimate(expression, counts, total) * COUNTED_SHARE
  if (found > MAX_ESTIMATED || effort(expression, counts) * COUNTED_SHARE > MAX_EFFORT) {
    return { numbers: await listNewestNumbers(db, expression, { types, counts }), isPartial: true }
  }
  const numbers = await listNumbers(db, expression)
  const isPartial = numbers.length === MAX_NUMBERS
  if (types === searchTypes) return { numbers, isPartial }
  const wanted = new Set<SearchType | undefined>(types)
  return { numbers: numbers.filter((n) => wanted.has(typeOfNumber(n))), isPartial }
}

/** The documents that have the words of several parts as they are written. */
export async function wholeWords(db: Db, units: readonly Unit[]): Promise<ReadonlySet<number>> {
  const wholes = units.filter(({ whole, parts }) => parts.length > 1 || parts[0] !== whole)
  if (wholes.length === 0) return new Set()
  return new Set((await numbersOf(db, allOf(wholes.map(({ whole }) => stemOf(whole))))).numbers)
}
