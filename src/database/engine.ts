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

/** A list of ids as one parameter, for `in`: the statement is the same, and prepared once, however many there are. */
export function among(db: Db, ids: readonly string[]): RawBuilder<string> {
  return engineOf(db) === 'postgres'
    ? sql`(select unnest(${ids}::text[]))`
    : sql`(select value from json_each(${JSON.stringify(ids)}))`
}
