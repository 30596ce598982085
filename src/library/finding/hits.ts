// Finds hits of a search in a list, in its order. The cost is bounded, and other requests do not wait for it: few hits are sorted, many are
// met by a scan along the order, a batch at a time, or sorted too where they are far between.
import { setImmediate as pause } from 'node:timers/promises'
import type { BestSort as Sort } from '../../contract/fields.ts'
import { keptUntilCommit } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'
import { fold, hasTrigram } from '../../database/search.ts'
import { relevanceOf } from '../outcome-figures/rules.ts'
import * as queries from './queries.ts'
import { type ItemFilters, listed, type Place, type SearchTerms } from './queries.ts'
import type { Keys, Search } from './search-queries.ts'
import * as searching from './search-queries.ts'

/** So many hits are counted, and so far a search can be paged through. */
export const MAX_HITS = 1_000
/** A query below 3 characters has no trigram: it looks at so many items, in the order of the list. */
const MAX_LOOKED_AT = 10_000
/** Items that are looked at in one go; the first batches are smaller, because common words need no more. */
const FIRST_BATCH = 128
const BATCH = 1_024
/** So many items tell how far apart hits are. Before many more are looked at, matches are sorted: so many at most. */
const TELLING = 1_920
const MANY = 4_096
const MAX_SORTED = 12_288

/** A search in one of the lists that have counters. */
export type ListSearch = Search & { filters: ItemFilters }

/** The first hits of a search in order, by their keys, and how many there are. */
interface KeptHits {
  /** With commas between them. */
  list: string
  total: number
}

/** All hits of a search that can be paged through, kept until a commit changes what they follow from: pages come one after another. */
export async function listHits(db: Db, search: ListSearch): Promise<{ keys: readonly number[]; total: number }> {
  const [kept] = await keptUntilCommit<KeptHits>(db, `hits ${JSON.stringify(search)}`, async () => {
    const { hits, total } = await findHits(db, search, MAX_HITS)
    return [{ list: hits.map(({ rowId }) => rowId).join(), total }]
  })
  return { keys: kept?.list ? kept.list.split(',').map(Number) : [], total: kept?.total ?? 0 }
}

/** Whether hits are sorted by how well they fit, so that all of them are found first. */
export const isByRelevance = ({ sort, wanted }: Pick<Search, 'sort' | 'wanted'>) => sort === 'best' && wanted.q !== ''

/** A hit with how well it fits a search. */
export const relevanceBy =
  ({ q }: SearchTerms) =>
  (hit: Place): Place => ({ ...hit, relevance: relevanceOf(q, { name: fold(hit.name), slug: hit.slug }) })

/** Hits in order, at least `enough` of them if there are so many, and how many there are, counted up to a bound. */
export async function findHits(db: Db, search: ListSearch, enough: number): Promise<{ hits: Place[]; total: number }> {
  const { filters, wanted, sort } = search
  const isIndexed = hasTrigram(wanted.q)
  const matches = isIndexed
    ? await searching.listMatches(db, filters, { q: wanted.q, most: MAX_HITS, isKept: true })
    : undefined
  const few = isFew(matches) ? matches.list : await listFewTagged(db, wanted.tag)
  if (few !== undefined) {
    const found = await searching.listFitting(db, search, few)
    return { hits: found.map(relevanceBy(wanted)).toSorted(comparisons[sort]), total: found.length }
  }
  // The index has counted already, where nothing else is wanted.
  const counted = isIndexed && wanted.tag === '' && filters.scope !== 'mine'
  const hits = await scan(db, search, counted ? enough : MAX_HITS)
  const total = counted ? MAX_HITS : Math.min(hits.length, MAX_HITS)
  const found = isByRelevance(search) ? await byRelevance(db, search, hits) : hits
  return { hits: found.slice(0, MAX_HITS), total }
}

async function listFewTagged(db: Db, tag: string): Promise<string | undefined> {
  const tagged = tag === '' ? undefined : await queries.listTagged(db, tag, MAX_HITS + 1)
  return tagged !== undefined && tagged.length <= MAX_HITS ? listed(db, tagged) : undefined
}

/** The best of many hits, and those that are called so, the most relevant first. */
async function byRelevance(db: Db, search: Search, best: readonly Place[]): Promise<Place[]> {
  const called = await searching.listFitting(db, search, listed(db, await queries.listWithSlug(db, search.wanted.q)))
  const all = new Map([...called, ...best].map((hit) => [hit.rowId, hit]))
  return [...all.values()].map(relevanceBy(search.wanted)).toSorted(comparisons.best)
}

const isFew = (keys: Keys | undefined): keys is Keys => keys !== undefined && keys.count <= MAX_HITS

/**
 * Goes along the order until `enough` hits have come, or the end. Where these seem to be far between, all matches are sorted instead, if
 * they are not too many: that takes as long wherever they are.
 */
async function scan(db: Db, search: ListSearch, enough: number): Promise<Place[]> {
  const { q, tag } = search.wanted
  const isIndexed = hasTrigram(q)
  const hits: Place[] = []
  const most = q === '' || isIndexed ? Number.POSITIVE_INFINITY : MAX_LOOKED_AT
  let after: Parameters<typeof searching.findEnd>[2]['after'] | undefined = searching.START
  let lookedAt = 0
  let canSort = isIndexed
  for (let next = FIRST_BATCH; ; next = Math.min(next * 2, BATCH)) {
    const limit = Math.min(next, most - lookedAt)
    hits.push(...(await searching.listBatch(db, search, { after, limit, most: enough - hits.length })))
    lookedAt += limit
    if (hits.length >= enough || lookedAt >= most) return hits
    after = await searching.findEnd(db, search, { after, limit })
    if (!after) return hits
    const share = hits.length / lookedAt
    if (canSort && lookedAt >= TELLING && enough - hits.length > MANY * share) {
      canSort = share * (await queries.countListed(db, search.filters, tag)) <= MAX_SORTED
      const sorted = canSort && (await searching.listFirst(db, search, { limit: enough, most: MAX_SORTED }))
      if (sorted) return [...sorted]
      canSort = false
    }
    await pause()
  }
}

const descending = <T extends string | number>(a: T, b: T) => (a < b ? 1 : a > b ? -1 : 0)
const latest = (a: Place, b: Place) => descending(a.updatedAt, b.updatedAt) || descending(a.id, b.id)
export const comparisons: Record<Sort, (a: Place, b: Place) => number> = {
  latest,
  popular: (a: Place, b: Place) => descending(a.score, b.score) || latest(a, b),
  best: (a: Place, b: Place) =>
    descending(a.relevance ?? 0, b.relevance ?? 0) || descending(a.rank, b.rank) || latest(a, b),
}
