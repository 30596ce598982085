// Pages of lists whose order one index gives: one row more is read than is shown, which tells whether others follow. Lists with filters,
// a search or two orders are read by `pageOf` in listing-queries.ts.

interface Place {
  page: number
  per_page: number
}

/** A page of rows that are found by their place. */
export async function pageAt<Row>(
  { page, per_page }: Place,
  read: (range: { offset: number; limit: number }) => Promise<readonly Row[]>,
): Promise<{ rows: Row[]; hasMore: boolean }> {
  return cut(await read({ offset: page * per_page, limit: per_page + 1 }), per_page)
}

/** A page of rows that are found by the cursor of one beside them; `next` is that of the last row, and null on the last page. */
export async function pageBeside<Row, Cursor>(
  per_page: number,
  read: (limit: number) => Promise<readonly Row[]>,
  cursorOf: (row: Row) => Cursor,
): Promise<{ rows: Row[]; hasMore: boolean; next: Cursor | null }> {
  const { rows, hasMore } = cut(await read(per_page + 1), per_page)
  const last = rows.at(-1)
  return { rows, hasMore, next: hasMore && last !== undefined ? cursorOf(last) : null }
}

const cut = <Row>(found: readonly Row[], count: number) => ({
  rows: found.slice(0, count),
  hasMore: found.length > count,
})
