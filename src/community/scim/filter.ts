// Filters (RFC 7644, 3.4.2.2): parsed by a library, and tried on a resource as it is answered. Case counts in no comparison of text.
import { type Compare, type Filter, parse } from 'scim2-parse-filter'
import { ScimError, topOf } from './messages.ts'

const MAX_LENGTH = 1_000

/** The parsed filter; throws where it is none. */
export function parseFilter(text: string): Filter {
  try {
    if (text.length > MAX_LENGTH) throw new Error('too long')
    return parse(text)
  } catch {
    throw new ScimError(400, 'The filter is not one of SCIM', 'invalidFilter')
  }
}

const withoutSchema = (path: string) => path.replace(/^urn:.*:(?=[^:]*$)/i, '')

/** The one value that a filter looks for: `userName eq "x"`; undefined for every other filter. */
export function soughtIn(filter: Filter): { attribute: string; value: string } | undefined {
  if (filter.op !== 'eq' || typeof filter.compValue !== 'string') return undefined
  return { attribute: withoutSchema(filter.attrPath).toLowerCase(), value: filter.compValue }
}

/** Whether a filter names an attribute of the first level, given in lower case. */
export function names(filter: Filter, attribute: string): boolean {
  if ('filters' in filter) return filter.filters.some((one) => names(one, attribute))
  if ('filter' in filter) return names(filter.filter, attribute)
  return topOf(filter.attrPath).toLowerCase() === attribute
}

/** What a resource has at a path; of lists, what each element has. */
function valuesAt(resource: unknown, path: string): unknown[] {
  return withoutSchema(path)
    .split('.')
    .reduce<unknown[]>((found, name) => found.flatMap((one) => listOf(fieldOf(one, name))), [resource])
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const entry = Object.entries(value).find(([key]) => key.toLowerCase() === name.toLowerCase())
  return entry?.[1]
}

const comparable = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)

const tests: Record<Compare['op'], (value: unknown, sought: unknown) => boolean> = {
  eq: (value, sought) => value === sought,
  ne: (value, sought) => value !== sought,
  co: (value, sought) => String(value).includes(String(sought)),
  sw: (value, sought) => String(value).startsWith(String(sought)),
  ew: (value, sought) => String(value).endsWith(String(sought)),
  gt: (value, sought) => isOrdered(value, sought) && String(value) > String(sought),
  ge: (value, sought) => isOrdered(value, sought) && String(value) >= String(sought),
  lt: (value, sought) => isOrdered(value, sought) && String(value) < String(sought),
  le: (value, sought) => isOrdered(value, sought) && String(value) <= String(sought),
}

const isOrdered = (value: unknown, sought: unknown) => typeof value === 'string' && typeof sought === 'string'

/** An element of a list of values is compared by its `value` where no other part of it is named. */
const plainly = (value: unknown) => (typeof value === 'object' && value !== null ? fieldOf(value, 'value') : value)

/** Whether a resource fits a filter. */
export function fits(resource: unknown, filter: Filter): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((one) => fits(resource, one))
    case 'or':
      return filter.filters.some((one) => fits(resource, one))
    case 'not':
      return !fits(resource, filter.filter)
    case '[]':
      return valuesAt(resource, filter.attrPath).some((one) => fits(one, filter.valFilter))
    case 'pr':
      return valuesAt(resource, filter.attrPath).some((one) => one !== null && one !== '')
    default:
      return compares(resource, filter)
  }
}

function compares(resource: unknown, { op, attrPath, compValue }: Compare): boolean {
  const values = valuesAt(resource, attrPath).map((one) => comparable(plainly(one)))
  const sought = comparable(compValue)
  if (values.length === 0) return op === 'ne'
  return values.some((value) => tests[op](value, sought))
}
