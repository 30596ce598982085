// The address of a list with another value of its query: from its first page on, with all that was chosen besides.

import { askedIn } from '#lib/query.ts'

/** Without the name where there is no value. */
export function withValue(
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
  name: string,
  value?: string,
): string {
  const query = askedIn(search)
  query.delete('page')
  if (value === undefined) query.delete(name)
  else query.set(name, value)
  return `${pathname}${query.size > 0 ? `?${query}` : ''}`
}

/** The same address with commas between the values of each of these names that it has more than once, as a form of checkboxes sends them. */
export function withCommas({ pathname, searchParams }: URL, names: readonly string[]): string | undefined {
  const repeated = names.filter((name) => searchParams.getAll(name).length > 1)
  if (repeated.length === 0) return undefined
  const query = new URLSearchParams(searchParams)
  for (const name of repeated) query.set(name, [...new Set(searchParams.getAll(name))].join(','))
  return `${pathname}?${query}`
}

/** What a form that sets some names of the query keeps as it is. */
export function keptBut({ search }: Pick<URL, 'search'>, ...names: string[]): [name: string, value: string][] {
  return [...askedIn(search)].filter(([name, value]) => value !== '' && ![...names, 'page'].includes(name))
}
