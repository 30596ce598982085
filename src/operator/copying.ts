// Copies the rows of one database to another, on from where an earlier copy stopped; compares every row of both; and copies the rows that
// the source noted as changed (rows.ts), which takes as long as there are such rows.
import { UNFINISHED_MOVE } from '../database/applied.ts'
import { countedAs } from '../database/before-first-release.ts'
import { required } from '../runtime/untyped.ts'
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
  const [ran, alsoRan] = [countedAs(await from.migrations()), countedAs(await to.migrations())]
  const different = [
    ...ran.filter((name) => !alsoRan.includes(name)),
    ...alsoRan.filter((name) => !ran.includes(name) && name !== UNFINISHED_MOVE),
  ]
  const missing = tables.filter(({ name }) => !others.has(name)).map(({ name }) => name)
  if (different.length + missing.length > 0 || tables.length !== others.size) {
    throw new Error(
      `the databases were made by different versions of Guildhall (${[...different, ...missing].join(', ') || 'more tables'}): name an empty one`,
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

interface CopyOptions {
  onRows: OnRows
  /** With `skip`, a row that contradicts one of the copy is left to `copyChanges`. */
  conflict?: 'skip'
}

/** Copies the rows that come after the last one that is there. */
export async function copyRows(from: Rows, to: WritableRows, { onRows, conflict }: CopyOptions): Promise<void> {
  const tables = await sharedTables(from, to)
  const tell = await sharesOf(from, tables, onRows)
  for (const table of tables) {
    let done = await to.count(table)
    const there = await to.last(table)
    // One side reads a page while the other one writes the page before it.
    let writing = Promise.resolve()
    for await (const rows of pagesOf(from, table, there && keyOf(table, there))) {
      await writing
      writing = to.insert(table, rows, conflict)
      writing.catch(() => {})
      done += rows.length
      tell(table.name, done)
    }
    await writing
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
    if (copy && source && isSame(source, copy)) {
      same++
      continue
    }
    if (copy) differing.push(copy)
    if (source) missing.push(source)
  }
  await mend(to, table, { differing, missing })
  return { same, wrong: Math.max(differing.length, missing.length) }
}

/**
 * Copies the rows that the source noted as changed, and compares them. The source must be one state: then no value that must be unique
 * belongs to two rows. Returns what was noted.
 */
export async function copyChanges(from: Rows, to: WritableRows): Promise<{ rows: number; numbers: readonly number[] }> {
  const { keys, numbers } = await from.changes()
  let total = 0
  for (const table of await sharedTables(from, to)) {
    const changed = keys.get(table.name) ?? []
    for (let pass = 1; ; pass++) {
      const wrong = await findWrong(from, to, { table, keys: changed })
      if (wrong.differing.length + wrong.missing.length === 0) break
      if (pass === MOST_PASSES)
        throw new Error(`Rows of ${table.name} differ: something else writes to the new database`)
      await mend(to, table, wrong)
    }
    total += changed.length
  }
  return { rows: total, numbers }
}

async function findWrong(
  from: Rows,
  to: Rows,
  { table, keys }: { table: Table; keys: readonly Row[] },
): Promise<CopyErrors> {
  const [differing, missing]: [Row[], Row[]] = [[], []]
  for (const batch of inBatches(keys)) {
    const [sources, copies] = [byKey(table, await from.find(table, batch)), byKey(table, await to.find(table, batch))]
    for (const key of batch.map((one) => JSON.stringify(one))) {
      const [source, copy] = [sources.get(key), copies.get(key)]
      if (source && copy && isSame(source, copy)) continue
      if (copy) differing.push(copy)
      if (source) missing.push(source)
    }
  }
  return { differing, missing }
}

const byKey = (table: Table, rows: readonly Row[]) =>
  new Map(rows.map((row) => [JSON.stringify(keyOf(table, row)), row]))

const isSame = (one: Row, other: Row) => one.every((value, at) => value === other[at])

/** Compares every row, while both sides may change. Tells of each row that differs by its key. Returns the number of rows. */
export async function findDifferences(
  from: Rows,
  to: Rows,
  { onRows, onDiffering }: { onRows: OnRows; onDiffering: (table: Table, keys: readonly Row[]) => Promise<void> },
): Promise<number> {
  let total = 0
  const tables = await sharedTables(from, to)
  const tell = await sharesOf(from, tables, onRows)
  for (const table of tables) {
    let [seen, keys]: [number, Row[]] = [0, []]
    for await (const { source, copy } of pairs(from, to, table)) {
      if (++seen % ROWS_AT_ONCE === 0) tell(table.name, seen)
      if (source && copy && isSame(source, copy)) continue
      keys.push(keyOf(table, required(source ?? copy)))
      if (keys.length < ROWS_AT_ONCE) continue
      await onDiffering(table, keys)
      keys = []
    }
    if (keys.length > 0) await onDiffering(table, keys)
    total += seen
  }
  return total
}

interface CopyErrors {
  /** Rows of the copy. */
  differing: readonly Row[]
  /** Rows of the source. */
  missing: readonly Row[]
}

async function mend(to: WritableRows, table: Table, { differing, missing }: CopyErrors): Promise<void> {
  for (const rows of inBatches(differing)) await to.remove(table, rows)
  for (const rows of inBatches(missing)) await to.insert(table, rows)
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

async function* rowsOf(rows: Rows, table: Table): AsyncGenerator<Row> {
  for await (const page of pagesOf(rows, table)) yield* page
}

/** All rows of a table after a key; a page is read ahead while the one before it is used. */
async function* pagesOf(rows: Rows, table: Table, after?: Row): AsyncGenerator<Row[]> {
  let ahead = rows.page(table, after, ROWS_AT_ONCE)
  for (;;) {
    const page = await ahead
    const last = page.at(-1)
    const isLast = last === undefined || page.length < ROWS_AT_ONCE
    if (!isLast) ahead = rows.page(table, keyOf(table, last), ROWS_AT_ONCE)
    // An error of the page ahead is reported when it is awaited.
    ahead.catch(() => {})
    if (page.length > 0) yield page
    if (isLast) return
  }
}

function* inBatches(rows: readonly Row[]): Generator<Row[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE)
}
