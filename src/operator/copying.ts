// Copies the rows of one database to another. The first pass goes on where an earlier one stopped, and the server may go on writing.
// The last one compares every row with the source, which is locked by then, and mends what differs until nothing does.
import { compareKeys, keyOf, type Row, type Rows, sharedTable, type Table, type WritableRows } from './rows.ts'

const ROWS_AT_ONCE = 1_000
/** A pass mends what the one before it found; one more than this would not help. */
const MOST_PASSES = 5

/** How far a copy has come: a table, how many of its rows were looked at, and which share of all tables that is. */
export type OnRows = (table: string, rows: number, share: number) => void

/** The same, told of one table after the other, as large as they are in the source. */
async function sharesOf(
  from: Rows,
  tables: readonly Table[],
  onRows: OnRows,
): Promise<(name: string, rows: number) => void> {
  const sizes = new Map<string, { before: number; size: number }>()
  let total = 0
  for (const table of tables) {
    const size = await from.count(table)
    sizes.set(table.name, { before: total, size })
    total += size
  }
  return (name, rows) => {
    const { before, size } = sizes.get(name) ?? { before: 0, size: 0 }
    onRows(name, rows, (before + Math.min(rows, size)) / Math.max(1, total))
  }
}

/** The tables of both sides. Throws when they were not made by the same version. */
export async function sharedTables(from: Rows, to: Rows): Promise<Table[]> {
  const others = new Map((await to.tables()).map((table) => [table.name, table]))
  const tables = await from.tables()
  const missing = tables.filter(({ name }) => !others.has(name)).map(({ name }) => name)
  if (missing.length > 0 || tables.length !== others.size) {
    throw new Error(
      `The databases were made by different versions of Guildhall: ${missing.join(', ') || 'more tables'}`,
    )
  }
  return tables.map((table) => sharedTable(table, others.get(table.name) ?? table))
}

/** Removes what the migrations of a new database wrote: the rows of the source take its place. */
export async function clear(to: WritableRows): Promise<void> {
  for (const table of await to.tables()) {
    for (let rows = await to.page(table, undefined, ROWS_AT_ONCE); rows.length > 0; ) {
      await to.remove(table, rows)
      rows = await to.page(table, undefined, ROWS_AT_ONCE)
    }
  }
}

/** Copies the rows that come after the last one that is there. */
export async function copyRows(from: Rows, to: WritableRows, onRows: OnRows): Promise<void> {
  const tables = await sharedTables(from, to)
  const tell = await sharesOf(from, tables, onRows)
  for (const table of tables) {
    let done = await to.count(table)
    const there = await to.last(table)
    for (let after = there && keyOf(table, there); ; ) {
      const rows = await from.page(table, after, ROWS_AT_ONCE)
      if (rows.length > 0) await to.insert(table, rows)
      done += rows.length
      tell(table.name, done)
      const last = rows.at(-1)
      if (last === undefined || rows.length < ROWS_AT_ONCE) break
      after = keyOf(table, last)
    }
  }
}

/** Compares every row, and mends the copy until every row is the same. The source must be locked. Returns the number of rows. */
export async function mendRows(from: Rows, to: WritableRows, onRows: OnRows): Promise<number> {
  let total = 0
  const tables = await sharedTables(from, to)
  const tell = await sharesOf(from, tables, onRows)
  for (const table of tables) {
    for (let pass = 1; ; pass++) {
      const { same, wrong } = await compareTable(from, to, table)
      tell(table.name, same)
      total += wrong === 0 ? same : 0
      if (wrong === 0) break
      if (pass === MOST_PASSES)
        throw new Error(`${wrong} rows of ${table.name} differ: something else writes to a database`)
    }
  }
  await to.setNumbers(await from.numbers())
  return total
}

/**
 * Both sides in the order of their keys. Rows of the copy that differ or are too many are removed first: a value that must be unique may
 * belong to another row now.
 */
async function compareTable(from: Rows, to: WritableRows, table: Table): Promise<{ same: number; wrong: number }> {
  const differing: Row[] = []
  const missing: Row[] = []
  let same = 0
  for await (const { source, copy } of pairs(from, to, table)) {
    if (copy && source && copy.every((value, at) => value === source[at])) {
      same++
      continue
    }
    if (copy) differing.push(copy)
    if (source) missing.push(source)
  }
  for (const rows of inBatches(differing)) await to.remove(table, rows)
  for (const rows of inBatches(missing)) await to.insert(table, rows)
  return { same, wrong: Math.max(differing.length, missing.length) }
}

/** Rows of both sides with the same key, or of one alone. */
async function* pairs(from: Rows, to: Rows, table: Table): AsyncGenerator<{ source?: Row; copy?: Row }> {
  const [sources, copies] = [rowsOf(from, table), rowsOf(to, table)]
  let [source, copy] = [await next(sources), await next(copies)]
  while (source || copy) {
    const order = source && copy ? compareKeys(keyOf(table, source), keyOf(table, copy)) : source ? -1 : 1
    yield { ...(source && order <= 0 ? { source } : {}), ...(copy && order >= 0 ? { copy } : {}) }
    if (order <= 0) source = await next(sources)
    if (order >= 0) copy = await next(copies)
  }
}

const next = async (rows: AsyncGenerator<Row>): Promise<Row | undefined> => {
  const { value, done } = await rows.next()
  return done ? undefined : value
}

/** All rows of a table; a page is read ahead while the one before it is used. */
async function* rowsOf(rows: Rows, table: Table): AsyncGenerator<Row> {
  let ahead = rows.page(table, undefined, ROWS_AT_ONCE)
  for (;;) {
    const page = await ahead
    const last = page.at(-1)
    const isLast = last === undefined || page.length < ROWS_AT_ONCE
    if (!isLast) ahead = rows.page(table, keyOf(table, last), ROWS_AT_ONCE)
    // An error of the page ahead is reported when it is awaited.
    ahead.catch(() => {})
    yield* page
    if (isLast) return
  }
}

function* inBatches(rows: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE)
}
