// How pages of items are found. A list, and the items of a tag, are one of the content's lists (listing-queries.ts). For a search there are
// two ways, and hits.ts chooses: from matches to their order, or along the order until enough hits have come. The items that an account may
// publish versions of, and those of a team, are few enough to be looked through.

import { type SelectQueryBuilder, sql } from 'kysely'
import { countOf } from '../../content/counter-queries.ts'
import { type Page, pageOf } from '../../content/list-pages.ts'
import { inOrder, type PageWindow, selectIds } from '../../content/listing-queries.ts'
import type { BestSort as Sort } from '../../contract/fields.ts'
import type { PageRequest, Range } from '../../database/cursor.ts'
import { countRows, engineOf } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'
import { kinds as itemKinds, type Kind } from '../items/item-contract.ts'
import { type ItemRow, rows } from '../items/queries.ts'
import { item } from '../items/subject.ts'

/** Which items a list has: all that are listed, official ones only, or those of one owner; of every kind or of one. */
export interface ItemFilters {
  scope: 'public' | 'official' | 'mine'
  kind: Kind | undefined
  /** Kinds that are left out, as their parts are off; none unless told. */
  without?: readonly Kind[]
  /** Whose, for `mine`. */
  ownerId: string
}

/** The same, and those that the owner maintains, or that a team holds. */
export interface AllFilters extends Omit<ItemFilters, 'scope'> {
  scope: ItemFilters['scope'] | 'maintained'
  /** The slug of a team; undefined for items of anybody. */
  team?: string | undefined
  /** The username of an owner, likewise. */
  owner?: string | undefined
}

/** What items must have besides; both in the form they are stored in, '' for anything. */
export interface SearchTerms {
  q: string
  tag: string
}

/** An item's place in either order. */
export interface Place {
  rowId: number
  id: string
  updatedAt: string
  score: number
  rank: number
  name: string
  slug: string
  /** How well it fits the search, in the order of the best. */
  relevance?: number
}

/** Last updated first, most voted first, or best first. */
export const ordered = <Schema, Tables extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
  sort: Sort,
) => inOrder(query, { of: 'item', at: 'updatedAt', sort })

/** The columns that a list goes by. */
type Columns = Readonly<Record<string, unknown>>

const columnsOf = ({ scope, kind, ownerId }: ItemFilters): Columns => ({
  ...{ public: { listed: 1 }, official: { visibility: 'official' }, mine: { ownerId } }[scope],
  ...(kind && { kind }),
})

/** Whether an item is of none of these kinds; there are few combinations, so they are part of the query. */
export const isNoneOf = (column: string, kinds: readonly Kind[]) =>
  sql<boolean>`${sql.ref(column)} not in (${sql.join(kinds.map((kind) => sql.lit(kind)))})`

type Scan = PageWindow & { sort: Sort; without: readonly Kind[] }

function scan(db: Db, { kind, tag, ...columns }: Columns, { sort, without, ...page }: Scan) {
  const table = tag === undefined ? ('libraryItem' as const) : ('itemTag' as const)
  const list = { table, at: 'updatedAt', sort } as const
  const listed = sql<boolean>`${sql.ref(`${table}.listed`)} = 1`
  const isListed = 'visibility' in columns || tag !== undefined ? listed : undefined
  const isOn = without.length > 0 ? isNoneOf(`${table}.kind`, without) : undefined
  const where = isListed && isOn ? sql<boolean>`${isListed} and ${isOn}` : (isListed ?? isOn)
  if (tag !== undefined) {
    const { visibility } = columns
    return selectIds(db, { ...list, id: 'itemId', within: ['tag', tag], having: { kind, visibility }, where }, page)
  }
  const [[column, value] = ['id', undefined]] = Object.entries(columns)
  // The index of an owner has no kind in it: the items of one are few.
  if (kind !== undefined && column !== 'ownerId')
    return selectIds(db, { ...list, having: { ...columns, kind }, where }, page)
  return selectIds(db, { ...list, within: [column, value], having: { kind }, where }, page)
}

async function countFiltered(db: Db, { scope, kind, ownerId, without = [] }: ItemFilters): Promise<number> {
  const count = (of: Kind | undefined) =>
    countOf(db, {
      kind: item.type,
      group: scope === 'mine' ? `by/${ownerId}` : 'all',
      facets: [scope === 'official' ? 'official' : undefined, of],
    })
  const left = kind === undefined ? await Promise.all(without.map(count)) : []
  return left.reduce((all, one) => all - one, await count(kind))
}

/** A page, from 0, of all items that a list has, or of those with a tag; of one owner all are listed. */
export function listPage(
  db: Db,
  filters: ItemFilters,
  { sort, tag, ...range }: PageRequest & { sort: Sort; tag?: string | undefined },
): Promise<Page<ItemRow>> {
  const { without = [] } = filters
  return pageOf<Columns, ItemRow>(
    db,
    { ...range, sort },
    {
      // Queries are prepared by it.
      kind: [item.type, ...without].join(' '),
      filters: { ...columnsOf(filters), ...(tag !== undefined && { tag }) },
      count: () => countListed(db, filters, tag),
      scan: (on, places, window) => scan(on, places, { ...window, sort, without }),
      entries: (on, ids) => ordered(rows(on).where('item.id', ...ids), sort),
    },
  )
}

const tagCounts = prepared(
  (db, given: Bind<{ scope: string; tag: string }>) =>
    db.selectFrom('itemCount').select('count').where('scope', '=', given('scope')).where('tag', '=', given('tag')),
  { cached: true },
)

/** How many items of a list carry a tag; those of one owner are not counted. */
async function countTagged(db: Db, { scope, kind, without = [] }: ItemFilters, tag: string): Promise<number> {
  const count = async (of: Kind | undefined) =>
    (await tagCounts(db, { scope: of ? `${scope}/${of}` : scope, tag })).rows[0]?.count ?? 0
  const left = kind === undefined ? await Promise.all(without.map(count)) : []
  return left.reduce((all, one) => all - one, await count(kind))
}

/** How many items a list has, or those with a tag of it; of one owner all. */
export const countListed = (db: Db, filters: ItemFilters, tag?: string): Promise<number> =>
  tag && filters.scope !== 'mine' ? countTagged(db, filters, tag) : countFiltered(db, filters)

/** A list of small keys as one parameter, so that a query is the same for any number of them. */
export const listed = (db: Db, rowIds: readonly number[]) => (engineOf(db) === 'sqlite' ? `[${rowIds}]` : `{${rowIds}}`)

/** PostgreSQL looks up each key in an index: of a list that it knows when it plans, it reads all items where the keys are some thousand. */
export const keys = (db: Db, list: string) =>
  (engineOf(db) === 'sqlite'
    ? sql<{ value: number }>`json_each(${list})`
    : sql<{ value: number }>`(select unnest((select ${list}::int[])) as value)`
  ).as('keys')

const rowsByKey = prepared((db, given: Bind<{ list: string }>) =>
  rows(db).where('item.rowId', 'in', db.selectFrom(keys(db, given('list'))).select('keys.value')),
)

/** The items of these keys, in their order; one that was removed in between is left out. */
export async function listByKeys(db: Db, rowIds: readonly number[]): Promise<ItemRow[]> {
  if (rowIds.length === 0) return []
  const { rows } = await rowsByKey(db, { list: listed(db, rowIds) })
  const byKey = new Map(rows.map((row) => [row.rowId, row]))
  return rowIds.map((rowId) => byKey.get(rowId)).filter((row) => row !== undefined)
}

const named = prepared((db, given: Bind<{ slug: string }>) =>
  db
    .selectFrom('libraryItem')
    .select('rowId')
    .where(
      'kind',
      'in',
      itemKinds.map((kind) => sql.lit(kind)),
    )
    .where('slug', '=', given('slug')),
)

/** Keys of the items with a slug, one of each kind at most. */
export const listWithSlug = async (db: Db, slug: string) => (await named(db, { slug })).rows.map(({ rowId }) => rowId)

const tagged = prepared((db, given: Bind<{ tag: string; limit: number }>) =>
  db
    .selectFrom('itemTag')
    .innerJoin('libraryItem as item', 'item.id', 'itemTag.itemId')
    .select('item.rowId')
    .where('itemTag.tag', '=', given('tag'))
    .limit(given('limit')),
)

/** Keys of items with a tag: at most `limit`, in no order. */
export async function listTagged(db: Db, tag: string, limit: number): Promise<number[]> {
  const { rows } = await tagged(db, { tag, limit })
  return rows.map(({ rowId }) => rowId)
}

/** Tags of listed items with their counts, most used first. */
export function listTags(
  db: Db,
  of: TagList,
  { limit, offset, after }: Range,
): Promise<{ tag: string; count: number }[]> {
  return db
    .selectFrom(carried(db, of).as('carried'))
    .select(['tag', 'count'])
    .$if(after !== undefined, (tags) => {
      const [count, tag] = [Number(after?.[0]), String(after?.[1])]
      return tags.where((row) => row.or([row('count', '<', count), row.and({ count }).and('tag', '>', tag)]))
    })
    .orderBy('count', 'desc')
    .orderBy('tag')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Which items tags are counted of. */
export interface TagList {
  scope: 'public' | 'official'
  kind: Kind | undefined
  /** Kinds that are left out. */
  without: readonly Kind[]
}

function carried(db: Db, { scope, kind, without }: TagList) {
  const rows = db.selectFrom('itemCount').where('count', '>', 0)
  if (kind !== undefined || without.length === 0) {
    return rows.select(['tag', 'count']).where('scope', '=', kind ? `${scope}/${kind}` : scope)
  }
  const kinds = itemKinds.filter((one) => !without.includes(one)).map((one) => `${scope}/${one}`)
  return rows
    .select('tag')
    .select((row) => sql<number>`cast(${row.fn.sum('count')} as integer)`.as('count'))
    .where('scope', 'in', kinds)
    .groupBy('tag')
}

export const countTags = (db: Db, of: TagList): Promise<number> =>
  countRows(db.selectFrom(carried(db, of).as('carried')))

const maintained = prepared((db, given: Bind<{ accountId: string; limit: number }>) =>
  db
    .selectFrom('membership')
    .innerJoin('libraryItem as item', 'item.id', 'membership.itemId')
    .select('item.rowId')
    .where('membership.accountId', '=', given('accountId'))
    .unionAll(
      db
        .selectFrom('teamMember as member')
        .innerJoin('libraryItem as item', 'item.teamId', 'member.teamId')
        .select('item.rowId')
        .where('member.accountId', '=', given('accountId')),
    )
    .orderBy(sql`1`, 'desc')
    .limit(given('limit')),
)

/** Keys of the items that an account may publish versions of by a role, its own or one in a team: the newest, at most `limit`. */
export async function listMaintained(db: Db, accountId: string, limit: number): Promise<number[]> {
  return (await maintained(db, { accountId, limit })).rows.map(({ rowId }) => rowId)
}

const ofTeam = prepared((db, given: Bind<{ slug: string; limit: number }>) =>
  db
    .selectFrom('slug')
    .innerJoin('team', 'team.id', 'slug.targetId')
    .innerJoin('libraryItem as item', 'item.teamId', 'team.id')
    .select('item.rowId')
    .where('slug.kind', '=', sql.lit('team'))
    .where('slug.slug', '=', given('slug'))
    .where('team.hidden', '=', sql.lit(0))
    .limit(given('limit')),
)

/** Keys of the items of a team that is not hidden, at most `limit`: none where there is no such team. */
export async function listOfTeam(db: Db, slug: string, limit: number): Promise<number[]> {
  return (await ofTeam(db, { slug, limit })).rows.map(({ rowId }) => rowId)
}

const ofOwner = prepared((db, given: Bind<{ usernameKey: string; limit: number }>) =>
  db
    .selectFrom('user')
    .innerJoin('libraryItem as item', 'item.ownerId', 'user.id')
    .select('item.rowId')
    .where('user.usernameKey', '=', given('usernameKey'))
    .where('user.blockedAt', 'is', null)
    .orderBy('item.updatedAt', 'desc')
    .orderBy('item.id', 'desc')
    .limit(given('limit')),
)

/** Keys of the items that an account owns: the last updated, at most `limit`; none where there is no such account. */
export async function listOfOwner(db: Db, username: string, limit: number): Promise<number[]> {
  return (await ofOwner(db, { usernameKey: username.toLowerCase(), limit })).rows.map(({ rowId }) => rowId)
}
