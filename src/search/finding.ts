// Finds documents and puts them in order: a page of the best hits, with counts by type.

import type { Writers } from '../contract/fields.ts'
import { type SearchType, searchTypes } from '../contract/kinds.ts'
import type { PartsOff } from '../contract/parts.ts'
import { type PageRequest, pageOfAll } from '../database/cursor.ts'
import type { Db } from '../database/schema.ts'
import { typeOfNumber } from './queries.ts'
import { inTitles, MAX_SENTENCE, MAX_WORDS, surfacesOf, termsIn, unitsOf } from './query.ts'
import { type Candidate, ranked } from './ranking.ts'
import { listNumbersOf, listPlaces, listTexts, mapTypes, type Place, type Text } from './reading-queries.ts'
import { relevancesOf } from './relevance.ts'
import { numbersOf, type SearchOutcome, seek, wholeWords } from './seeking.ts'
import { highlighter, type Part } from './snippets.ts'
import { stemOf } from './stem.ts'
import { heaviest } from './weighing.ts'

/** So many hits are ranked, and can be paged through. */
export const MAX_HITS = 300
/** So many are looked at for them, where some are hidden. */
export const MAX_CHOSEN = 2_000
/** The texts of so many hits that have some of the words are read, to put them in order. */
const MAX_READ = 100
/** So far the hits of a type are counted. */
export const MAX_COUNTED = 1_000
export interface SearchRequest extends PageRequest {
  q: string
  /** None for all. */
  types: readonly SearchType[]
  /** Ids of things that the query means by another name: they come first. */
  meant?: readonly string[]
  /** Only what people or agents wrote. */
  by?: Writers | undefined
  /** The best first unless told. */
  sort?: 'best' | 'newest'
  /** The time, in milliseconds. */
  now: number
  /** Parts whose things are not found, nor comments on them. */
  off?: PartsOff
  /** Where it is searched, beside everything: cursors are of it. `within` gives those of the numbers that are there. */
  place?: string
  within?(numbers: readonly number[]): Promise<readonly number[]>
}

export type Hit = Pick<Place, 'id' | 'type' | 'createdAt' | 'score' | 'viaClientId'> &
  Pick<Text, 'url' | 'authorUsername' | 'parentType' | 'parentId' | 'parentTitle'> & {
    title: Part[]
    text: Part[]
  }

export interface SearchPage {
  items: Hit[]
  hasMore: boolean
  nextCursor?: string | null
  total: number
  /** For each type that was found, all filters aside; `more` where there may be more. */
  counts: { type: SearchType; count: number; more: boolean }[]
  corrected: SearchOutcome['corrected']
}

/** A page of the best hits. */
export async function findDocuments(
  db: Db,
  { q, types, meant = [], by, sort = 'best', now, off, within, place, ...request }: SearchRequest,
): Promise<SearchPage> {
  const inPart = sort === 'best'
  const units = unitsOf(q, inPart ? MAX_SENTENCE : MAX_WORDS)
  const list = ['search', q, types, by, sort, ...(place === undefined ? [] : [place])]
  if (units.length === 0) {
    return {
      ...(await pageOfAll<Hit>(request, { list, idOf: ({ id }) => id }, [])),
      total: 0,
      counts: [],
      corrected: [],
    }
  }
  const anywhere = withNamed(await seek(db, q, { units, inPart }), await listNumbersOf(db, meant))
  const found = within ? only(anywhere, await within([...anywhere.numbers.keys()])) : anywhere
  const sought = off && off.key !== '' ? await withoutParts(db, found, off) : found
  const isWanted = (type: SearchType | undefined) => type !== undefined && (types.length === 0 || types.includes(type))
  const all = [...sought.numbers.keys()]
  const read = all.length <= MAX_HITS ? all : await chosen(db, sought, { isWanted, sort })
  const isMeant = ({ viaClientId }: Place) => by === undefined || (by === 'agents') === (viaClientId !== null)
  const places = await listShown(db, read, isMeant)
  const wholes = sort === 'best' ? await wholeWords(db, units) : new Set()
  const candidates = places
    .filter(({ type }) => isWanted(type))
    .map((place) => ({
      ...place,
      closeness: sought.numbers.get(place.rowId) ?? 'most',
      isNamed: sought.named.has(place.rowId),
      hasWhole: wholes.has(place.rowId),
    }))
  const inOrder = sort === 'best' ? await bestFirst(db, candidates, { sought, now }) : candidates.toSorted(byAge)
  const hits = inOrder.slice(0, MAX_HITS)
  const { items: shown, ...page } = await pageOfAll(request, { list, idOf: ({ rowId }) => rowId }, hits)
  return {
    items: await complete(db, shown, sought),
    ...page,
    total: hits.length,
    counts: countsOf(all.length <= MAX_HITS ? places.map(({ rowId }) => rowId) : all, sought.isPartial),
    corrected: sought.corrected,
  }
}

/** The same with these, as things that are named so. */
const withNamed = (sought: SearchOutcome, numbers: readonly number[]): SearchOutcome => ({
  ...sought,
  numbers: new Map([...sought.numbers, ...numbers.map((n) => [n, 'exact'] as const)]),
  named: new Set([...sought.named, ...numbers]),
})

/** What was found, as far as it is among these numbers. */
function only(sought: SearchOutcome, numbers: readonly number[]): SearchOutcome {
  const kept = new Set(numbers)
  return { ...sought, numbers: new Map([...sought.numbers].filter(([n]) => kept.has(n))) }
}

/** Of a sentence what has all of its words, and then that whose words say most: so far hits are ranked. Otherwise in their order. */
function likeliestFirst({ numbers, weighed }: Pick<SearchOutcome, 'numbers' | 'weighed'>, some: readonly number[]) {
  if (!weighed) return some
  const whole = some.filter((n) => numbers.get(n) !== 'some')
  const others = some.filter((n) => numbers.get(n) === 'some')
  return [...whole, ...heaviest(others, weighed.weights, MAX_CHOSEN)]
}

/** What was found without things of some parts. Comments are known by what they are on: so many are looked at as hits are ranked, and no others stay. */
async function withoutParts(db: Db, sought: SearchOutcome, { kinds }: PartsOff): Promise<SearchOutcome> {
  const there = [...sought.numbers].filter(([n]) => !kinds.has(typeOfNumber(n) ?? ''))
  const comments = there.flatMap(([n]) => (typeOfNumber(n) === 'comment' ? [n] : []))
  const texts = await listTexts(db, likeliestFirst(sought, comments).slice(0, MAX_CHOSEN))
  const parents = await mapTypes(db, [...new Set(texts.flatMap(({ parentId }) => parentId ?? []))])
  const typeOf = ({ parentId, parentType }: Pick<Text, 'parentId' | 'parentType'>) =>
    parents.get(parentId ?? '') ?? parentType ?? ''
  const staying = new Set(texts.flatMap((text) => (kinds.has(typeOf(text)) ? [] : [text.rowId])))
  const isStaying = ([n]: readonly [number, unknown]) => typeOfNumber(n) !== 'comment' || staying.has(n)
  return { ...sought, numbers: new Map(there.filter(isStaying)) }
}

/** The best first: what has all of the words, or most; then what has some of a sentence, by how much it is about it. */
async function bestFirst<Hit extends Candidate>(
  db: Db,
  candidates: readonly Hit[],
  { sought, now }: { sought: SearchOutcome; now: number },
): Promise<Hit[]> {
  const { weighed } = sought
  const isSome = ({ closeness, isNamed }: Candidate) => closeness === 'some' && !isNamed
  const whole = ranked(
    candidates.filter((hit) => !isSome(hit)),
    sought,
    now,
  )
  if (!weighed) return whole
  const weightOf = ({ rowId }: Candidate) => weighed.weights.get(rowId) ?? 0
  const some = candidates.filter(isSome).sort((a, b) => weightOf(b) - weightOf(a) || a.rowId - b.rowId)
  const [first, others] = [some.slice(0, MAX_READ), some.slice(MAX_READ)]
  const bodies = new Map(
    (
      await listTexts(
        db,
        first.map(({ rowId }) => rowId),
      )
    ).map(({ rowId, body }) => [rowId, body]),
  )
  const texts = first.map(({ rowId, title, names }) => ({ title, names, body: bodies.get(rowId) ?? '' }))
  const relevances = relevancesOf(texts, { expressions: weighed.expressions, weights: weighed.words })
  const about = first.map((hit, at) => ({ hit, relevance: relevances[at] ?? 0 }))
  about.sort((a, b) => b.relevance - a.relevance || a.hit.rowId - b.hit.rowId)
  return [...whole, ...about.map(({ hit }) => hit), ...others]
}

/** The newest first, and what has no date last. */
const byAge = (a: Pick<Place, 'createdAt' | 'rowId'>, b: Pick<Place, 'createdAt' | 'rowId'>): number => {
  const [left, right] = [a.createdAt ?? '', b.createdAt ?? '']
  return left === right ? a.rowId - b.rowId : left < right ? 1 : -1
}

/** The first of these that show: more of them are read where most are hidden, so that a blocked account does not crowd others out. */
async function listShown(db: Db, numbers: readonly number[], isMeant: (place: Place) => boolean): Promise<Place[]> {
  const places: Place[] = []
  for (let at = 0; at < numbers.length && places.length < MAX_HITS / 2; at += MAX_HITS) {
    places.push(...(await listPlaces(db, numbers.slice(at, at + MAX_HITS))).filter(isMeant))
  }
  return places
}

interface Choice {
  isWanted: (type: SearchType | undefined) => boolean
  sort: 'best' | 'newest'
}

/** Of too many hits those that are ranked: named so, with the words in the title, and then the newest of each type; of a sentence those whose words say most. */
async function chosen(
  db: Db,
  { expression, numbers, named, weighed }: SearchOutcome,
  { isWanted, sort }: Choice,
): Promise<number[]> {
  if (weighed) {
    const wanted = [...numbers.keys()].filter((n) => isWanted(typeOfNumber(n)))
    return likeliestFirst({ numbers, weighed }, wanted).slice(0, MAX_CHOSEN)
  }
  const newest = inTurns([...numbers.keys()].filter((n) => isWanted(typeOfNumber(n))))
  if (sort === 'newest') return newest.slice(0, MAX_CHOSEN)
  const titled = (await numbersOf(db, inTitles(expression))).numbers
  const inTurn = [...inTurns(titled), ...newest]
  const kept = [...named, ...inTurn].filter((n) => numbers.has(n) && isWanted(typeOfNumber(n)))
  return [...new Set(kept)].slice(0, MAX_CHOSEN)
}

/** The newest of each type, then the next of each, ... */
function inTurns(numbers: readonly number[]): number[] {
  const byType = [...Map.groupBy(numbers, typeOfNumber).values()].map((some) => some.toSorted((a, b) => a - b))
  const longest = Math.min(MAX_CHOSEN, Math.max(0, ...byType.map(({ length }) => length)))
  return Array.from({ length: longest }, (_, at) => byType.flatMap((some) => some[at] ?? [])).flat()
}

function countsOf(numbers: readonly number[], isPartial: boolean): SearchPage['counts'] {
  const counts = Map.groupBy(numbers, typeOfNumber)
  return searchTypes.flatMap((type) => {
    const count = counts.get(type)?.length ?? 0
    return count === 0 ? [] : { type, count: Math.min(count, MAX_COUNTED), more: isPartial || count > MAX_COUNTED }
  })
}

/** What a page shows of its hits. One that was removed in between is left out. */
async function complete(db: Db, hits: readonly Place[], { expression, units }: SearchOutcome): Promise<Hit[]> {
  if (hits.length === 0) return []
  const texts = await listTexts(
    db,
    hits.map(({ rowId }) => rowId),
  )
  const byNumber = new Map(texts.map((text) => [text.rowId, text]))
  const { highlight, snippet } = highlighter(new Set([...termsIn(expression), ...surfacesOf(units).map(stemOf)]))
  return hits.flatMap(({ rowId, id, type, title, createdAt, score, viaClientId }) => {
    const found = byNumber.get(rowId)
    if (!found) return []
    const { rowId: _rowId, body, ...shown } = found
    return { id, type, createdAt, score, viaClientId, ...shown, title: highlight(title), text: snippet(body) }
  })
}
