// Finds documents and puts them in order: a page of the best hits, with counts by type.

import type { Writers } from '../contract/fields.ts'
import { type SearchType, searchTypes } from '../contract/kinds.ts'
import type { PartsOff } from '../contract/parts.ts'
import { type PageRequest, pageOfAll } from '../database/cursor.ts'
import type { Db } from '../database/schema.ts'
import { typeOfNumber } from './queries.ts'
import { inTitles, surfacesOf, termsIn, unitsOf } from './query.ts'
import { ranked } from './ranking.ts'
import { listPlaces, listTexts, mapTypes, type Place, type Text } from './reading-queries.ts'
import { numbersOf, type SearchOutcome, seek, wholeWords } from './seeking.ts'
import { highlighter, type Part } from './snippets.ts'
import { stemOf } from './stem.ts'

/** So many hits are ranked, and can be paged through. */
export const MAX_HITS = 300
/** So many are looked at for them, where some are hidden. */
const MAX_CHOSEN = 2_000
/** So far the hits of a type are counted. */
export const MAX_COUNTED = 1_000
export interface SearchRequest extends PageRequest {
  q: string
  /** None for all. */
  types: readonly SearchType[]
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
  { q, types, by, sort = 'best', now, off, within, place, ...request }: SearchRequest,
): Promise<SearchPage> {
  const units = unitsOf(q)
  const list = ['search', q, types, by, sort, ...(place === undefined ? [] : [place])]
  if (units.length === 0) {
    return {
      ...(await pageOfAll<Hit>(request, { list, idOf: ({ id }) => id }, [])),
      total: 0,
      counts: [],
      corrected: [],
    }
  }
  const anywhere = await seek(db, q, units)
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
  const inOrder = sort === 'best' ? ranked(candidates, sought, now) : candidates.toSorted(byAge)
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

/** What was found, as far as it is among these numbers. */
function only(sought: SearchOutcome, numbers: readonly number[]): SearchOutcome {
  const kept = new Set(numbers)
  return { ...sought, numbers: new Map([...sought.numbers].filter(([n]) => kept.has(n))) }
}

/** What was found without things of some parts. The comments on them are known by what they are on, as far as hits are ranked. */
async function withoutParts(db: Db, sought: SearchOutcome, { kinds }: PartsOff): Promise<SearchOutcome> {
  const there = [...sought.numbers].filter(([n]) => !kinds.has(typeOfNumber(n) ?? ''))
  const comments = there.flatMap(([n]) => (typeOfNumber(n) === 'comment' ? [n] : []))
  const texts = await listTexts(db, comments.slice(0, MAX_CHOSEN))
  const parents = await mapTypes(db, [...new Set(texts.flatMap(({ parentId }) => parentId ?? []))])
  const typeOf = ({ parentId, parentType }: Pick<Text, 'parentId' | 'parentType'>) =>
    parents.get(parentId ?? '') ?? parentType ?? ''
  const gone = new Set(texts.flatMap((text) => (kinds.has(typeOf(text)) ? [text.rowId] : [])))
  return { ...sought, numbers: new Map(there.filter(([n]) => !gone.has(n))) }
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

/** Of too many hits those that are ranked: named so, with the words in the title, and then the newest of each type. */
async function chosen(
  db: Db,
  { expression, numbers, named }: SearchOutcome,
  { isWanted, sort }: Choice,
): Promise<number[]> {
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
