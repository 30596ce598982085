// The rows of a whole database, table by table in the order of their keys, whichever engine holds them: what a move and a backup read and
// write. The engines have the same tables and columns but for what an index of full text needs, and the same kinds of values.
export type Value = string | number | null
/** The values of a row in the order of the columns of its table. */
export type Row = readonly Value[]

export interface Table {
  name: string
  columns: readonly string[]
  /** The columns of its key, which are among `columns`. */
  key: readonly string[]
}

/** The last numbers that were given to bugs, feature requests and posts, and to rows of items: they are never given again. */
export interface Numbers {
  thing: number
  item: number
}

/** The rows that a source noted as changed, by the names of their tables, and the numbers of these notes (`ChangeLog`). */
export interface NotedChanges {
  keys: ReadonlyMap<string, readonly Row[]>
  numbers: readonly number[]
}

export interface Rows {
  /** Every table that holds data of its own. Neither indexes of full text nor the list of migrations are among them. */
  tables(): Promise<Table[]>
  /** The names of the migrations that ran. */
  migrations(): Promise<string[]>
  /** Up to `limit` rows after the key of one, in the order of keys. Texts are ordered by their bytes. */
  page(table: Table, after: Row | undefined, limit: number): Promise<Row[]>
  /** The rows with these keys, in any order; those that are missing are left out. */
  find(table: Table, keys: readonly Row[]): Promise<Row[]>
  /** What changed and was not copied yet. */
  changes(): Promise<NotedChanges>
  /** The row with the last key. */
  last(table: Table): Promise<Row | undefined>
  count(table: Table): Promise<number>
  numbers(): Promise<Numbers>
  close(): Promise<void>
}

/** A database that rows are written to. While it is open for that, Guildhall does not start on it. */
export interface WritableRows extends Rows {
  /** With `skip`, a row whose key or unique value is taken is left out. */
  insert(table: Table, rows: readonly Row[], conflict?: 'skip'): Promise<void>
  /** Removes rows by their keys. */
  remove(table: Table, rows: readonly Row[]): Promise<void>
  setNumbers(numbers: Numbers): Promise<void>
  /** What the mover wrote down here about its progress; undefined if nothing. */
  note(): Promise<string | undefined>
  setNote(text: string): Promise<void>
  /** Puts what was written on the disk, and tells the planner of queries what is there. */
  settle(): Promise<void>
  /**
   * Restores triggers and references, and lets Guildhall start on it. References are checked before that, or by `checkReferences` later:
   * that is for rows which are known to be those of the source, where they hold.
   */
  finish(references?: 'later'): Promise<void>
  /** Checks every reference after `finish`; the server may run. Throws when a row refers to one that is missing. */
  checkReferences(): Promise<void>
}

/** Tables that are made by migrations themselves or belong to one process. */
export const OWN_TABLES: readonly string[] = [
  'kysely_migration',
  'kysely_migration_lock',
  'thingNumber',
  'eventNumber',
  'unfinishedMove',
  'moveNote',
  'movedKey',
  'moveBegun',
]

/** The last number of an event: those of events that are deleted are known to follows. */
export const LAST_EVENT = `(select coalesce(max(last), 0) from (
  select max("sequence") as last from event union all select max(since) from follow) numbers)`

/** The texts of a document of the search, by which its terms are made again. */
export function documentTexts({ columns }: Table, row: Row): { title: string; names: string; body: string } {
  const text = (column: string) => String(row[columns.indexOf(column)] ?? '')
  return { title: text('title'), names: text('names'), body: text('body') }
}

/** The key of a row. */
export const keyOf = (table: Table, row: Row): Row =>
  table.key.map((column) => row[table.columns.indexOf(column)] ?? null)

/** Notes of changes, read from the database: each key once. */
export function notedChanges(notes: Iterable<{ number: number; table: string; key: string }>): NotedChanges {
  const texts = new Map<string, Set<string>>()
  const numbers: number[] = []
  for (const { number, table, key } of notes) {
    numbers.push(number)
    const known = texts.get(table)
    if (known) known.add(key)
    else texts.set(table, new Set([key]))
  }
  const keys = new Map([...texts].map(([table, all]) => [table, [...all].map((key): Row => JSON.parse(key))]))
  return { keys, numbers }
}

/** Orders keys as both engines do: numbers by value, texts by their UTF-8 bytes. */
export function compareKeys(left: Row, right: Row): number {
  for (const [at, one] of left.entries()) {
    const other = right[at] ?? null
    if (one === other) continue
    if (typeof one === 'number' && typeof other === 'number') return one - other
    return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
  }
  return 0
}

/** The columns that both sides have, in the order of the first; `terms` of the search are made from the texts again. */
export function sharedTable(table: Table, other: Table): Table {
  const columns = table.columns.filter((column) => other.columns.includes(column))
  const key = [table.key, other.key].find((columnsOfKey) => columnsOfKey.every((column) => columns.includes(column)))
  if (!key) throw new Error(`The table ${table.name} has no key that both databases know`)
  return { name: table.name, columns, key }
}

/**
 * What a move asks of the database that it copies while a server writes to it: to note the key of every row that is written or removed, so
 * that the final step copies and compares these alone. Triggers note them; they and their table go when the move ends.
 */
export interface ChangeLog {
  /** Notes every change to these tables from now on, for the move with this name; what was noted for another one goes. */
  begin(tables: readonly Table[], move: string): Promise<void>
  /** Whether every change to these tables was noted since `begin` for this move. */
  isComplete(tables: readonly Table[], move: string): Promise<boolean>
  /** Notes rows as if they had changed. */
  add(table: Table, keys: readonly Row[]): Promise<void>
  /** Forgets changes that were copied, by the numbers that `Rows.changes` told. */
  forget(numbers: readonly number[]): Promise<void>
  /** Notes nothing more, and removes what `begin` added to the database. */
  end(): Promise<void>
  close(): Promise<void>
}
