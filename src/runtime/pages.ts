// Lists that are read in pages, each from where the page before it ended.

const ROWS_AT_ONCE = 500

/** All rows of a list. `page` returns at most `limit` rows that come after a place; `placeOf` is the place of a row. */
export async function* allRows<Row, Place>(
  start: Place,
  page: (after: Place, limit: number) => Promise<Row[]>,
  placeOf: (row: Row) => Place,
): AsyncGenerator<Row> {
  for (let after = start; ; ) {
    const rows = await page(after, ROWS_AT_ONCE)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_ONCE) return
    after = placeOf(last)
  }
}
