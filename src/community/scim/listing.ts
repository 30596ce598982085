// Lists of resources (RFC 7644, 3.4.2): pages, and filters. The usual filters are asked of an index; any other is tried on what there is.

import type { ScimQuery } from '../../identity/scim-queries.ts'
import { fits, parseFilter, soughtIn } from './filter.ts'
import { type Listed, ScimError } from './messages.ts'
import { MAX_RESULTS } from './schemas.ts'

/** More are not looked through for a filter that no index has. */
const MAX_TRIED = 5_000

interface Source<Row> {
  /** The attribute that names a resource, in lower case. */
  name: string
  page(wanted: ScimQuery, range: { offset: number; limit: number }): Promise<{ total: number; rows: Row[] }>
  shown(rows: readonly Row[]): Promise<Record<string, unknown>[]>
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
  const wanted = filter ? wantedBy(soughtIn(filter), source.name) : {}
  if (wanted) {
    const { total, rows } = await source.page(wanted, { offset, limit })
    return { total, startIndex, resources: await source.shown(rows) }
  }
  const { total, rows } = await source.page({}, { offset: 0, limit: MAX_TRIED })
  if (total > MAX_TRIED) throw new ScimError(400, 'Too many to look through; filter by a name or an id', 'tooMany')
  const found = (await source.shown(rows)).filter((one) => filter && fits(one, filter))
  return { total: found.length, startIndex, resources: found.slice(offset, offset + limit) }
}

/** Undefined where no index has it. */
function wantedBy(sought: ReturnType<typeof soughtIn>, name: string): ScimQuery | undefined {
  if (!sought) return undefined
  const { attribute, value } = sought
  if (attribute === name) return { nameKey: value.toLowerCase() }
  if (attribute === 'externalid') return { externalId: value }
  return attribute === 'id' ? { id: value } : undefined
}
