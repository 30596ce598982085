// The page of a list that an address names.

/** The page number in a URL; 0 unless it is a positive integer. */
export function pageNumber(url: URL, name = 'page'): number {
  const number = Number(url.searchParams.get(name))
  return Number.isInteger(number) && number > 0 ? number : 0
}
