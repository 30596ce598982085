// Queries of the search in the library: matches of texts and tags, with filters, in batches.
import { type Compilable, type RawBuilder, sql } from 'kysely'
import { inOrder, isBehind } from '../../content/listing-queries.ts'
import type { BestSort as Sort } from '../../contract/fields.ts'
import { engineOf } from '../../database/engine.ts'
import { type Bind, prepared, preparedEach } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'
import { hasParts, isMatch, patternOf, texts } from '../../database/search.ts'
import { required } from '../../runtime/untyped.ts'
import { partsOf } from '../../search/parts.ts'
import { facetsOf } from '../items/indexing-queries.ts'
import type { Kind } from '../items/item-contract.ts'
import { type AllFilters, isNoneOf, keys, ordered, type Place, type SearchTerms } from './queries.ts'

/** Keys of items, as a parameter of queries (`listed`), or none of them where there are more than were wanted. */
export interface Keys {
  count: number
  list: string
}

type Match = { phrase: string; like: string; facets: string; most: number; limit: number }

/** At most `limit` matches, and their keys where they are no more than `most`. */
const matching = (db: Db, given: Bind<Match>): Compilable<Keys> => {
  const isFound = isMatch(db, texts.items, { phrase: given('phrase'), likes: [given('like')] })
  const query =
    engineOf(db) === 'sqlite'
      ? sql<Keys>`select count(*) as count, case when count(*) > ${given('most')} then '' else json_group_array("rowId") end as list
          from (select rowid as "rowId" from "itemTextIndex" where ${isFound} limit ${given('limit')})`
      : sql<Keys>`select cast(count(*) as integer) as count,
          case when count(*) > cast(${given('most')} as integer) then '' else coalesce(cast(array_agg("rowId") as text), '{}') end as list
          from (select "rowId" from "itemText" where ${isFound} and facets like ${given('facets')} limit ${given('limit')}) found`
  return { compile: () => query.compile(db) }
}

/** A page after another one asks the same. */
const few = prepared(matching, { cached: true })
const many = prepared(matching)

/** Keys of items of a list whose text has `q`, of 3 characters or more, in no order: where there are more than `most`, only that. */
export async function listMatches(
  db: Db,
  { scope, kind }: Pick<AllFilters, 'scope' | 'kind'>,
  { q, most, isKept }: { q: string; most: number; isKept: boolean },
): Promise<Keys> {
  // One's own items have no facet: they are few, and looked through.
  const facets = scope === 'public' || scope === 'official' ? facetsOf(scope, kind) : []
  const { phrase, likes } = patternOf(
    texts.items,
    partsOf(q, texts.items.meaning),
    facets.map((facet) => `facets : "${facet}"`),
  )
  const values = {
    phrase,
    like: required(likes[0]),
    facets: `%${facets.join('%')}%`,
    most,
    limit: most + 1,
  }
  const { rows } = await (isKept ? few : many)(db, values)
  return required(rows[0])
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
  const columns = texts.items.columns.map((column) => sql`t.${sql.ref(column)}`)
  const has = hasParts(db, columns, [given('q')])
  const text = sql<boolean>`(select ${has} from "itemText" t where t."rowId" = item."rowId")`
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
export async function listFitting(db: Db, search: Search, list: string): Promise<Place[]> {
  const { rows } = await fitting(db, search, { ...valuesOf(search), list })
  return rows.filter(({ fits }) => Boolean(fits))
}

const sorted = preparedEach(
  variantOf,
  (db, { filters, wanted, sort }, given: Bind<SearchValues & { list: string; limit: number }>) =>
    ordered(
      db
        .selectFrom(keys(db, given('list')))
        .crossJoin('libraryItem as item')
        .select(places)
        .whereRef('item.rowId', '=', 'keys.value')
        .where(isInList(filters, given))
        .where(hasWanted(db, wanted, given)),
      sort,
    ).limit(given('limit')),
)

/** The first of the items that match, in the order of the list; undefined where more than `most` match, as many take long to sort. */
export async function listFirst(
  db: Db,
  search: Search,
  { limit, most }: { limit: number; most: number },
): Promise<readonly Place[] | undefined> {
  const { q, tag } = search.wanted
  const found = await listMatches(db, search.filters, { q, most, isKept: false })
  if (found.count > most) return undefined
  // Their texts are looked at already.
  const wanted = { ...search, wanted: { q: '', tag } }
  return (await sorted(db, wanted, { ...valuesOf(wanted), list: found.list, limit })).rows
}

type BatchValues = SearchValues & Pick<Place, 'score' | 'rank' | 'updatedAt' | 'id'> & { limit: number; offset: number }

/** The items of a list behind a place, in order: along the index of the list, or of its tag. */
function behind(db: Db, { filters, wanted: { tag }, sort }: Search, given: Bind<BatchValues>) {
  const by = sort === 'latest' ? [] : [sort === 'best' ? ('rank' as const) : ('score' as const)]
  const place = [...by, 'updatedAt' as const, 'id' as const].map((name) => given(name))
  const items = db.selectFrom('libraryItem as item').where(isInList(filters, given))
  if (!isAlongTag({ filters, tag })) {
    return ordered(items.where(isBehind({ of: 'item', at: 'updatedAt', sort }, place)), sort)
  }
  const order = { of: 'tagged', at: 'updatedAt', id: 'itemId', sort } as const
  const tagged = items
    .innerJoin('itemTag as tagged', 'tagged.itemId', 'item.id')
    .where('tagged.listed', '=', sql.lit(1))
  return inOrder(tagged.where('tagged.tag', '=', given('tag')).where(isBehind(order, place)), order)
}

/** The index of a tag has what is listed. */
const isAlongTag = ({ filters, tag }: { filters: AllFilters; tag: string }) => tag !== '' && filters.scope !== 'mine'

/** What is looked at is read from indexes and texts alone; only of hits the rows are. */
const batches = preparedEach(variantOf, (db, search, given: Bind<BatchValues & { most: number }>) => {
  const { q, tag } = search.wanted
  const wanted = isAlongTag({ filters: search.filters, tag }) ? { q, tag: '' } : { q, tag }
  const batch = behind(db, search, given)
    .select('item.rowId')
    .select(hasWanted(db, wanted, given).as('fits'))
  const fitting = db
    .selectFrom(batch.limit(given('limit')).as('batch'))
    .select('batch.rowId')
    .where(sql<boolean>`fits`)
    .limit(given('most'))
  const hits = db.selectFrom(fitting.as('hit')).innerJoin('libraryItem as item', 'item.rowId', 'hit.rowId')
  return ordered(hits.select(places), search.sort)
})

const ends = preparedEach(variantOf, (db, search, given: Bind<BatchValues>) =>
  behind(db, search, given)
    .select(['item.id', 'item.updatedAt'])
    .select(search.sort === 'popular' ? 'item.score' : sql.lit(0).as('score'))
    .select(search.sort === 'best' ? 'item.rank' : sql.lit(0).as('rank'))
    .limit(sql.lit(1))
    .offset(given('offset')),
)

/** Before the first item of either order. */
export const START: Place = {
  ...{ rowId: 0, id: '~', updatedAt: '~', name: '', slug: '' },
  ...{ score: 2 ** 31 - 1, rank: 2 ** 31 - 1, relevance: 2 ** 31 - 1 },
}

type After = Pick<Place, 'score' | 'rank' | 'updatedAt' | 'id'>

const startOf = (search: Search, { score, rank, updatedAt, id }: After, limit: number) => ({
  ...valuesOf(search),
  ...{ score, rank, updatedAt, id, limit, offset: limit - 1 },
})

/** Of the next `limit` items of a list those that have what is wanted, in order, at most `most`. */
export async function listBatch(
  db: Db,
  search: Search,
  { after, limit, most }: { after: After; limit: number; most: number },
): Promise<readonly Place[]> {
  return (await batches(db, search, { ...startOf(search, after, limit), most })).rows
}

/** The place of the last of the next `limit` items of a list; undefined where there are fewer. */
export async function findEnd(
  db: Db,
  search: Search,
  { after, limit }: { after: After; limit: number },
): Promise<After | undefined> {
  return (await ends(db, search, startOf(search, after, limit))).rows[0]
}

const placeOf = prepared((db, given: Bind<{ id: string }>) =>
  db.selectFrom('libraryItem as item').select(places).where('item.id', '=', given('id')),
)

/** The place of an item; undefined where it is gone. */
export const findPlace = async (db: Db, id: string): Promise<Place | undefined> => (await placeOf(db, { id })).rows[0]
