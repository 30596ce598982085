// Queries on the hottest paths, built and compiled once per engine and then run with new values: building a query costs several times
// as much as running it.
import { type Compilable, type CompiledQuery, type QueryResult, sql } from 'kysely'
import { type Engine, engineOf } from './engine.ts'
import type { Db, Transaction } from './schema.ts'

/** Placeholder for a value that is passed at each run. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** The builder of a query calls this for the placeholder of a value. */
export type Given<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name]

/** A query with more than its SQL. */
export interface KeptQuery extends CompiledQuery {
  /** An engine may cache its rows until the next commit, keyed by this and its values. */
  cached?: string
  /** See `prepared`. */
  pipelined?: boolean
}

interface Options {
  /**
   * All callers before the next commit share the same row objects, if the engine reports commits: for rows that many callers request.
   * They are frozen.
   */
  cached?: boolean
  /**
   * For a statement with a result that its callers do not read. On PostgreSQL a transaction sends it and does not wait: an error is
   * that of the next statement that is waited for, or of the commit.
   */
  pipelined?: boolean
}

/** Runs a query that only reads, outside of a transaction. */
type ReadAtOnce = <Row>(query: KeptQuery & CompiledQuery<Row>) => QueryResult<Row>

const readers = new WeakMap<Db, ReadAtOnce>()

/**
 * Prepared queries that only read are run by `read` from now on, outside of transactions: an engine in this process needs none of the
 * library's steps to a connection, which take longer than a row that is cached.
 */
export function readAtOnce(db: Db, read: ReadAtOnce): void {
  readers.set(db, read)
}

let named = 0

/**
 * Makes a query of named values: `build` gets `given('name')` as the placeholder of a value. The built query must depend on the
 * engine only, not on the values.
 */
export function prepared<Values extends object, Row>(
  build: (db: Db, given: Given<Values>) => Compilable<Row>,
  { cached = false, pipelined = false }: Options = {},
): (db: Db, values: Values) => Promise<{ rows: readonly Row[]; numAffectedRows?: bigint }> {
  const compiled = new Map<Engine, CompiledQuery<Row>>()
  const options = { ...(cached && { cached: String(++named) }), ...(pipelined && { pipelined }) }
  return (db, values) => {
    const engine = engineOf(db)
    let query = compiled.get(engine)
    if (!query) {
      query = build(db, (name) => new Parameter(name) as never).compile()
      compiled.set(engine, query)
    }
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? values[value.name as keyof Values] : value,
    )
    const given = { ...query, parameters, ...options }
    // A transaction is another object than its database.
    const read = readers.get(db)
    return read && onlyReads(query) ? new Promise((resolve) => resolve(read(given))) : db.executeQuery(given)
  }
}

/** Runs a query that is built for one call and has a result that nothing reads: pipelined, as `prepared` says. */
export async function pipeline(db: Db, query: { compile(db: Db): CompiledQuery }): Promise<void> {
  const pipelined: KeptQuery = { ...query.compile(db), pipelined: true }
  await db.executeQuery(pipelined)
}

/**
 * On PostgreSQL a transaction waits no longer than this for a row that another one has locked: its error is that of a busy database.
 * On SQLite it has all rows from its beginning.
 */
export async function waitForLocks(
  db: Transaction,
  { atMostMilliseconds }: { atMostMilliseconds: number },
): Promise<void> {
  if (engineOf(db) !== 'postgres') return
  await pipeline(db, sql`set local lock_timeout = ${sql.lit(atMostMilliseconds)}`)
}

/** Whether a query outside of a transaction needs no write connection. */
export function onlyReads({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*(select|pragma)\b/i.test(sql))
}
