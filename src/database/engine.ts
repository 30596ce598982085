// The few places where the engines must be told apart.
import { PostgresAdapter, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Db, Transaction } from './schema.ts'

export type Engine = 'sqlite' | 'postgres'

export function engineOf(db: Db): Engine {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

/** Locks the rows a query finds until the transaction ends. SQLite has one writer: there the transaction is the lock. */
export function locking<T extends keyof Database, O>(
  db: Db,
  query: SelectQueryBuilder<Database, T, O>,
): SelectQueryBuilder<Database, T, O> {
  return engineOf(db) === 'postgres' ? query.forUpdate() : query
}

/** Keeps others from changing the rows until the transaction ends, while others may do the same. */
export function sharing<T extends keyof Database, O>(
  db: Db,
  query: SelectQueryBuilder<Database, T, O>,
): SelectQueryBuilder<Database, T, O> {
  return engineOf(db) === 'postgres' ? query.forShare() : query
}

/** Whether rows must be locked one by one; on SQLite the transaction holds them all. */
export const locksRows = (db: Db): boolean => engineOf(db) === 'postgres'

/** Lets one transaction at a time past, of those that lock the same name: for what has no row yet. */
export async function lockName(db: Transaction, name: string): Promise<void> {
  if (engineOf(db) === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

/** What is in a JSON array, for `in`: however long the list is, it is one parameter and the statement stays the same. */
export function among(db: Db, array: string): RawBuilder<string> {
  return engineOf(db) === 'postgres'
    ? sql`(select json_array_elements_text(${array}::json))`
    : sql`(select value from json_each(${array}))`
}
