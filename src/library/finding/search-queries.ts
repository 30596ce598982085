// Queries of the search in the library: matches of texts and tags, with filters, in batches.
import { type RawBuilder, sql } from 'kysely'
import { isBehind } from '../../content/listing-queries.ts'
import type { BestSort as Sort } from '../../contract/fields.ts'
import { engineOf } from '../../database/engine.ts'
import { type Bind, prepared, preparedEach } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'
import { facetsOf } from '../items/indexing-queries.ts'
import type { Kind } from '../items/item-contract.ts'
import {
  type AllFilters,
  type ItemFilters,
  isNoneOf,
  keys,
  listed,
  ordered,
  type Place,
  type SearchTerms,
} from './queries.ts'

const likeOf = (q: string) => `%${q.replace(/[\\%_]/g, '\\$&')}%`

/** The query for the full-text index: the text somewhere, and the facets of the list (FTS5's query syntax). */
function phraseOf(q: string, facets: readonly string[]): string {
  const text = `{text owner} : "${q.replaceAll('"', '""')}"`
  return [text, ...facets.map((facet) => `facets : "${facet}"`)].join(' AND ')
}

type Match = { phrase: string; like: string; facets: string; limit: number }

const matches = prepared((db, given: Bind<Match>) => ({
  compile: () =>
    (engineOf(db) === 'sqlite'
      ? sql<{ rowId: number }>`select rowid as "rowId" from "itemTextIndex"
          where "itemTextIndex" match ${given('phrase')} limit ${given('limit')}`
      : sql<{ rowId: number }>`select "rowId" from "itemText"
          where (text like ${given('like')} or owner like ${given('like')})
          and facets like ${given('facets')} limit ${given('limit')}`
    ).compile(db),
}))

/** Keys of items of a list whose text has `q`, of 3 characters or more: at most `limit`, in no order. */
export async function listMatches(
  db: Db,
  { scope, kind }: ItemFilters,
  { q, limit }: { q: string; limit: number },
): Promise<number[]> {
  // One's own items have no facet: they are few, and looked through.
  const facets = scope === 'mine' ? [] : facetsOf(scope, kind)
  const values = { phrase: phraseOf(q, facets), like: likeOf(q), facets: `%${facets.join('%')}%`, limit }
  return (await matches(db, values)).rows.map(({ rowId }) => rowId)
}

/** What is searched for, and in which order it is wanted. */
export interface Search {
  filters: AllFilters
  wanted: SearchTerms
  sort: Sort
}

const variantOf = ({ filters: { scope, kind, without = [] }, wanted: { q, tag }, sort }: Search) =>
  [scope, kind !== undefined, sort, q !== '', tag !== '', ...without].join()

type SearchValues = SearchTerms & { ownerId: string; kind: Kind | undefined }

const valuesOf = ({ filters: { ownerId, kind }, wanted }: Search): SearchValues => ({ ...wanted, ownerId, kind })

function isInList({ scope, kind, without = [] }: AllFilters, given: Bind<SearchValues>): RawBuilder<boolean> {
  const place = {
    public: () => sql`item.listed = 1`,
    official: () => sql`item.visibility = 'official' and item.listed = 1`,
    mine: () => sql`item."ownerId" = ${given('ownerId')}`,
    // Their keys were chosen by that.
    maintained: () => sql`1 = 1`,
  }[scope]()
  const among = without.length > 0 ? sql`${place} and ${isNoneOf('item.kind', without)}` : place
  return kind ? sql`${among} and item.kind = ${given('kind')}` : sql`${among}`
}

/** Whether the item at hand has what is wanted. Looked up item by item, never turned into a join. */
function hasWanted(db: Db, wanted: SearchTerms, given: Bind<SearchValues>): RawBuilder<boolean> {
  const has = (column: string) =>
    engineOf(db) === 'sqlite'
      ? sql`instr(t.${sql.ref(column)}, ${given('q')}) > 0`
      : sql`strpos(t.${sql.ref(column)}, ${given('q')}) > 0`
  const text = sql<boolean>`(select ${has('text')} or ${has('owner')} from "itemText" t where t."rowId" = item."rowId")`
  const tag = sql<boolean>`exists (select 1 from "itemTag" g where g.tag = ${given('tag')} and g."itemId" = item.id)`
  const all = [...(wanted.q ? [text] : []), ...(wanted.tag ? [tag] : [])]
  return all.length === 0 ? sql<boolean>`(1 = 1)` : sql<boolean>`(${sql.join(all, sql` and `)})`
}

export const places = [
  ...['item.rowId', 'item.id', 'item.updatedAt', 'item.score', 'item.rank', 'item.name', 'item.slug'],
] as const

const fitting = preparedEach(variantOf, (db, { filters, wanted }, given: Bind<SearchValues & { list: string }>) =>
  db
    .selectFrom(keys(db, given('list')))
    .crossJoin('libraryItem as item')
    .select(places)
    .select(hasWanted(db, wanted, given).as('fits'))
    .whereRef('item.rowId', '=', 'keys.value')
    .where(isInList(filters, given)),
)

/** Which of these items are in the list and have what is wanted, in no order. */
export async function listFitting(db: Db, search: Search, rowIds: readonly number[]): Promise<Place[]> {
  const { rows } = await fitting(db, search, { ...valuesOf(search), list: listed(db, rowIds) })
  return rows.filter(({ fits }) => Boolean(fits))
}

type BatchValues = SearchValues & Pick<Place, 'score' | 'rank' | 'updatedAt' | 'id'> & { limit: number }

const batches = preparedEach(variantOf, (db, { filters, wanted, sort }, given: Bind<BatchValues>) => {
  const by = sort === 'latest' ? [] : [sort === 'best' ? ('rank' as const) : ('score' as const)]
  const after = isBehind(
    { of: 'item', at: 'updatedAt', sort },
    [...by, 'updatedAt' as const, 'id' as const].map((name) => given(name)),
  )
  const batch = db
    .selectFrom('libraryItem as item')
    .select(places)
    .select(hasWanted(db, wanted, given).as('fits'))
    .where(isInList(filters, given))
    .where(after)
  return ordered(batch, sort).limit(given('limit'))
})

/** Before the first item of either order. */
export const START: Place = {
  ...{ rowId: 0, id: '~', updatedAt: '~', name: '', slug: '' },
  ...{ score: 2 ** 31 - 1, rank: 2 ** 31 - 1, relevance: 2 ** 31 - 1 },
}

/** The next `limit` items of a list in order, each with whether it has what is wanted. */
export async function listBatch(
  db: Db,
  search: Search,
  { after: { score, rank, updatedAt, id }, limit }: { after: Place; limit: number },
): Promise<readonly (Place & { fits: unknown })[]> {
  return (await batches(db, search, { ...valuesOf(search), score, rank, updatedAt, id, limit })).rows
}
