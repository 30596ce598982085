// Finds a page of items. The cost of every request is bounded, and other requests do not wait for it: few hits are
// sorted, many are met by walking along the order, a short stretch at a time.
import { setImmediate as pause } from 'node:timers/promises'
import type { Db } from '../../database/schema.ts'
import type { ItemRow } from '../queries.ts'
import type { Order, Place, Shelf, Wanted } from './queries.ts'
import * as queries from './queries.ts'

/** So many hits are counted, and so far a search can be paged through. */
const MAX_HITS = 1_000
/** A query below 3 characters has no trigram: it looks at so many items, in the order of the list. */
const TRIGRAM = 3
const MAX_LOOKED_AT = 10_000
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
  items: readonly ItemRow[]
  total: number
}

/** A page of items in order, and how many there are in all. */
export async function findItems(db: Db, { shelf, wanted, order, offset, limit }: Asked): Promise<Found> {
  if (wanted.q === '') {
    const total = await queries.countItems(db, shelf, wanted.tag)
    if (total !== undefined && offset >= total) return { items: [], total }
    if (wanted.tag === '')
      return { items: await queries.listPage(db, shelf, { order, offset, limit }), total: total ?? 0 }
    if (total !== undefined && total > MAX_HITS) {
      // The total is known: the walk ends with the page.
      const hits = await scan(db, { shelf, wanted, order, enough: offset + limit })
      return { items: await pageOf(db, hits.slice(offset, offset + limit)), total }
    }
  }
  const { hits, total } = await search(db, { shelf, wanted, order, enough: Math.min(offset + limit, MAX_HITS) })
  return { items: await pageOf(db, hits.slice(offset, Math.min(offset + limit, MAX_HITS))), total }
}

interface Sought {
  shelf: Shelf
  wanted: Wanted
  order: Order
  enough: number
}

/** Hits in order, at least `enough` of them if there are so many, and how many there are, counted up to a bound. */
async function search(db: Db, sought: Sought): Promise<{ hits: Place[]; total: number }> {
  const { shelf, wanted, order } = sought
  const hasTrigram = [...wanted.q].length >= TRIGRAM
  const matches = hasTrigram ? await queries.listMatches(db, shelf, { q: wanted.q, limit: MAX_HITS + 1 }) : undefined
  const tagged = !isFew(matches) && wanted.tag ? await queries.listTagged(db, wanted.tag, MAX_HITS + 1) : undefined
  const few = [matches, tagged].find(isFew)
  if (few) {
    const hits = (await queries.listFitting(db, sought, few)).toSorted(comparisons[order])
    return { hits, total: hits.length }
  }
  // The index has counted already, where nothing else is wanted.
  const counted = hasTrigram && wanted.tag === '' && shelf.scope !== 'mine'
  const hits = await scan(db, counted ? sought : { ...sought, enough: MAX_HITS })
  return { hits, total: counted ? MAX_HITS : Math.min(hits.length, MAX_HITS) }
}

const isFew = (keys: readonly number[] | undefined) => keys !== undefined && keys.length <= MAX_HITS

async function pageOf(db: Db, places: readonly Place[]): Promise<ItemRow[]> {
  if (places.length === 0) return []
  return queries.listByKeys(
    db,
    places.map(({ n }) => n),
  )
}

/** Goes along the order until `enough` hits have come, or the end. */
async function scan(db: Db, { shelf, wanted, order, enough }: Sought): Promise<Place[]> {
  const hits: Place[] = []
  const most = wanted.q !== '' && [...wanted.q].length < TRIGRAM ? MAX_LOOKED_AT : Number.POSITIVE_INFINITY
  let after = queries.START
  let lookedAt = 0
  for (let limit = FIRST_STRETCH; ; limit = STRETCH) {
    const stretch = await queries.listStep(db, { shelf, wanted }, { order, after, limit })
    for (const place of stretch) if (place.fits) hits.push(place)
    lookedAt += stretch.length
    if (hits.length >= enough || stretch.length < limit || lookedAt >= most) return hits
    after = stretch.at(-1) ?? after
    await pause()
  }
}

const descending = <T extends string | number>(a: T, b: T) => (a < b ? 1 : a > b ? -1 : 0)
const latest = (a: Place, b: Place) => descending(a.updatedAt, b.updatedAt) || descending(a.id, b.id)
const comparisons = {
  latest,
  popular: (a: Place, b: Place) => descending(a.score, b.score) || latest(a, b),
}
