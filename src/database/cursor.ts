// Where a page of a list ends, as a text that the caller sends for the next page. It belongs to one list in one order with its filters: for
// another one it is refused. It is no secret and promises nothing: a made up one reads from another place of what the caller sees anyway.
import { hash } from 'node:crypto'
import { Problem } from '../contract/problem.ts'
import { isStorable } from '../contract/storable.ts'
import { required } from '../runtime/untyped.ts'

/** The values that the last entry of a page is sorted by. */
export type Place = readonly (string | number)[]

/** What tells a list from others: its name, its order, its filters. */
type List = readonly unknown[]

const SUM_LENGTH = 12

const sumOf = (list: List, values: string) =>
  hash('sha256', JSON.stringify([list, values]), 'base64url').slice(0, SUM_LENGTH)

const writeCursor = (list: List, place: Place): string => {
  const values = JSON.stringify(place)
  return sumOf(list, values) + Buffer.from(values).toString('base64url')
}

/** Integers of both engines, and texts that they can compare. */
const isValue = (value: unknown) =>
  typeof value === 'string' ? isStorable(value) : Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31

function valuesIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The place after which a page begins; undefined for the beginning of the list. `like` has a value of the type of each of a place. */
export function readCursor(list: List, cursor: string, like: Place): Place | undefined {
  if (cursor === '') return undefined
  const values = Buffer.from(cursor.slice(SUM_LENGTH), 'base64url').toString()
  const place =
    cursor === sumOf(list, values) + Buffer.from(values).toString('base64url') ? valuesIn(values) : undefined
  const isPlace =
    Array.isArray(place) &&
    place.length === like.length &&
    place.every((value, at) => typeof value === typeof like[at] && isValue(value))
  if (!isPlace) {
    throw new Problem('invalid_request', 'cursor: must be `nextCursor` of this list with the same order and filters')
  }
  return place
}

export interface PageRequest {
  /** From 0. */
  page: number
  per_page: number
  /** Instead of a page: empty for the beginning. */
  cursor?: string | undefined
}

/** What a page of rows is read by: one row more tells whether there are more. */
export interface Range {
  offset: number
  limit: number
  after?: Place | undefined
}

interface CutPage<Row> {
  items: Row[]
  hasMore: boolean
  nextCursor?: string | null
}

/** A list, and the fields that it is sorted by, each with a value of its type. */
interface SortedList<By extends Record<string, string | number>> {
  list: List
  by: By
}

interface Placing<Row> extends PageRequest {
  list: List
  like: Place
  placeOf(row: Row): Place
}

type Read<Row> = (range: Range) => Promise<readonly Row[]>

async function cutPage<Row>(
  { page, per_page, cursor, list, like, placeOf }: Placing<Row>,
  read: Read<Row>,
): Promise<CutPage<Row>> {
  const limit = per_page + 1
  const rows =
    cursor === undefined
      ? await read({ offset: page * per_page, limit })
      : await read({ offset: 0, limit, after: readCursor(list, cursor, like) })
  const hasMore = rows.length > per_page
  const items = rows.slice(0, per_page)
  if (cursor === undefined) return { items, hasMore }
  const last = items.at(-1)
  return { items, hasMore, nextCursor: hasMore && last ? writeCursor(list, placeOf(last)) : null }
}

/** A page of the rows that `read` gives. */
export const pageOfRows = <
  By extends Record<string, string | number>,
  Row extends { [Field in keyof By]?: string | number },
>(
  request: PageRequest,
  { list, by }: SortedList<By>,
  read: Read<Row>,
): Promise<CutPage<Row>> => {
  const placeOf = (row: Row): Place =>
    Object.entries(by).map(([field, like]) => {
      const value = required(row[field])
      return typeof like === 'number' ? Number(value) : value
    })
  return cutPage({ ...request, list, like: Object.values(by), placeOf }, read)
}

/** A page of a list that is read whole: after the entry where the page before ended, or after as many where that is gone. */
export const pageOfAll = <Row>(
  request: PageRequest,
  { list, idOf }: { list: List; idOf(row: Row): string | number },
  rows: readonly Row[],
): Promise<CutPage<Row>> => {
  const placeOf = (row: Row) => [String(idOf(row)), rows.indexOf(row) + 1]
  return cutPage({ ...request, list, like: ['', 0], placeOf }, async ({ offset, limit, after }) => {
    if (!after) return rows.slice(offset, offset + limit)
    const at = rows.findIndex((row) => String(idOf(row)) === after[0])
    const start = at < 0 ? Math.max(Number(after[1]) - 1, 0) : at + 1
    return rows.slice(start, start + limit)
  })
}

interface BeforeRequest {
  before?: string | undefined
  per_page: number
  cursor?: string | undefined
}

/** A page of a list by ids, the greatest first, which has been read by `before` and `next`, too. */
export async function pageBefore<Row extends { id: string }>(
  { before, per_page, cursor }: BeforeRequest,
  list: List,
  read: (wanted: { before: string | undefined; limit: number }) => Promise<readonly Row[]>,
): Promise<CutPage<Row> & { next: string | null }> {
  const sorted = { list, by: { id: '' } }
  const page = await pageOfRows({ page: 0, per_page, cursor }, sorted, ({ limit, after }) =>
    read({ before: after ? String(after[0]) : cursor === undefined ? before : undefined, limit }),
  )
  return { ...page, next: page.hasMore ? (page.items.at(-1)?.id ?? null) : null }
}
