// The few differences between the engines.
import { PostgresAdapter, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
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

/** Runs transactions that lock the same name one after another: for rows that do not exist yet. */
export async function lockName(db: Transaction, name: string): Promise<void> {
  if (engineOf(db) === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

/** The elements of a JSON array, for `in`: a list of any length is one parameter and the statement stays the same. */
export function among(db: Db, array: string): RawBuilder<string> {
  return engineOf(db) === 'postgres'
    ? sql`(select json_array_elements_text(${array}::json))`
    : sql`(select value from json_each(${array}))`
}
