// Filters of a list that have several values: each value is a filter of its own (`status.0`, `status.1`), as queries are prepared by the names
// of their filters (content/list-pages.ts).
import { valuesOf } from '../../contract/several.ts'

export type Filters = Readonly<Record<string, string | undefined>>

/** The labels of a list where it has several, beside `labelId` for one. */
export const LABELS = 'labelIds'

/** Filters with each value of those of these names that have several as a filter of its own. */
export const spread = (filters: Filters, names: readonly string[]): Filters =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => {
      const values = names.includes(name) ? valuesOf(value) : []
      return values.length > 1 ? values.map((one, at): [string, string] => [`${name}.${at}`, one]) : [[name, value]]
    }),
  )

/** What a filter of this name has after `spread`: nothing, one value, or several. The values may be placeholders of a prepared query. */
export function valueIn(filters: Filters, name: string): string | string[] | undefined {
  const several = Object.entries(filters).flatMap(([one, value]) =>
    one.startsWith(`${name}.`) && value !== undefined ? [value] : [],
  )
  return several.length > 0 ? several : filters[name]
}

/** Whether a filter of this name has several values. */
export const hasSeveral = (filters: Filters, name: string): boolean => `${name}.0` in filters

/** One list for each choice of a value of each of these names, as filters with one value: none of them has a row of another. */
export function choicesOf(filters: Filters, names: readonly string[]): Filters[] {
  const several = names.filter((name) => hasSeveral(filters, name))
  const shared = Object.entries(filters).filter(([name]) => several.every((one) => !name.startsWith(`${one}.`)))
  return several.reduce<Filters[]>(
    (lists, name) =>
      lists.flatMap((list) => [valueIn(filters, name) ?? []].flat().map((one) => ({ ...list, [name]: one }))),
    [Object.fromEntries(shared)],
  )
}
