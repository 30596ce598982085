// The addresses of a list for programs: its Atom feed, which is its path with `.atom` and its filters, its calendar, and its CSV.

export function feedOf({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const query = new URLSearchParams(search)
  query.delete('page')
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
  const query = new URLSearchParams(search)
  query.delete('page')
  query.set('format', 'csv')
  return `/api${pathname}?${query}`
}
