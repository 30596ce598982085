// Pages of every list.
import type { Compilable } from 'kysely'
import type { Sort } from '../contract/fields.ts'
import { recordOf } from '../contract/records.ts'
import { elementsOf } from '../database/engine.ts'
import { type Bind, preparedEach } from '../database/prepared.ts'
import type { Db } from '../database/schema.ts'
import { MATCHES } from '../database/search.ts'
import type { IdQuery, Ids, PageWindow } from './listing-queries.ts'

export interface Page<Item> {
  items: Item[]
  hasMore: boolean
  total: number
}

/** What a slice provides for its lists. Queries are built once for each set of filter names. */
interface Listing<Filters extends object, Item> {
  /** What is listed: `bug`. */
  kind: string
  filters: Filters
  /** How many there are without the search. */
  count(): Promise<number>
  /** The ids of a window of them, in the list's order or its reverse: an index scan that reads nothing else. */
  scan(db: Db, filters: Filters, pageWindow: PageWindow): IdQuery
  /** The things with these ids, in the list's order. */
  entries(db: Db, ids: Ids, filters: Filters): Compilable<Item> & { execute(): Promise<Item[]> }
}

interface PageOptions {
  page: number
  per_page: number
  sort?: Sort
  q?: string | undefined
}

/**
 * A page, scanned from the end it is nearer to. What a search finds is bounded, so it is read whole to be counted: it goes
 * through the newest matches of all, or through what the other filters leave where that is few.
 */
export async function pageOf<Filters extends object, Item>(
  db: Db,
  { page, per_page, sort, q }: PageOptions,
  listing: Listing<Filters, Item>,
): Promise<Page<Item>> {
  const offset = page * per_page
  if (q) {
    const isFiltered = Object.entries(listing.filters).some(([name, value]) => name !== 'q' && value !== undefined)
    const few = isFiltered && (await listing.count()) <= MATCHES
    const found = await listing.scan(db, listing.filters, { backwards: false, few }).execute()
    const ids = found.slice(offset, offset + per_page).map(({ id }) => id)
    const items =
      ids.length > 0 ? await listing.entries(db, elementsOf(db, JSON.stringify(ids)), listing.filters).execute() : []
    return { items, hasMore: offset + ids.length < found.length, total: found.length }
  }
  const total = await listing.count()
  const limit = Math.min(per_page, total - offset)
  if (limit <= 0) return { items: [], hasMore: false, total }
  const fromEnd = total - offset - limit
  const backwards = fromEnd < offset
  // An empty query is no search.
  const names = Object.entries(listing.filters).flatMap(([name, value]) =>
    value === undefined || name === 'q' ? [] : name,
  )
  const key = [listing.kind, sort, backwards, ...names].join(' ')
  const values = { ...listing.filters, limit, offset: backwards ? fromEnd : offset }
  const { rows } = await pages(db, { key, names, backwards, listing }, values)
  return { items: rows as Item[], hasMore: fromEnd > 0, total }
}

interface PageVariant {
  /** The list, its order and the names of its filters: there are few combinations. */
  key: string
  names: readonly string[]
  backwards: boolean
  listing: Pick<Listing<object, unknown>, 'scan' | 'entries'>
}

const pages = preparedEach(
  ({ key }: PageVariant) => key,
  (db, { names, backwards, listing }, given: Bind<Record<string, number>>) => {
    const places = recordOf(names, (name) => given(name))
    const ids = listing.scan(db, places, { backwards, limit: given('limit'), offset: given('offset') })
    return listing.entries(db, ids, places)
  },
  { cached: true },
)
