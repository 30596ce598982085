// How pages of items are found. A list without a filter beyond kind and scope is one walk along an index (`listPage`).
// For a search and for a tag there are two ways, and search.ts chooses: from few hits to their order, or along the order
// until enough hits have come.
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { inOrder } from '../../content/listing-queries.ts'
import type { Sort } from '../../contract/fields.ts'
import { engineOf } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'
import { indexMarks } from '../indexing-queries.ts'
import type { Kind } from '../item-contract.ts'
import { type ItemRow, rows } from '../queries.ts'

/** What a list is of: all that is public, official items only, or the items of one owner. */
export interface Shelf {
  scope: 'public' | 'official' | 'mine'
  kind: Kind | undefined
  /** Whose, for `mine`. */
  ownerId: string
}

/** What items must have besides; both already in the form they are stored in, '' for anything. */
export interface Wanted {
  q: string
  tag: string
}

export type Order = Sort

/** An item's place in either order. */
export interface Place {
  n: number
  id: string
  updatedAt: string
  score: number
}

/** What makes two queries different, beside their values. */
const variantOf = (shelf: Shelf, order: Order, { q, tag }: Wanted = { q: '', tag: '' }) =>
  [shelf.scope, shelf.kind !== undefined, order, q !== '', tag !== ''].join()

function memoised<Values extends object, Row>(
  build: (variant: { shelf: Shelf; order: Order; wanted: Wanted }) => ReturnType<typeof prepared<Values, Row>>,
) {
  const queries = new Map<string, ReturnType<typeof prepared<Values, Row>>>()
  return (shelf: Shelf, order: Order, wanted: Wanted = { q: '', tag: '' }) => {
    const variant = variantOf(shelf, order, wanted)
    let query = queries.get(variant)
    if (!query) {
      query = build({ shelf, order, wanted })
      queries.set(variant, query)
    }
    return query
  }
}

/** The values of a shelf in a query that may have others. */
interface GivenShelf {
  (name: 'ownerId'): string
  (name: 'kind'): Kind | undefined
}

function isOn({ scope, kind }: Shelf, given: GivenShelf): RawBuilder<boolean> {
  const place = {
    public: () => sql`item.listed = 1`,
    official: () => sql`item.visibility = 'official' and item.listed = 1`,
    mine: () => sql`item."ownerId" = ${given('ownerId')}`,
  }[scope]()
  return kind ? sql`${place} and item.kind = ${given('kind')}` : sql`${place}`
}

const onShelf = (db: Db, shelf: Shelf, given: GivenShelf) =>
  db.selectFrom('libraryItem as item').where(isOn(shelf, given))

/** Last updated first, or most voted first. */
const ordered = <Schema, Tables extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
  sort: Order,
) => inOrder(query, { of: 'item', at: 'updatedAt', sort })

const valuesOf = ({ ownerId, kind }: Shelf) => ({ ownerId, kind })

const pages = memoised<{ ownerId: string; kind: Kind | undefined; limit: number; offset: number }, ItemRow>(
  ({ shelf, order }) =>
    prepared(
      (db, given) => {
        // Only the index is walked for what a deep page skips; the rows of the page are read afterwards.
        const page = ordered(onShelf(db, shelf, given).select('item.n'), order)
          .limit(given('limit'))
          .offset(given('offset'))
        return ordered(rows(db).where('item.n', 'in', page), order)
      },
      { cached: true },
    ),
)

/** A page of everything on a shelf, in order. */
export async function listPage(
  db: Db,
  shelf: Shelf,
  { order, ...range }: { order: Order; limit: number; offset: number },
): Promise<readonly ItemRow[]> {
  return (await pages(shelf, order)(db, { ...valuesOf(shelf), ...range })).rows
}

const counts = prepared(
  (db, given: Given<{ scope: string; tag: string }>) =>
    db.selectFrom('itemCount').select('count').where('scope', '=', given('scope')).where('tag', '=', given('tag')),
  { cached: true },
)

const ownCounts = memoised<{ ownerId: string; kind: Kind | undefined }, { count: number }>(({ shelf }) =>
  prepared((db, given) => onShelf(db, shelf, given).select((item) => item.fn.countAll<number>().as('count'))),
)

/** How many items are on a shelf, or carry a tag there; undefined where tags are not counted. */
export async function countItems(db: Db, shelf: Shelf, tag = ''): Promise<number | undefined> {
  if (shelf.scope === 'mine') {
    return tag === '' ? (await ownCounts(shelf, 'latest')(db, valuesOf(shelf))).rows[0]?.count : undefined
  }
  const scope = shelf.kind ? `${shelf.scope}/${shelf.kind}` : shelf.scope
  return (await counts(db, { scope, tag })).rows[0]?.count ?? 0
}

/** A list of small keys as one parameter, so that a query is the same for any number of them. */
const listed = (db: Db, ns: readonly number[]) => (engineOf(db) === 'sqlite' ? `[${ns}]` : `{${ns}}`)

const keys = (db: Db, list: string) =>
  (engineOf(db) === 'sqlite'
    ? sql<{ value: number }>`json_each(${list})`
    : sql<{ value: number }>`(select unnest(${list}::int[]) as value)`
  ).as('keys')

const rowsByKey = prepared((db, given: Given<{ list: string }>) =>
  rows(db).where('item.n', 'in', db.selectFrom(keys(db, given('list'))).select('keys.value')),
)

/** The items of these keys, in their order; one that was removed in between is left out. */
export async function listByKeys(db: Db, ns: readonly number[]): Promise<ItemRow[]> {
  const { rows } = await rowsByKey(db, { list: listed(db, ns) })
  const byKey = new Map(rows.map((row) => [row.n, row]))
  return ns.map((n) => byKey.get(n)).filter((row) => row !== undefined)
}

const likeOf = (q: string) => `%${q.replace(/[\\%_]/g, '\\$&')}%`

/** What the full-text index is asked: the text somewhere, and the marks of the shelf (FTS5's query syntax). */
function phraseOf(q: string, marks: readonly string[]): string {
  const text = `{text owner} : "${q.replaceAll('"', '""')}"`
  return [text, ...marks.map((mark) => `shelf : "${mark}"`)].join(' AND ')
}

type Match = { phrase: string; like: string; marks: string; limit: number }

const matches = prepared((db, given: Given<Match>) => ({
  compile: () =>
    (engineOf(db) === 'sqlite'
      ? sql<{ n: number }>`select rowid as n from "itemTextIndex"
          where "itemTextIndex" match ${given('phrase')} limit ${given('limit')}`
      : sql<{ n: number }>`select n from "itemText" where (text like ${given('like')} or owner like ${given('like')})
          and shelf like ${given('marks')} limit ${given('limit')}`
    ).compile(db),
}))

/** Keys of items on a shelf whose text has `q`, of 3 characters or more: at most `limit`, in no order. */
export async function listMatches(
  db: Db,
  { scope, kind }: Shelf,
  { q, limit }: { q: string; limit: number },
): Promise<number[]> {
  // One's own items have no mark: they are few, and looked through.
  const marks = scope === 'mine' ? [] : indexMarks(scope, kind)
  const values = { phrase: phraseOf(q, marks), like: likeOf(q), marks: `%${marks.join('%')}%`, limit }
  return (await matches(db, values)).rows.map(({ n }) => n)
}

const tagged = prepared((db, given: Given<{ tag: string; limit: number }>) =>
  db
    .selectFrom('itemTag')
    .innerJoin('libraryItem as item', 'item.id', 'itemTag.itemId')
    .select('item.n')
    .where('itemTag.tag', '=', given('tag'))
    .limit(given('limit')),
)

/** Keys of items with a tag: at most `limit`, in no order. */
export async function listTagged(db: Db, tag: string, limit: number): Promise<number[]> {
  const { rows } = await tagged(db, { tag, limit })
  return rows.map(({ n }) => n)
}

/** Whether the item at hand has what is wanted. Looked up item by item, never turned into a join. */
function hasWanted(db: Db, wanted: Wanted, given: (name: keyof Wanted) => string): RawBuilder<boolean> {
  const has = (column: string) =>
    engineOf(db) === 'sqlite'
      ? sql`instr(t.${sql.ref(column)}, ${given('q')}) > 0`
      : sql`strpos(t.${sql.ref(column)}, ${given('q')}) > 0`
  const text = sql<boolean>`(select ${has('text')} or ${has('owner')} from "itemText" t where t.n = item.n)`
  const tag = sql<boolean>`exists (select 1 from "itemTag" g where g.tag = ${given('tag')} and g."itemId" = item.id)`
  const all = [...(wanted.q ? [text] : []), ...(wanted.tag ? [tag] : [])]
  return sql<boolean>`(${sql.join(all, sql` and `)})`
}

const fitting = memoised<Wanted & { ownerId: string; kind: Kind | undefined; list: string }, Place & { fits: unknown }>(
  ({ shelf, wanted }) =>
    prepared((db, given) =>
      db
        .selectFrom(keys(db, given('list')))
        .crossJoin('libraryItem as item')
        .select(['item.n', 'item.id', 'item.updatedAt', 'item.score'])
        .select(hasWanted(db, wanted, given).as('fits'))
        .whereRef('item.n', '=', 'keys.value')
        .where(isOn(shelf, given)),
    ),
)

/** Which of these items are on the shelf and have what is wanted, in no order. */
export async function listFitting(
  db: Db,
  { shelf, wanted }: { shelf: Shelf; wanted: Wanted },
  ns: readonly number[],
): Promise<Place[]> {
  const query = fitting(shelf, 'latest', wanted)
  const { rows } = await query(db, { ...wanted, ...valuesOf(shelf), list: listed(db, ns) })
  return rows.filter(({ fits }) => Boolean(fits))
}

type Step = Wanted & {
  ownerId: string
  kind: Kind | undefined
  score: number
  updatedAt: string
  id: string
  limit: number
}

const steps = memoised<Step, Place & { fits: unknown }>(({ shelf, order, wanted }) =>
  prepared((db, given) => {
    const after =
      order === 'popular'
        ? sql<boolean>`(item.score, item."updatedAt", item.id) < (${given('score')}, ${given('updatedAt')}, ${given('id')})`
        : sql<boolean>`(item."updatedAt", item.id) < (${given('updatedAt')}, ${given('id')})`
    const stretch = onShelf(db, shelf, given)
      .select(['item.n', 'item.id', 'item.updatedAt', 'item.score'])
      .select(hasWanted(db, wanted, given).as('fits'))
      .where(after)
    return ordered(stretch, order).limit(given('limit'))
  }),
)

/** Before the first item of either order. */
export const START: Place = { n: 0, id: '~', updatedAt: '~', score: 2 ** 31 - 1 }

/** The next `limit` items of a shelf in order, each with whether it has what is wanted. */
export async function listStep(
  db: Db,
  { shelf, wanted }: { shelf: Shelf; wanted: Wanted },
  { order, after, limit }: { order: Order; after: Place; limit: number },
): Promise<readonly (Place & { fits: unknown })[]> {
  const { score, updatedAt, id } = after
  const query = steps(shelf, order, wanted)
  return (await query(db, { ...wanted, ...valuesOf(shelf), score, updatedAt, id, limit })).rows
}

/** Tags on a shelf with their counts, most used first. */
export async function listTags(
  db: Db,
  scope: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ items: { tag: string; count: number }[]; total: number }> {
  const carried = db.selectFrom('itemCount').where('scope', '=', scope).where('count', '>', 0).where('tag', '!=', '')
  const items = await carried
    .select(['tag', 'count'])
    .orderBy('count', 'desc')
    .orderBy('tag')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await carried.select((column) => column.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items, total }
}
