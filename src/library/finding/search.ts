// Finds a page of items: of a list or a tag along an index from the nearer end, of a search among its hits (hits.ts). What that costs:
// docs/decisions/2026-11-30-search-of-lists.md.

import type { BestSort as Sort } from '../../contract/fields.ts'
import { type PageRequest, pageOfRows, type Range } from '../../database/cursor.ts'
import type { Db } from '../../database/schema.ts'
import type { ItemRow } from '../items/queries.ts'
import { comparisons, findHits, isByRelevance, type ListSearch, listHits, MAX_HITS, relevanceBy } from './hits.ts'
import * as queries from './queries.ts'
import {
  type AllFilters,
  type ItemFilters,
  listed,
  listMaintained,
  listOfOwner,
  listOfTeam,
  type Place,
  type SearchTerms,
} from './queries.ts'
import * as searching from './search-queries.ts'

/** Up to here hits are looked for from the beginning of the order; beyond, all of them are found and kept. */
const SHALLOW = 240

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
  const found = await searching.listFitting(db, { filters, wanted, sort }, listed(db, keys))
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
  if (wanted.q === '' && filters.scope !== 'mine') return queries.listPage(db, filters, { ...asked, tag: wanted.tag })
  const search = { filters, wanted, sort }
  return pageOfHits(db, asked, async (range) => {
    const { offset, limit, after } = range
    const to = offset + limit
    if (after || to > SHALLOW || isByRelevance(search)) return pageOfAll(db, search, range)
    const { hits, total } = await findHits(db, search, to)
    return { hits: hits.slice(offset, to), total }
  })
}

/** Where a page of hits begins is known when all of them are. */
async function pageOfAll(db: Db, search: ListSearch, { offset, limit, after }: Range): Promise<ItemMatches> {
  const { keys, total } = await listHits(db, search)
  if (!after) return { hits: await hitsOf(db, search, keys.slice(offset, offset + limit)), total }
  const last = await searching.findPlace(db, String(after.at(-1)))
  const at = last ? keys.indexOf(last.rowId) : -1
  if (
    last &&
    at >= 0 &&
    comparisons[search.sort](relevanceBy(search.wanted)(last), placeFrom(search.sort, after)) === 0
  ) {
    return { hits: await hitsOf(db, search, keys.slice(at + 1, at + 1 + limit)), total }
  }
  // It is elsewhere in the order now, or gone.
  const hits = (await hitsOf(db, search, keys)).filter(isAfter(search.sort, after))
  return { hits: hits.slice(0, limit), total }
}

/** The hits of these keys, in their order. */
async function hitsOf(db: Db, { filters, wanted, sort }: ListSearch, keys: readonly number[]): Promise<Place[]> {
  const anything = { filters, sort, wanted: { q: '', tag: '' } }
  const found = await searching.listFitting(db, anything, listed(db, keys))
  const hits = new Map(found.map((hit) => [hit.rowId, relevanceBy(wanted)(hit)]))
  return keys.map((key) => hits.get(key)).filter((hit) => hit !== undefined)
}

/** The place of a cursor; before the first item without one. */
function placeFrom(sort: Sort, after: Range['after']): Place {
  if (!after) return searching.START
  const place = Object.fromEntries(Object.keys(ORDERS[sort]).map((name, at) => [name, after[at]]))
  return { ...searching.START, ...place }
}

const isAfter = (sort: Sort, after: Range['after']) => {
  const from = placeFrom(sort, after)
  return (hit: Place) => !after || comparisons[sort](from, hit) < 0
}

const itemsAt = (db: Db, places: readonly Place[]): Promise<ItemRow[]> =>
  queries.listByKeys(
    db,
    places.map(({ rowId }) => rowId),
  )
