// PostgreSQL under Kysely: a pool, and every statement prepared under a name made from its SQL.
import { createHash } from 'node:crypto'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import { serverIn } from '../runtime/addresses.ts'
import type { DatabaseTime } from '../runtime/clock.ts'
import { statementTracer } from '../runtime/tracing.ts'
import { LISTENING } from './listening-statements.ts'
import { PostgresChanges } from './postgres-changes.ts'
import { PostgresDriver, PostgresReads } from './postgres-driver.ts'
import { cutOff, Readers } from './postgres-readers.ts'
import { sessionOf, setTimeouts, type Timeouts } from './postgres-session.ts'
import { readAtOnce } from './prepared.ts'
import type { ReplicaReport } from './replica.ts'
import type { Replicas, ReplicasReport } from './replicas.ts'
import type { Database } from './schema.ts'

/** Counts are int8, which `pg` hands out as text; Guildhall counts below 2^53. */
const INT8 = 20

/**
 * PostgreSQL timeouts in milliseconds: for a connection, for a locked row, for a statement, and for our idle transactions. Parameters
 * of these names in the URL take precedence.
 */
const PATIENCE = { lock_timeout: 10_000, statement_timeout: 60_000, idle_in_transaction_session_timeout: 60_000 }
const CONNECTION_MILLISECONDS = 30_000

/** Timeout for a server that does not respond at all: longer than the longest statement. */
const SILENCE_MILLISECONDS = 75_000
const PING_MILLISECONDS = 800

/** Connections for reads (postgres-readers.ts): more than there are cores of PostgreSQL to answer gain nothing. */
const READERS = 4

/** Timeout for a read of a replica, after which the primary is asked: most reads take a few milliseconds. */
const REPLICA_MILLISECONDS = 2_000

/** Connections, and the transactions that wait for one. */
export interface PoolState {
  total: number
  idle: number
  waiting: number
}

export interface PostgresStore {
  /** The connections for transactions. */
  pool(): PoolState
  db: Kysely<Database>
  changes: PostgresChanges
  /** The clock of the database. */
  time: DatabaseTime
  replicas?: ReplicasReport
  /** See PostgresChanges, as the next one. */
  caughtUp(): Promise<void> | undefined
  sync(): Promise<void>
  join(): Promise<void>
  listening(): Promise<void>
  /** Ends listening: nothing is cached from then on. */
  stopCaching(): Promise<void>
}

export interface PostgresOptions {
  /** Maximum number of connections for transactions. */
  connections?: number
  /** For migrations and commands that read everything: no timeouts. */
  patient?: boolean
  /** Milliseconds after which the connection that listens gives a silent server up (listening-statements.ts). */
  silence?: number | undefined
  replicas?: OpenReplicasOptions | undefined
}

/** Streaming replicas for reads of public data. */
export interface ReplicasOptions {
  urls: readonly string[]
  /** Loads what reads of them (replicas.ts). */
  load(): Promise<{ Replicas: typeof Replicas }>
  /** See replica.ts. */
  onChange(replica: ReplicaReport): void
}

interface OpenReplicasOptions extends Omit<ReplicasOptions, 'load'> {
  Replicas: typeof Replicas
}

/** What every client has. */
const settingsOf = (connectionString: string): pg.ClientConfig => ({
  connectionString,
  keepAlive: true,
  types: {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8
        ? Number
        : format === 'binary'
          ? pg.types.getTypeParser(oid, format)
          : pg.types.getTypeParser(oid, format),
  },
})

/** Opens a pool for transactions, the connections for reads, and the one that listens for changes; each connects at first use. */
export function openPostgres(
  url: string,
  { connections = 10, patient = false, silence, replicas: standbys }: PostgresOptions = {},
): PostgresStore {
  const { connectionString, timeouts } = sessionOf(url, patient ? {} : PATIENCE)
  const limits = { connectionTimeoutMillis: CONNECTION_MILLISECONDS, query_timeout: SILENCE_MILLISECONDS }
  const settings = { ...settingsOf(connectionString), ...(patient ? {} : limits) }
  const onConnect = (client: pg.ClientBase) => setTimeouts(client, timeouts)
  const pool = new pg.Pool({ ...settings, pipeline: true, max: connections, onConnect })
  // The pool replaces a broken connection, and its current user gets an error from the query; without these listeners it would end
  // the process. The pool itself listens to idle connections and forwards their errors.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    nameStatements(client)
  })
  const readers = new Readers(() => createReader(settings, timeouts), Math.min(READERS, connections))
  const inUse = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => inUse.add(client))
  pool.on('release', (_, client) => inUse.delete(client))
  const connect = async () => {
    const client = createProbe(url, silence)
    client.on('error', () => {})
    await client.connect()
    return client
  }
  // Callers get their error now, instead of at the end of the timeouts.
  const changes = new PostgresChanges(connect, () => {
    readers.giveUp()
    for (const client of inUse) cutOff(client)
  })
  const replicas = standbys && openReplicas(standbys, changes)
  const parts = { pool, readers, changes, replicas }
  const reads = new PostgresReads(parts)
  const dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(parts, reads),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
  const db = new Kysely<Database>({ dialect })
  readAtOnce(db, reads)
  const destroy = db.destroy.bind(db)
  // The library leaves the driver alone if it made no query, and the process may listen and read all the same.
  db.destroy = async () => void (await Promise.all([changes.close(), readers.close(), replicas?.close(), destroy()]))
  return {
    db,
    changes,
    time: changes.time,
    caughtUp: () => changes.caughtUp(),
    sync: () => changes.sync(),
    join: () => changes.join(),
    listening: () => changes.listening(),
    stopCaching: () => changes.close(),
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    ...(replicas && { replicas }),
  }
}

function createReader(settings: pg.ClientConfig, timeouts: Timeouts): pg.Client {
  const client = new pg.Client({ ...settings, pipeline: true })
  nameStatements(client)
  const connect = client.connect.bind(client)
  client.connect = async () => {
    await connect()
    await setTimeouts(client, timeouts)
    return client
  }
  return client
}

/** A client whose server must respond at once. */
const createProbe = (url: string, silence?: number) =>
  new pg.Client({
    ...{ connectionString: sessionOf(url).connectionString, keepAlive: true, pipeline: true },
    ...(silence === undefined ? LISTENING : { connectionTimeoutMillis: silence, query_timeout: silence }),
  })

function openReplicas({ urls, onChange, Replicas }: OpenReplicasOptions, changes: PostgresChanges): Replicas {
  const limits = { connectionTimeoutMillis: REPLICA_MILLISECONDS, query_timeout: REPLICA_MILLISECONDS }
  const optionsOf = (url: string) => {
    const { connectionString, timeouts } = sessionOf(url, { statement_timeout: REPLICA_MILLISECONDS })
    return {
      name: serverIn(url),
      createReader: () => createReader({ ...settingsOf(connectionString), ...limits }, timeouts),
      createProbe: () => createProbe(url),
      onChange,
    }
  }
  const replicas = new Replicas({ replicas: urls.map(optionsOf), changes })
  replicas.open()
  return replicas
}

/**
 * Queries over a separate connection, so that the result does not wait for the pool; rejects within a second when there is none. The
 * connection is closed after some idle seconds, and does not keep the process running.
 */
export function openPing(url: string): () => Promise<void> {
  const pool = new pg.Pool({
    connectionString: sessionOf(url).connectionString,
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
function nameStatements(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const trace = statementTracer('postgresql')
  const giveUp = (error: Error): never => {
    if (error.message === 'Query read timeout') cutOff(client)
    throw error
  }
  client.query = ((text: unknown, values?: unknown, ...rest: unknown[]) => {
    const run = () =>
      typeof text === 'string' && Array.isArray(values) && values.length > 0
        ? query({ name: nameOf(text), text, values }, ...rest)
        : query(text, values, ...rest)
    const answer = trace && typeof text === 'string' ? trace(text, run) : run()
    return answer instanceof Promise ? answer.catch(giveUp) : answer
  }) as typeof client.query
}
