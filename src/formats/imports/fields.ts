// Fields of values that others wrote. Only an object's own fields count, so that a file with __proto__ says nothing; what has another type than
// expected is as if it were not there.

export type Values = Readonly<Record<string, unknown>>

export const valuesOf = (value: unknown): Values | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : undefined

/** The value at a path of names. */
export function at(value: unknown, ...names: string[]): unknown {
  let found = value
  for (const name of names) {
    const values = valuesOf(found)
    if (!values || !Object.hasOwn(values, name)) return undefined
    found = values[name]
  }
  return found
}

/** Whether the object has a value for each name. */
export const has = (value: unknown, ...names: string[]): boolean => names.every((name) => at(value, name) !== undefined)

/** The first of the fields that has a value, since formats of one source name the same thing differently. */
export function oneOf(value: unknown, ...names: string[]): unknown {
  for (const name of names) {
    const found = at(value, name)
    if (found !== undefined && found !== null) return found
  }
  return undefined
}

export const textAt = (value: unknown, ...names: string[]): string | undefined => {
  const found = at(value, ...names)
  return typeof found === 'string' ? found : undefined
}

export const wordAt = (value: unknown, ...names: string[]): string => textAt(value, ...names)?.toLowerCase() ?? ''

export const countAt = (value: unknown, ...names: string[]): number => {
  const found = at(value, ...names)
  return Number.isSafeInteger(found) && Number(found) > 0 ? Number(found) : 0
}

/** A list: an array, or the nodes or edges of a GraphQL connection. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  const nodes = at(value, 'nodes')
  if (Array.isArray(nodes)) return nodes
  const edges = at(value, 'edges')
  return Array.isArray(edges) ? edges.map((edge) => at(edge, 'node')) : []
}

/** An id as a text; undefined for what cannot be one. */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}
