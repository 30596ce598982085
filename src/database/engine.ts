// The few differences between the engines.
import { type AliasedRawBuilder, PostgresAdapter, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { detailsOf, required } from '../runtime/untyped.ts'
import type { Database, Db, Transaction } from './schema.ts'

export type Engine = 'sqlite' | 'postgres'

export function engineOf(db: Db): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

/** Locks the rows of a query until the transaction ends. SQLite has one writer, so the transaction itself is the lock. */
export function locking<T extends keyof Database, O>(
  db: Db,
  query: SelectQueryBuilder<Database, T, O>,
): SelectQueryBuilder<Database, T, O> {
  return engineOf(db) === 'postgres' ? query.forUpdate() : query
}

/** Shared lock: others cannot change the rows until the transaction ends, but can lock them in the same way. */
export function sharing<T extends keyof Database, O>(
  db: Db,
  query: SelectQueryBuilder<Database, T, O>,
): SelectQueryBuilder<Database, T, O> {
  return engineOf(db) === 'postgres' ? query.forShare() : query
}

/** Whether rows must be locked one by one; on SQLite the transaction holds them all. */
export const locksRows = (db: Db): boolean => engineOf(db) === 'postgres'

/**
 * A condition that nearly all rows meet. SQLite, which has no statistics, would take it as a reason for an index, and read all of them.
 */
export const nearlyAlways = (db: Db, condition: RawBuilder<boolean>): RawBuilder<boolean> =>
  engineOf(db) === 'sqlite' ? sql<boolean>`likely(${condition})` : condition

/** The next number of bugs, feature requests and posts. On PostgreSQL no transaction waits for another, and numbers may be skipped. */
export async function nextNumber(db: Transaction): Promise<number> {
  const next =
    engineOf(db) === 'postgres'
      ? sql<{ number: number | string }>`select nextval('"thingNumber"') as number`
      : sql<{ number: number | string }>`update "thingNumber" set last = last + 1 returning last as number`
  const { rows } = await next.execute(db)
  return Number(required(rows[0]).number)
}

/** The number that was given last. */
export async function lastNumber(db: Db): Promise<number> {
  const last =
    engineOf(db) === 'postgres'
      ? sql<{
          last: number | string
        }>`select case when is_called then last_value else last_value - 1 end as last from "thingNumber"`
      : sql<{ last: number | string }>`select last from "thingNumber"`
  return Number(required((await last.execute(db)).rows[0]).last)
}

/** Sets the number that counts as given last. On PostgreSQL it is no part of the transaction. */
export async function setLastNumber(db: Transaction, last: number): Promise<void> {
  await (engineOf(db) === 'postgres'
    ? sql`select setval('"thingNumber"', ${last})`
    : sql`update "thingNumber" set last = ${last}`
  ).execute(db)
}

/** The number of the last event, as an expression. */
export const lastEvent = (db: Db): RawBuilder<number> =>
  engineOf(db) === 'postgres'
    ? sql<number>`(select case when is_called then last_value else last_value - 1 end from "eventNumber")`
    : sql<number>`(select last from "eventNumber")`

/** Runs transactions that lock the same name one after another: for rows that do not exist yet. */
export async function lockName(db: Transaction, name: string): Promise<void> {
  if (engineOf(db) === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

/** The elements of a JSON array, for `in`: a list of any length is one parameter and the statement stays the same. */
export function elementsOf(db: Db, array: string): RawBuilder<string> {
  return engineOf(db) === 'postgres'
    ? sql`(select json_array_elements_text(${array}::json))`
    : sql`(select value from json_each(${array}))`
}

/** An operator and what is right of it: the end of `where`. */
export type Comparison = readonly [operator: RawBuilder<unknown>, operand: RawBuilder<string>]

/**
 * The comparison with each element of a JSON array: `where('id', ...among(db, ids))`. PostgreSQL makes one array of it before it looks for
 * rows: it reads JSON again for each row of a table that it thinks is empty, and statistics are up to a minute old.
 */
export function among(db: Db, array: string): Comparison {
  const elements = elementsOf(db, array)
  return engineOf(db) === 'postgres' ? [sql`=`, sql`any(array${elements})`] : [sql`in`, elements]
}

/** The client in a column that may also name its helpers, a line each (contract/hand-on.ts), as the index of it has it. */
export const clientIn = (db: Db, column: string): RawBuilder<string> =>
  engineOf(db) === 'postgres'
    ? sql`split_part(${sql.ref(column)}, chr(10), 1)`
    : sql`substr(${sql.ref(column)}, 1, instr(${sql.ref(column)} || char(10), char(10)) - 1)`

/** The same as a condition. */
export const isAmong = (db: Db, column: string, array: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} ${sql.join(among(db, array), sql` `)}`

/**
 * The objects of a JSON array as a table `given` with these columns, in order: a statement about any number of things has one parameter
 * and stays the same.
 */
export function recordsIn<Row extends object>(
  db: Db,
  array: string,
  columns: Readonly<Record<keyof Row & string, 'text' | 'integer'>>,
): AliasedRawBuilder<Row, 'given'> {
  const names = Object.entries<string>(columns)
  if (engineOf(db) === 'postgres') {
    const typed = sql.join(names.map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`))
    return sql<Row>`json_to_recordset(${array}::json)`.as<'given'>(sql`given(${typed})`)
  }
  const values = sql.join(names.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.id(name)}`))
  return sql<Row>`(select ${values} from json_each(${array}))`.as('given')
}

/** Counts the rows of a query that selects nothing yet; `count` is a number on one engine, and can be a text on the other. */
export async function countRows<Schema, Tables extends keyof Schema>(
  query: SelectQueryBuilder<Schema, Tables, object>,
): Promise<number> {
  const counted = query.select(sql`count(*)`.as('count')).$castTo<{ count: number | string }>()
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

/** Runs a statement, and gives how many rows it deleted or changed. */
export async function countChanged(statement: {
  executeTakeFirstOrThrow(): Promise<{ numDeletedRows: bigint } | { numUpdatedRows: bigint }>
}): Promise<number> {
  const result = await statement.executeTakeFirstOrThrow()
  return Number('numDeletedRows' in result ? result.numDeletedRows : result.numUpdatedRows)
}

/** Whether an address is of a part that is on; undefined where all are. */
export function leadsToPart(
  column: string,
  { key, pages }: { key: string; pages: readonly string[] },
): RawBuilder<boolean> | undefined {
  if (key === '') return undefined
  const url = sql.ref(column)
  const elsewhere = pages.map((page) => sql<boolean>`(${url} <> ${page} and ${url} not like ${`${page}/%`})`)
  return pages.length === 0 ? undefined : sql<boolean>`(${url} is null or (${sql.join(elsewhere, sql` and `)}))`
}

const SQLITE_UNIQUE = new Set([1555, 2067])
const POSTGRES_UNIQUE = '23505'

/** Whether a write failed because something of that name, address or key is there already. */
export function isUniqueViolation(error: unknown): boolean {
  const { errcode, code } = detailsOf(error)
  return (errcode !== undefined && SQLITE_UNIQUE.has(errcode)) || code === POSTGRES_UNIQUE
}

/** Whether one node of a Citus cluster is away: what asks only others goes on. A lost connection that is no error of our own is the coordinator's. */
export function isNodeAway(error: unknown): boolean {
  const { code, severity } = detailsOf(error)
  return typeof code === 'string' && code.startsWith('08') && severity !== undefined
}
