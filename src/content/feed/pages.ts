// Pages of the feed: of all of it, of one type, and of what an author has in it.

import type { ListInput, Writers } from '../../contract/fields.ts'
import { type FeedKind, feedKinds } from '../../contract/kinds.ts'
import { partsOff } from '../../contract/parts.ts'
import type { Range } from '../../database/cursor.ts'
import type { Db } from '../../database/schema.ts'
import type { Context } from '../../request/handler.ts'
import { countOf } from '../counter-queries.ts'
import { pageOf } from '../list-pages.ts'
import { byFilter, countBy, viaOf } from '../via.ts'
import { myVotes } from '../votes/queries.ts'
import {
  countBetween,
  entriesById,
  type FeedScan,
  findPlace,
  listEntries,
  listHidden,
  mapChanges,
  type Place,
  type ShownEntry,
  scanEntriesOf,
} from './queries.ts'

/** So many entries are looked at one by one; what is farther is scanned to. */
const NEAR = 100

/** What the orders of the feed go by. */
export const placesIn = { latest: { createdAt: '', id: '' }, popular: { score: 0, createdAt: '', id: '' } } as const

const placeFrom = (place: readonly (string | number)[]): Place => {
  const [createdAt, id] = place.slice(-2)
  return { score: Number(place[0]), createdAt: String(createdAt), id: String(id) }
}

/**
 * Some entries after the first `offset` that show. A page far away is reached by an index scan, from the end it is nearer to,
 * over entries that show and others alike; then as far again as there were others on the way, until hardly any are left.
 */
export async function pageOfFeed(
  db: Db,
  { sort, type, without = [] }: Pick<FeedScan, 'sort' | 'type' | 'without'>,
  { offset, limit, after }: Range,
) {
  if (after)
    return listEntries(db, { sort, type, without, backwards: false, after: placeFrom(after) }, { offset: 0, limit })
  if (offset <= NEAR) return listEntries(db, { sort, type, without, backwards: false }, { offset, limit })
  const hidden = await listHidden(db, { type, without })
  const entries = await countIn(db, 'all', { type, without })
  const shown = hidden.reduce((left, { count }) => left - count, entries)
  const count = Math.min(limit, shown - offset)
  if (count <= 0) return []
  const fromEnd = shown - offset - count
  let scan: FeedScan = { sort, type, without, backwards: fromEnd < offset }
  let left = scan.backwards ? fromEnd : offset
  while (left > NEAR) {
    const to = await findPlace(db, scan, left)
    if (!to) return []
    const authorIds = hidden.map(({ id }) => id)
    left = authorIds.length > 0 ? await countBetween(db, scan, { to, authorIds }) : 0
    scan = { ...scan, after: to }
  }
  const found = await listEntries(db, scan, { offset: left, limit: count })
  return scan.backwards ? found.toReversed() : found
}

/** The types of the feed whose parts are off. */
export const kindsOff = ({ config }: Pick<Context, 'config'>): FeedKind[] => {
  const { kinds } = partsOff(config)
  return feedKinds.filter((kind) => kinds.has(kind))
}

/** How many entries of a group there are, of one type or of all but some. */
export async function countIn(db: Db, group: string, { type, without = [] }: Pick<FeedScan, 'type' | 'without'>) {
  const count = (facet: FeedKind | undefined) => countOf(db, { kind: 'feed', group, facets: [facet] })
  if (type !== undefined || without.length === 0) return count(type)
  const left = await Promise.all(without.map(count))
  return left.reduce((all, one) => all - one, await count(undefined))
}

interface Of extends Pick<FeedScan, 'without'> {
  authorId?: string | undefined
  type?: FeedKind | undefined
  by?: Writers | undefined
}

/**
 * What an author has in the feed, or people or agents, of one type or of all, a page at a time; nothing of a blocked account, so that a
 * page may have less.
 */
export function entriesOf(db: Db, { authorId, type, by, without = [] }: Of, input: ListInput) {
  const { sort } = input
  const group = authorId === undefined ? 'all' : `by/${authorId}`
  return pageOf(db, input, {
    // Queries are prepared by it.
    kind: ['feed', ...without].join(' '),
    filters: { authorId, type, ...byFilter(by) },
    count: () => countBy((one) => countIn(db, one, { type, without }), group, by),
    scan: (on, places, pageWindow) => scanEntriesOf(on, places, { sort, without, ...pageWindow }),
    entries: (on, ids) => entriesById(on, ids, sort),
  })
}

/** Entries as a caller sees them. */
export async function entriesAsShown(
  context: Pick<Context, 'db' | 'caller' | 'config'>,
  entries: readonly ShownEntry[],
) {
  const { db, caller } = context
  const [myVote, via, changeOf] = await Promise.all([
    myVotes(db, caller, entries),
    viaOf(context, entries),
    mapChanges(db, entries),
  ])
  return entries.map((entry) => {
    const { viaClientId, ...shown } = entry
    const { status = null, updatedAt = entry.createdAt } = changeOf.get(entry.id) ?? {}
    return { ...shown, via: via({ viaClientId }), myVote: myVote(entry), status, updatedAt }
  })
}
