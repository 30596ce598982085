// The address of the Atom feed of a page: its path with `.atom`, and its filters.

export function feedOf({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string {
  const query = new URLSearchParams(search)
  query.delete('page')
  return `${pathname}.atom${query.size > 0 ? `?${query}` : ''}`
}
