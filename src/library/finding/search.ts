// Finds a page of items. The cost of every request is bounded, and other requests do not wait for it: few hits are sorted, many are
// met by a scan along the order, a batch at a time. The search of the content's lists sorts the newest 300 matches only. Reading all 25,000
// items with a common word and sorting them takes 41 ms of CPU among 100,000 items; this takes 1 ms, by votes 3 (npm run bench -- library).

import { setImmediate as pause } from 'node:timers/promises'
import type { BestSort as Sort } from '../../contract/fields.ts'
import { type PageRequest, pageOfRows, type Range } from '../../database/cursor.ts'
import type { Db } from '../../database/schema.ts'
import { fold } from '../../database/search.ts'
import type { ItemRow } from '../items/queries.ts'
import { relevanceOf } from '../outcome-figures/rules.ts'
import * as queries from './queries.ts'
import {
  type AllFilters,
  type ItemFilters,
  listMaintained,
  listOfOwner,
  listOfTeam,
  type Place,
  type SearchTerms,
} from './queries.ts'
import type { Search } from './search-queries.ts'
import * as searching from './search-queries.ts'

/** So many hits are counted, and so far a search can be paged through. */
const MAX_HITS = 1_000
/** A query below 3 characters has no trigram: it looks at so many items, in the order of the list. */
const TRIGRAM = 3
const MAX_LOOKED_AT = 10_000
/** Items that are looked at in one go; the first batch is smaller, because common words need no more. */
const FIRST_BATCH = 128
const BATCH = 1_024

export interface SearchRequest extends PageRequest {
  filters: AllFilters
  wanted: SearchTerms
  sort: Sort
}

interface SearchPage {
  items: readonly ItemRow[]
  total: number
  nextCursor?: string | null
}

/** What the orders go by. */
const ORDERS = {
  latest: { updatedAt: '', id: '' },
  popular: { score: 0, updatedAt: '', id: '' },
  best: { relevance: 0, rank: 0, updatedAt: '', id: '' },
}

/** A page of items in order, and how many there are in all. */
export async function findItems(db: Db, asked: SearchRequest): Promise<SearchPage> {
  const { scope, team, owner } = asked.filters
  if (scope === 'maintained' || team !== undefined || owner !== undefined) return findAmongFew(db, asked)
  return findInList(db, { ...asked, filters: { ...asked.filters, scope } })
}

/** Of the items that an account maintains or owns, or that a team holds, the first thousand can be found. */
async function findAmongFew(db: Db, asked: SearchRequest): Promise<SearchPage> {
  const { filters, wanted, sort } = asked
  const { team, owner, ownerId } = filters
  const lists = [
    ...(team === undefined ? [] : [await listOfTeam(db, team, MAX_HITS)]),
    ...(owner === undefined ? [] : [await listOfOwner(db, owner, MAX_HITS)]),
    ...(filters.scope === 'maintained' ? [await listMaintained(db, ownerId, MAX_HITS)] : []),
  ]
  const [first = [], ...others] = lists
  const keys = first.filter((key) => others.every((list) => list.includes(key)))
  const found = await searching.listFitting(db, { filters, wanted, sort }, keys)
  const hits = found.map(relevanceBy(wanted)).toSorted(comparisons[sort])
  return pageOfHits(db, asked, async ({ offset, limit, after }) => ({
    hits: hits.filter(isAfter(sort, after)).slice(offset, offset + limit),
    total: hits.length,
  }))
}

interface ItemMatches {
  hits: readonly Place[]
  total: number
}

/** A page of items of which the places are found. */
async function pageOfHits(
  db: Db,
  { filters, wanted, sort, ...request }: SearchRequest,
  find: (range: Range) => Promise<ItemMatches>,
): Promise<SearchPage> {
  let total = 0
  const list = { list: ['items', filters, wanted, sort], by: ORDERS[sort] }
  const page = await pageOfRows(request, list, async (range) => {
    const found = await find(range)
    total = found.total
    return found.hits
  })
  const { items, hasMore: _, ...end } = page
  return { items: await itemsAt(db, items), total, ...end }
}

async function findInList(db: Db, asked: SearchRequest & { filters: ItemFilters }): Promise<SearchPage> {
  const { filters, wanted, sort } = asked
  if (wanted.q === '' && wanted.tag === '') return queries.listPage(db, filters, asked)
  const search = { filters, wanted, sort }
  const counted = wanted.q === '' ? await queries.countTagged(db, filters, wanted.tag) : undefined
  return pageOfHits(db, asked, async ({ offset, limit, after }) => {
    const to = offset + limit
    if (counted !== undefined && offset >= counted) return { hits: [], total: counted }
    if (counted !== undefined && counted > MAX_HITS) {
      // The total is known: the scan ends with the page.
      const hits = await scan(db, search, { enough: to, after: placeFrom(sort, after) })
      return { hits: hits.slice(offset, to), total: counted }
    }
    // Where a page of hits begins is known when all of them are.
    const all = after !== undefined || isByRelevance(search)
    const { hits, total } = await find(db, search, all ? MAX_HITS : Math.min(to, MAX_HITS))
    return { hits: hits.slice(0, MAX_HITS).filter(isAfter(sort, after)).slice(offset, to), total }
  })
}

/** The place of a cursor; before the first item without one. */
function placeFrom(sort: Sort, after: Range['after']): Place {
  if (!after) return searching.START
  const place = Object.fromEntries(Object.keys(ORDERS[sort]).map((name, at) => [name, after[at]]))
  return { ...searching.START, ...place }
}

/** Whether hits are sorted by how well they fit, so that all of them are found first. */
const isByRelevance = ({ sort, wanted }: Pick<Search, 'sort' | 'wanted'>) => sort === 'best' && wanted.q !== ''

/** A hit with how well it fits a search. */
const relevanceBy =
  ({ q }: SearchTerms) =>
  (hit: Place): Place => ({ ...hit, relevance: relevanceOf(q, { name: fold(hit.name), slug: hit.slug }) })

const isAfter = (sort: Sort, after: Range['after']) => {
  const from = placeFrom(sort, after)
  return (hit: Place) => !after || comparisons[sort](from, hit) < 0
}

/** Hits in order, at least `enough` of them if there are so many, and how many there are, counted up to a bound. */
async function find(
  db: Db,
  search: Search & { filters: ItemFilters },
  enough: number,
): Promise<{ hits: Place[]; total: number }> {
  const { filters, wanted, sort } = search
  const hasTrigram = [...wanted.q].length >= TRIGRAM
  const matches = hasTrigram
    ? await searching.listMatches(db, filters, { q: wanted.q, limit: MAX_HITS + 1 })
    : undefined
  const tagged = !isFew(matches) && wanted.tag ? await queries.listTagged(db, wanted.tag, MAX_HITS + 1) : undefined
  const few = [matches, tagged].find(isFew)
  if (few) {
    const found = await searching.listFitting(db, search, few)
    return { hits: found.map(relevanceBy(wanted)).toSorted(comparisons[sort]), total: found.length }
  }
  // The index has counted already, where nothing else is wanted.
  const counted = hasTrigram && wanted.tag === '' && filters.scope !== 'mine'
  const hits = await scan(db, search, { enough: counted ? enough : MAX_HITS, after: searching.START })
  const total = counted ? MAX_HITS : Math.min(hits.length, MAX_HITS)
  return { hits: isByRelevance(search) ? await byRelevance(db, search, hits) : hits, total }
}

/** The best of many hits, and those that are called so, the most relevant first. */
async function byRelevance(db: Db, search: Search, best: readonly Place[]): Promise<Place[]> {
  const called = await searching.listFitting(db, search, await queries.listWithSlug(db, search.wanted.q))
  const all = new Map([...called, ...best].map((hit) => [hit.rowId, hit]))
  return [...all.values()].map(relevanceBy(search.wanted)).toSorted(comparisons.best)
}

const isFew = (keys: readonly number[] | undefined) => keys !== undefined && keys.length <= MAX_HITS

const itemsAt = (db: Db, places: readonly Place[]): Promise<ItemRow[]> =>
  queries.listByKeys(
    db,
    places.map(({ rowId }) => rowId),
  )

/** Goes along the order from a place until `enough` hits have come, or the end. */
async function scan(
  db: Db,
  search: Search,
  { enough, after: from }: { enough: number; after: Place },
): Promise<Place[]> {
  const { q } = search.wanted
  const hits: Place[] = []
  const most = q !== '' && [...q].length < TRIGRAM ? MAX_LOOKED_AT : Number.POSITIVE_INFINITY
  let after = from
  let lookedAt = 0
  for (let limit = FIRST_BATCH; ; limit = BATCH) {
    const batch = await searching.listBatch(db, search, { after, limit })
    for (const place of batch) if (place.fits) hits.push(place)
    lookedAt += batch.length
    if (hits.length >= enough || batch.length < limit || lookedAt >= most) return hits
    after = batch.at(-1) ?? after
    await pause()
  }
}

const descending = <T extends string | number>(a: T, b: T) => (a < b ? 1 : a > b ? -1 : 0)
const latest = (a: Place, b: Place) => descending(a.updatedAt, b.updatedAt) || descending(a.id, b.id)
const comparisons = {
  latest,
  popular: (a: Place, b: Place) => descending(a.score, b.score) || latest(a, b),
  best: (a: Place, b: Place) =>
    descending(a.relevance ?? 0, b.relevance ?? 0) || descending(a.rank, b.rank) || latest(a, b),
}
