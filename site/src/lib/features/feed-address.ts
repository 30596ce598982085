// The addresses of a list for programs: its Atom feed, which is its path with `.atom` and its filters, its calendar, and its CSV.

import { askedIn } from '#lib/query.ts'

/** The query without what pages alone know. */
function asFiltered(search: string): URLSearchParams {
  const query = askedIn(search)
  for (const name of ['page', 'view']) query.delete(name)
  return query
}

export function feedOf({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const query = asFiltered(search)
  return `${pathname}.atom${query.size > 0 ? `?${query}` : ''}`
}

const calendars = new Map([
  ['/community/roadmap', '/calendar/roadmap.ics'],
  ['/community/changelog', '/calendar/releases.ics'],
])

/** Undefined for what belongs to no day. Of the filters it has the board alone. */
export function calendarOf({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string | undefined {
  const path = calendars.get(pathname)
  const board = new URLSearchParams(search).get('board')
  return path && board ? `${path}?${new URLSearchParams({ board })}` : path
}

/** The whole list of a subject: the API has it at the path of the page, with the same filters. */
export function csvOf({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const query = asFiltered(search)
  query.set('format', 'csv')
  return `/api${pathname}?${query}`
}
