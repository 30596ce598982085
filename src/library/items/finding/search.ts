// Finds a page of items. What a request costs is bounded whatever it asks for, and nobody else waits for it: few hits are
// sorted, many are met by walking along the order, a short stretch at a time.
import { setImmediate as pause } from 'node:timers/promises'
import type { Db } from '../../../database/schema.ts'
import type { ItemRow } from '../queries.ts'
import type { Order, Place, Shelf, Wanted } from './queries.ts'
import * as queries from './queries.ts'

/** So many hits are counted, and so far a search can be paged through. */
const MOST_HITS = 1_000
/** A query below 3 characters has no trigram. */
const TRIGRAM = 3
/** Items that are looked at in one go; the first stretch is shorter, because common words need no more. */
const FIRST_STRETCH = 128
const STRETCH = 1_024

export interface Asked {
  shelf: Shelf
  wanted: Wanted
  order: Order
  offset: number
  limit: number
}

interface Found {
  items: ItemRow[]
  total: number
}

/** A page of items in order, and how many there are in all. */
export async function findItems(db: Db, { shelf, wanted, order, offset, limit }: Asked): Promise<Found> {
  if (wanted.q === '') {
    const total = await queries.countItems(db, shelf, wanted.tag)
    if (total !== undefined && offset >= total) return { items: [], total }
    if (wanted.tag === '') return { items: await queries.listPage(db, shelf, { order, offset, limit }), total: total! }
    if (total !== undefined && total > MOST_HITS) {
      // The total is known: the walk ends with the page.
      const hits = await walk(db, { shelf, wanted, order, enough: offset + limit })
      return { items: await pageOf(db, hits.slice(offset, offset + limit)), total }
    }
  }
  const few = await fewCandidates(db, wanted)
  const found = few
    ? (await queries.listFitting(db, shelf, wanted, few)).sort(comparisons[order])
    : await walk(db, { shelf, wanted, order, enough: MOST_HITS })
  const hits = found.slice(0, MOST_HITS)
  return { items: await pageOf(db, hits.slice(offset, offset + limit)), total: hits.length }
}

async function pageOf(db: Db, places: readonly Place[]): Promise<ItemRow[]> {
  if (places.length === 0) return []
  return queries.listByKeys(
    db,
    places.map(({ n }) => n),
  )
}

/** Keys of everything that can be a hit, by the first index that has few; undefined when all have many. */
async function fewCandidates(db: Db, { q, tag }: Wanted): Promise<number[] | undefined> {
  if ([...q].length >= TRIGRAM) {
    const matches = await queries.listMatches(db, q, MOST_HITS + 1)
    if (matches.length <= MOST_HITS) return matches
  }
  if (tag !== '') {
    const tagged = await queries.listTagged(db, tag, MOST_HITS + 1)
    if (tagged.length <= MOST_HITS) return tagged
  }
  return undefined
}

/** Goes along the order until `enough` hits have come, or the end. */
async function walk(
  db: Db,
  { shelf, wanted, order, enough }: Omit<Asked, 'offset' | 'limit'> & { enough: number },
): Promise<Place[]> {
  const hits: Place[] = []
  let after = queries.START
  for (let limit = FIRST_STRETCH; ; limit = STRETCH) {
    const stretch = await queries.listStep(db, shelf, wanted, { order, after, limit })
    for (const place of stretch) if (place.fits) hits.push(place)
    if (hits.length >= enough || stretch.length < limit) return hits
    after = stretch.at(-1)!
    await pause()
  }
}

const descending = <T extends string | number>(a: T, b: T) => (a < b ? 1 : a > b ? -1 : 0)
const latest = (a: Place, b: Place) => descending(a.updatedAt, b.updatedAt) || descending(a.id, b.id)
const comparisons = {
  latest,
  popular: (a: Place, b: Place) => descending(a.score, b.score) || latest(a, b),
}
