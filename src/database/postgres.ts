// PostgreSQL under Kysely: a pool, and every statement prepared under a name made from its SQL.
import { createHash } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database } from './schema.ts'

/** Counts are int8, which `pg` hands out as text; Guildhall counts below 2^53. */
const INT8 = 20

/**
 * PostgreSQL timeouts in milliseconds: for a connection, for a locked row, for a statement, and for our idle transactions. Parameters
 * of these names in the URL take precedence.
 */
const PATIENCE = {
  connectionTimeoutMillis: 30_000,
  lock_timeout: 10_000,
  statement_timeout: 60_000,
  idle_in_transaction_session_timeout: 60_000,
}

/** Timeout for a server that does not respond at all: longer than the longest statement. */
const SILENCE_MILLISECONDS = 75_000
const PING_MILLISECONDS = 800

/** Opens a pool of at most `connections`; a `patient` one is for migrations and has none of these timeouts. */
export function openPostgres(
  url: string,
  { connections = 10, patient = false }: { connections?: number; patient?: boolean } = {},
) {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    keepAlive: true,
    ...(patient ? {} : { ...PATIENCE, query_timeout: SILENCE_MILLISECONDS }),
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  })
  // The pool replaces a broken connection, and its current user gets an error from the query; without these listeners it would end
  // the process. The pool itself listens to idle connections and forwards their errors.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    nameStatements(client)
  })
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}

/**
 * Queries over a separate connection, so that the result does not wait for the pool; rejects within a second when there is none. The
 * connection is closed after some idle seconds, and does not keep the process running.
 */
export function openPing(url: string): () => Promise<void> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: PING_MILLISECONDS,
    query_timeout: PING_MILLISECONDS,
    idleTimeoutMillis: 5_000,
    allowExitOnIdle: true,
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  let asking: Promise<unknown> | undefined
  return async () => {
    // Concurrent callers get the same result; a failed query closes its connection.
    asking ??= pool.query('select 1').finally(() => {
      asking = undefined
    })
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('Query read timeout')), PING_MILLISECONDS)
    await Promise.race([asking, late.promise]).finally(() => clearTimeout(timer))
  }
}

const names = new Map<string, string>()

function nameOf(sql: string): string {
  let name = names.get(sql)
  if (!name) {
    name = createHash('sha256').update(sql).digest('base64url')
    names.set(sql, name)
  }
  return name
}

// Kysely calls `client.query(sql, values)`: the same call with a name lets PostgreSQL keep the plan. A query that timed out still
// waits for its result on its connection, so that connection cannot be reused.
function nameStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const giveUp = (error: Error): never => {
    // Its types leave the connection out.
    if (error.message === 'Query read timeout') Reflect.get(client, 'connection').stream.destroy()
    throw error
  }
  client.query = ((text: unknown, values?: unknown, ...rest: unknown[]) => {
    const answer =
      typeof text === 'string' && Array.isArray(values) && values.length > 0
        ? query({ name: nameOf(text), text, values }, ...rest)
        : query(text, values, ...rest)
    return answer instanceof Promise ? answer.catch(giveUp) : answer
  }) as typeof client.query
}
