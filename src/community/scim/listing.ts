// Lists of resources (RFC 7644, 3.4.2): pages, and filters. The usual filters are asked of an index; any other is tried on what there is.

import { setImmediate as pause } from 'node:timers/promises'
import type { Filter } from 'scim2-parse-filter'
import type { ScimQuery } from '../../identity/scim-queries.ts'
import { fits, names, parseFilter, soughtIn } from './filter.ts'
import { isChosen, type Listed, ScimError } from './messages.ts'
import { MAX_RESULTS } from './schemas.ts'

/** More are not looked through for a filter that no index has. */
const MAX_TRIED = 5_000

/** So many members of groups, or groups of accounts, are in one answer, and are looked through for a filter on them. */
export const MAX_PARTS = 50_000

interface Source<Row> {
  /** The attribute that names a resource, in lower case. */
  name: string
  /** The attribute of which a resource may have very many, in lower case; it is looked up only where it is needed. */
  parts: string
  /** How many of these each row has, in their order. */
  count(rows: readonly Row[]): Promise<number[]>
  page(wanted: ScimQuery, range: { offset: number; limit: number }): Promise<{ total: number; rows: Row[] }>
  shown(rows: readonly Row[], isWhole: boolean): Promise<Record<string, unknown>[]>
}

function numberIn(query: URLSearchParams, name: string, usual: number): number {
  const text = query.get(name)
  if (text === null) return usual
  if (!/^-?\d{1,9}$/.test(text)) throw new ScimError(400, `${name} is a whole number`, 'invalidValue')
  return Number(text)
}

/** What a list has of a source. */
export async function listed<Row>(query: URLSearchParams, source: Source<Row>): Promise<Listed> {
  // A value below 1 is taken as 1, and a count below 0 as 0 (RFC 7644, 3.4.2.4).
  const startIndex = Math.max(1, numberIn(query, 'startIndex', 1))
  const limit = Math.min(MAX_RESULTS, Math.max(0, numberIn(query, 'count', 100)))
  const offset = startIndex - 1
  const text = query.get('filter')
  const filter = text === null || text.trim() === '' ? undefined : parseFilter(text)
  const wanted = filter && wantedBy(soughtIn(filter), source.name)
  const isWhole = isChosen(query, source.parts)
  if (!filter || wanted) {
    const { total, rows } = await source.page(wanted ?? {}, { offset, limit })
    return { total, startIndex, resources: await source.shown(isWhole ? await fitting(source, rows) : rows, isWhole) }
  }
  const found = await tried(source, filter)
  const page = found.slice(offset, offset + limit)
  const rows = isWhole ? await fitting(source, page) : page
  return { total: found.length, startIndex, resources: await source.shown(rows, isWhole) }
}

/** The first rows, at least one, that have no more parts together than an answer has: a page may have less than was asked for (RFC 7644, 3.4.2.4). */
async function fitting<Row>(source: Source<Row>, rows: readonly Row[]): Promise<readonly Row[]> {
  let sum = 0
  const counts = await source.count(rows)
  const end = counts.findIndex((count, at) => {
    sum += count
    return at > 0 && sum > MAX_PARTS
  })
  return end < 0 ? rows : rows.slice(0, end)
}

/** The rows that fit a filter which no index has. */
async function tried<Row>(source: Source<Row>, filter: Filter): Promise<Row[]> {
  // Of conditions that all must hold, one that an index has leaves few.
  const all = filter.op === 'and' ? filter.filters : []
  const wanted = all.map((one) => wantedBy(soughtIn(one), source.name)).find((one) => one !== undefined)
  const { total, rows } = await source.page(wanted ?? {}, { offset: 0, limit: MAX_TRIED })
  const isWhole = names(filter, source.parts)
  if (total > MAX_TRIED || (isWhole && (await fitting(source, rows)).length < rows.length))
    throw new ScimError(400, 'Too many to look through; filter by a name or an id', 'tooMany')
  const resources = await source.shown(rows, isWhole)
  const found: Row[] = []
  for (const [at, row] of rows.entries()) {
    if (fits(resources[at], filter)) found.push(row)
    // Others are answered in between.
    if (isWhole || at % 100 === 99) await pause()
  }
  return found
}

/** Undefined where no index has it. */
function wantedBy(sought: ReturnType<typeof soughtIn>, name: string): ScimQuery | undefined {
  if (!sought) return undefined
  const { attribute, value } = sought
  if (attribute === name) return { nameKey: value.toLowerCase() }
  if (attribute === 'externalid') return { externalId: value }
  return attribute === 'id' ? { id: value } : undefined
}
