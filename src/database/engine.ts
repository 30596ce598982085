// The few places where the engines must be told apart.
import { PostgresAdapter, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Db } from './schema.ts'

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

/** What is in a JSON array, for `in`: however long the list is, it is one parameter and the statement stays the same. */
export function among(db: Db, array: string): RawBuilder<string> {
  return engineOf(db) === 'postgres'
    ? sql`(select json_array_elements_text(${array}::json))`
    : sql`(select value from json_each(${array}))`
}
