// Sorting of every list, and scans along its index, in SQL.
import {
  type AliasableExpression,
  type Compilable,
  type RawBuilder,
  type SelectQueryBuilder,
  type SelectQueryNode,
  type SqlBool,
  sql,
} from 'kysely'
import type { AnySort } from '../contract/fields.ts'
import { type Comparison, engineOf } from '../database/engine.ts'
import type { Database, Db } from '../database/schema.ts'
import { hasText, newestMatches, texts } from '../database/search.ts'
import { required } from '../runtime/untyped.ts'
import { partsOf } from '../search/parts.ts'

interface Order {
  /** The table, or its alias, whose `createdAt` (or another time), `id` and (for popular) `score` give the order. */
  of: string
  at?: string
  id?: string
  sort: AnySort
  backwards?: boolean
}

/** Newest or last active first, or by the score or the rank and then newest; the id breaks ties. */
export function inOrder<Schema, Tables extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
  { of, at = 'createdAt', id = 'id', sort, backwards = false }: Order,
): SelectQueryBuilder<Schema, Tables, Row> {
  const direction = backwards ? 'asc' : 'desc'
  return orderedBy({ at, id, sort }).reduce(
    (ordered, column) => ordered.orderBy(sql.ref(`${of}.${column}`), direction),
    query,
  )
}

const FIRST: Readonly<Record<AnySort, readonly string[]>> = {
  latest: [],
  active: [],
  popular: ['score'],
  best: ['rank'],
}

const orderedBy = ({ at = 'createdAt', id = 'id', sort }: Omit<Order, 'of'>) => [
  ...FIRST[sort],
  sort === 'active' ? 'activeAt' : at,
  id,
]

/** Whether a row is behind a place of an order. */
export function isBehind({ of, backwards = false, ...by }: Order, place: readonly unknown[]): RawBuilder<SqlBool> {
  const columns = orderedBy(by).map((column) => sql.ref(`${of}.${column}`))
  const values = place.map((value) => sql`${value}`)
  return sql<SqlBool>`(${sql.join(columns)}) ${sql.raw(backwards ? '>' : '<')} (${sql.join(values)})`
}

/** Which part of a scan is wanted; without a limit all of it. */
export interface PageWindow {
  backwards: boolean
  /** In a search: whether the rows are so few that the text of each is looked at. */
  few?: boolean
  limit?: number
  offset?: number
  /** Each row comes with its place; those after one, or all of them. */
  placed?: { after?: readonly unknown[] | undefined }
  /** Whether the rows are merged with others (`mergedIds`), and so need no order of their own. */
  merged?: boolean
}

interface IndexScan {
  /** The table whose index is scanned. */
  table: keyof Database
  /** Its column that is the id. */
  id?: string
  /** The column that the index begins with, and a value: the rows of a label, of an author. Undefined for all rows. */
  within?: readonly [column: string, value: unknown]
  /** Other columns of the index that must match, or have one of several values; undefined matches anything. */
  having?: Readonly<Record<string, unknown>>
  /** The condition of a partial index. */
  where?: RawBuilder<SqlBool> | undefined
  /** Only rows whose text matches. */
  search?: { type: string; q: string } | undefined
  /** Only these ids. */
  among?: RawBuilder<string> | undefined
  /** The column of the time that they are sorted by, if not `createdAt`. */
  at?: string
  sort: AnySort
}

/**
 * The ids of the rows, in order. SQLite compares each row of a scan with the bounds of the scan, which takes several times
 * as long as the step to it. A list knows its total, so there the scan to a page has a beginning only; should it leave the
 * rows after all, because some are gone since they were counted, what is behind them is left out.
 */
export function selectIds(
  db: Db,
  { table, id = 'id', within: [column, value] = [id, undefined], having = {}, where, search, ...by }: IndexScan,
  { backwards, few, placed, merged, ...range }: PageWindow,
): IdQuery {
  const { among: others } = by
  const place = sql.ref<unknown>(`${table}.${column}`)
  const found = search && !few ? newestMatches(db, search.type, partsOf(search.q, texts.things.meaning)) : undefined
  const facts = Object.entries(having).filter(([, fact]) => fact !== undefined)
  // Matches come newest first.
  if (found && by.sort === 'latest' && value === undefined && facts.length === 0 && !others && !placed) {
    return db.selectFrom(sql<{ id: string }>`${found}`.as('found')).select('found.id')
  }
  const order = { of: table, id, backwards, ...by }
  const ref = sql.ref<string>(`${table}.${id}`)
  const all = db.selectFrom(table).select(ref.as('id'))
  const eligible = [where, search && few && hasText(db, ref, partsOf(search.q, texts.things.meaning))]
    .filter((condition) => typeof condition === 'object')
    .reduce(
      (rows, condition) => rows.where(condition),
      [found, others].filter((ids) => ids !== undefined).reduce((rows, ids) => rows.where(ref, 'in', ids), all),
    )
  const unbounded = value !== undefined && range.limit !== undefined && !placed && engineOf(db) === 'sqlite'
  // The plus keeps SQLite from an index that has these columns and not the order.
  const named = (name: string) => (unbounded ? sql`+${sql.ref(`${table}.${name}`)}` : sql.ref(`${table}.${name}`))
  const matching = facts.reduce(
    (rows, [name, fact]) =>
      Array.isArray(fact) ? rows.where(named(name), 'in', fact) : rows.where(named(name), '=', fact),
    eligible,
  )
  if (!unbounded) {
    const bounded = value === undefined ? matching : matching.where(place, '=', value)
    const rows = placed ? placedAfter(bounded, order, placed) : bounded
    return merged ? rows : cut(inOrder(rows, order), range)
  }
  const [from, direction] = backwards ? (['>=', 'asc'] as const) : (['<=', 'desc'] as const)
  const begun = matching.select(place.as('within')).where(place, from, value).orderBy(place, direction)
  const scanned = cut(inOrder(begun, order), range).as('scanned')
  return db.selectFrom(scanned).select('scanned.id').where('scanned.within', '=', value)
}

type Scan = SelectQueryBuilder<Database, 'bug', ScannedRow>

/** How many rows of a scan lie before the end of a page. */
const reachOf = ({ limit, offset = 0 }: Pick<PageWindow, 'limit' | 'offset'>) =>
  sql<number>`cast(${limit} as bigint) + cast(${offset} as bigint)`

interface Merging {
  sort: AnySort
  /** Whether parts may have the same rows. */
  shared: boolean
}

/**
 * The ids of the rows of several scans, in order. Each part is a scan of `selectIds` for `mergedWindow`. SQLite reads each along its index and
 * merges them row by row, so a page reads no more rows than it would of one list; PostgreSQL reads no more of a part than a page needs.
 */
export function mergedIds(
  db: Db,
  parts: readonly IdQuery[],
  { sort, shared, backwards, placed, ...range }: Merging & PageWindow,
): IdQuery {
  const direction = backwards ? 'asc' : 'desc'
  const names = orderedBy({ sort }).map((_, at) => `place${at}` as const)
  const inPlace = (rows: Scan) => names.reduce((some, name) => some.orderBy(sql.ref(name), direction), rows)
  const isCut = engineOf(db) === 'postgres' && range.limit !== undefined
  const needed = (part: Scan): Scan =>
    isCut ? (db.selectFrom(inPlace(part).limit(reachOf(range)).as('part')).select(['part.id', ...names]) as Scan) : part
  const [first, ...others] = (parts as Scan[]).map(needed)
  const all = others.reduce((rows, part) => (shared ? rows.union(part) : rows.unionAll(part)), required(first))
  const merged = cut(inPlace(all), range)
  return placed ? merged : db.selectFrom(merged.as('merged')).select('merged.id')
}

/** What a part of `mergedIds` is asked for. */
export const mergedWindow = ({ limit: _, offset: __, placed = {}, ...page }: PageWindow): PageWindow => ({
  ...page,
  placed,
  merged: true,
})

/** Rows with their places: those after one, or all. */
function placedAfter<Row>(
  rows: SelectQueryBuilder<Database, 'bug', Row>,
  order: Order,
  { after }: NonNullable<PageWindow['placed']>,
) {
  const columns = orderedBy(order).map((column, at) =>
    sql<string | number>`${sql.ref(`${order.of}.${column}`)}`.as(`place${at}`),
  )
  return (after ? rows.where(isBehind(order, after)) : rows).select(columns)
}

function cut<Row extends { id: string }>(
  query: SelectQueryBuilder<Database, 'bug', Row>,
  { limit, offset }: Pick<PageWindow, 'limit' | 'offset'>,
): SelectQueryBuilder<Database, 'bug', Row> {
  return limit === undefined ? query : query.limit(limit).offset(offset ?? 0)
}

export interface ScannedRow {
  id: string
  /** The columns that it is sorted by, where they are asked for. */
  [place: `place${number}`]: string | number
}

/** A query for ids, of any table. */
export interface IdQuery extends AliasableExpression<{ id: string }>, Compilable<ScannedRow> {
  readonly isSelectQueryBuilder: true
  toOperationNode(): SelectQueryNode
  execute(): Promise<ScannedRow[]>
}

/** The comparison with ids that are known (`among`), or with those that a query finds. */
export type Ids = readonly [operator: Comparison[0] | 'in', operand: Comparison[1] | IdQuery]
