// Pages of every list: by their number, or after a place.
import type { Compilable } from 'kysely'
import type { AnySort } from '../contract/fields.ts'
import { recordOf } from '../contract/records.ts'
import { type PageRequest, type Place, pageOfRows } from '../database/cursor.ts'
import { among } from '../database/engine.ts'
import { type Bind, preparedEach } from '../database/prepared.ts'
import type { Db } from '../database/schema.ts'
import { MATCHES } from '../database/search.ts'
import { required } from '../runtime/untyped.ts'
import type { IdQuery, Ids, PageWindow, ScannedRow } from './listing-queries.ts'

export interface Page<Item> {
  items: Item[]
  hasMore: boolean
  total: number
  nextCursor?: string | null
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

interface PageOptions extends PageRequest {
  sort?: AnySort
  q?: string | undefined
}

/**
 * A page, scanned from the end it is nearer to. What a search finds is bounded, so it is read whole to be counted: it goes
 * through the newest matches of all, or through what the other filters leave where that is few.
 */
export async function pageOf<Filters extends object, Item>(
  db: Db,
  options: PageOptions,
  listing: Listing<Filters, Item>,
): Promise<Page<Item>> {
  const { page, per_page, sort, q, cursor } = options
  if (cursor !== undefined) return pageAfter(db, options, listing)
  const offset = page * per_page
  if (q) {
    const found = await listing.scan(db, listing.filters, { backwards: false, few: await isFew(listing) }).execute()
    const ids = found.slice(offset, offset + per_page).map(({ id }) => id)
    const items =
      ids.length > 0 ? await listing.entries(db, among(db, JSON.stringify(ids)), listing.filters).execute() : []
    return { items, hasMore: offset + ids.length < found.length, total: found.length }
  }
  const total = await listing.count()
  const limit = Math.min(per_page, total - offset)
  if (limit <= 0) return { items: [], hasMore: false, total }
  const fromEnd = total - offset - limit
  const backwards = fromEnd < offset
  const names = namesOf(listing)
  const key = [listing.kind, sort, backwards, ...names].join(' ')
  const values = { ...listing.filters, limit, offset: backwards ? fromEnd : offset }
  const { rows } = await pages(db, { key, names, backwards, listing }, values)
  return { items: rows as Item[], hasMore: fromEnd > 0, total }
}

/** The filters that are given. An empty query is no search. */
const namesOf = ({ filters }: { filters: object }) =>
  Object.entries(filters).flatMap(([name, value]) => (value === undefined || name === 'q' ? [] : name))

/** Whether the filters beside the search leave few things. */
const isFew = async (listing: { filters: object; count(): Promise<number> }) =>
  namesOf(listing).length > 0 && (await listing.count()) <= MATCHES

/** What rows of a scan are sorted by: the score, a time and the id. */
const PLACES: Readonly<Record<AnySort, Record<`place${number}`, string | number>>> = {
  latest: { place0: '', place1: '' },
  active: { place0: '', place1: '' },
  popular: { place0: 0, place1: '', place2: '' },
  best: { place0: 0, place1: '', place2: '' },
}

const isBefore = (one: Place, other: Place): boolean => {
  const at = one.findIndex((value, index) => value !== other[index])
  return at >= 0 && required(one[at]) > required(other[at])
}

/**
 * A page after a place: an index scan from there, so that what came or went in between moves nothing. A search sorts what it finds in any
 * case, and goes on within it.
 */
async function pageAfter<Filters extends object, Item>(
  db: Db,
  { sort = 'latest', q, ...options }: PageOptions,
  listing: Listing<Filters, Item>,
): Promise<Page<Item>> {
  const { kind, filters } = listing
  const names = namesOf(listing)
  const key = [kind, sort, ...names].join(' ')
  const found = q
    ? await listing.scan(db, filters, { backwards: false, few: await isFew(listing), placed: {} }).execute()
    : undefined
  const by = PLACES[sort]
  const placeOf = (row: ScannedRow) => Object.keys(by).map((place) => required(row[place as 'place0']))
  const { items: rows, ...page } = await pageOfRows(
    options,
    { list: [kind, sort, filters], by },
    async ({ after, limit }) => {
      if (found) return found.filter((row) => !after || isBefore(after, placeOf(row))).slice(0, limit)
      const places = (after ?? []).map((_, at) => `place${at}`)
      const values = Object.fromEntries((after ?? []).map((value, at) => [`place${at}`, value]))
      const scan = { names, listing, places, key: `${key} ${places.length}` }
      return (await scans(db, scan, { ...filters, ...values, limit })).rows
    },
  )
  const ids = JSON.stringify(rows.map(({ id }) => id))
  const items = rows.length > 0 ? (await entries(db, { names, listing, key }, { ...filters, ids })).rows : []
  return { ...page, items: items as Item[], total: found?.length ?? (await listing.count()) }
}

interface Variant {
  /** The list, its order and the names of its filters: there are few combinations. */
  key: string
  names: readonly string[]
  listing: Pick<Listing<object, unknown>, 'scan' | 'entries'>
}

interface PageVariant extends Variant {
  backwards: boolean
}

interface ScanVariant extends Variant {
  /** What the values are called after which it begins. */
  places: readonly string[]
}

/** The rows of a scan from one on, or from the beginning. */
const scans = preparedEach(
  ({ key }: ScanVariant) => key,
  (db, { names, listing, places }, given: Bind<Record<string, number>>) => {
    const after = places.length > 0 ? places.map((name) => given(name)) : undefined
    return listing.scan(db, recordOf(names, given), { backwards: false, limit: given('limit'), placed: { after } })
  },
  { cached: true },
)

const entries = preparedEach(
  ({ key }: Variant) => key,
  (db, { names, listing }, given: Bind<Record<string, string>>) =>
    listing.entries(db, among(db, given('ids')), recordOf(names, given)),
  { cached: true },
)

const pages = preparedEach(
  ({ key }: PageVariant) => key,
  (db, { names, backwards, listing }, given: Bind<Record<string, number>>) => {
    const places = recordOf(names, (name) => given(name))
    const ids = listing.scan(db, places, { backwards, limit: given('limit'), offset: given('offset') })
    return listing.entries(db, ['in', ids], places)
  },
  { cached: true },
)
