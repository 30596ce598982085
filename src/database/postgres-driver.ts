// Which connection a statement takes on PostgreSQL. Reads outside of transactions share a few connections and are sent without
// waiting for the response to the one before (pipelining); a transaction, or a write alone, has a connection of its own. A write is
// done when this process and the others know of its commit (postgres-changes.ts), so that no cache serves what was before it.
import type { DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import type { QueryResult as PgResult, Pool, PoolClient } from 'pg'
import { required } from '../runtime/untyped.ts'
import { CACHED_ROWS, CommitCache, freezeRows } from './commit-cache.ts'
import { distributableIn } from './distributed.ts'
import { ANNOUNCE } from './listening-statements.ts'
import type { PostgresChanges } from './postgres-changes.ts'
import { isUsable, type Readers } from './postgres-readers.ts'
import { type AnyRows, type KeptQuery, onlyReads } from './prepared.ts'
import type { Replicas } from './replicas.ts'

export interface PostgresParts {
  pool: Pool
  readers: Readers
  changes: PostgresChanges
  replicas?: Replicas | undefined
}

/** Reads outside of transactions; some results are cached (prepared.ts). */
export class PostgresReads {
  readonly #parts: PostgresParts
  readonly #rows: CommitCache<AnyRows>

  constructor(parts: PostgresParts) {
    this.#parts = parts
    this.#rows = new CommitCache(parts.changes, CACHED_ROWS)
  }

  find(key: string): AnyRows | undefined {
    return this.#rows.find(key)
  }

  fill(key: string, read: () => Promise<AnyRows>): Promise<AnyRows> {
    return this.#rows.fill(key, async (keep) => {
      const result = await read()
      keep(result, freezeRows(result.rows))
      return result
    })
  }

  read(query: KeptQuery): Promise<AnyRows> {
    const { readers, changes, replicas } = this.#parts
    const { sql, parameters } = query
    const read = async () => {
      changes.requireReachable()
      const found = replicas && (await replicas.query(sql, parameters))
      return resultOf<never>(found ?? (await readers.query(sql, parameters)))
    }
    const tables = changes.watched.namedIn(sql)
    changes.uses(tables)
    if (query.cached === undefined) return read()
    const found = this.#rows.find(query.cached)
    if (found) return Promise.resolve(found)
    return this.#rows.fill(query.cached, async (keep) => {
      changes.uses(tables)
      const result = await read()
      const weight = freezeRows(result.rows)
      // A row may be there soon: new rows of some tables are not notified (migrations/0001-start/watching.ts).
      if (result.rows.length > 0 || changes.watched.areWhollyWatched(tables)) keep(result, weight)
      return result
    })
  }
}

export class PostgresDriver implements Driver {
  readonly #parts: PostgresParts
  readonly #reads: PostgresReads
  /** Unused connections: the library remembers every connection it was ever given. */
  readonly #idle: Connection[] = []

  constructor(parts: PostgresParts, reads: PostgresReads) {
    this.#parts = parts
    this.#reads = reads
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return this.#idle.pop() ?? new Connection(this.#parts, this.#reads)
  }

  beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    return connection.begin(settings)
  }

  commitTransaction(connection: Connection): Promise<void> {
    return connection.commit()
  }

  rollbackTransaction(connection: Connection): Promise<void> {
    return connection.rollback()
  }

  savepoint = (connection: Connection, name: string): Promise<void> => connection.control(`savepoint "${name}"`)
  releaseSavepoint = (connection: Connection, name: string): Promise<void> =>
    connection.control(`release savepoint "${name}"`)
  rollbackToSavepoint = (connection: Connection, name: string): Promise<void> => {
    connection.forgetFailed()
    return connection.control(`rollback to savepoint "${name}"`)
  }

  async releaseConnection(connection: Connection): Promise<void> {
    connection.release()
    this.#idle.push(connection)
  }

  async destroy(): Promise<void> {
    await this.#parts.pool.end()
  }
}

/** A connection of the library: it holds one of PostgreSQL only during a transaction. */
class Connection implements DatabaseConnection {
  readonly #parts: PostgresParts
  readonly #reads: PostgresReads
  #client: PoolClient | undefined
  /** The responses to what was sent without waiting: `begin`, and statements that are pipelined. */
  #sent: Promise<unknown> | undefined
  #isUnusable = false
  /** Whether the changes of the transaction are announced after its commit, instead of notified in it. */
  #announces = false
  /** The tables without triggers that the transaction wrote to (distributed.ts). */
  readonly #written = new Set<string>()

  constructor(parts: PostgresParts, reads: PostgresReads) {
    this.#parts = parts
    this.#reads = reads
  }

  async begin({ isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    this.#parts.changes.requireReachable()
    this.#parts.replicas?.usesPrimary()
    this.#client = await this.#take()
    this.#announces = this.#parts.changes.announces
    const mode = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(' ')
    this.#sent = undefined
    this.#written.clear()
    this.#send(this.#client.query(`start transaction ${mode}${this.#announces ? `; ${OWN}` : ''}`))
  }

  /** A connection of the pool; those that were lost while idle are dropped. */
  async #take(): Promise<PoolClient> {
    for (;;) {
      const client = await this.#parts.pool.connect()
      if (isUsable(client)) return client
      client.release(true)
    }
  }

  /** Remembers what is not waited for yet. Of several errors the first counts: the others say that the transaction failed. */
  #send(running: Promise<unknown>): void {
    const before = this.#sent
    this.#sent = before ? before.then(() => running) : running
    for (const promise of [running, this.#sent]) promise.catch(() => {})
  }

  async commit(): Promise<void> {
    const { changes } = this.#parts
    if (!this.#announces) {
      await this.#sent
      if (this.#written.size > 0) await this.#client?.query(ANNOUNCE, [[...this.#written]])
      const result = await this.#client?.query('commit')
      // The response to a commit after a failed statement.
      if (result?.command === 'ROLLBACK') throw new Error('The transaction was rolled back: a statement in it failed')
      return changes.committed()
    }
    try {
      // After a failed statement the first of the two fails, and the second is not run.
      const ending = this.#client?.query(`${CHANGED}; commit`)
      ending?.catch(() => {})
      await this.#sent
      const changed = changedIn(await ending)
      await changes.announce([...new Set([...changed, ...this.#written])])
    } catch (error) {
      // It may be committed all the same.
      changes.forgetAll(processIdOf(this.#client))
      throw error
    }
  }

  async rollback(): Promise<void> {
    try {
      await this.#client?.query('rollback')
    } catch {
      // The end of the connection rolls back too; the caller gets the error from before.
      this.#isUnusable = true
    }
  }

  release(): void {
    this.#client?.release(this.#isUnusable)
    this.#client = undefined
    this.#isUnusable = false
  }

  /** A statement about a savepoint: fails as what was sent before it does. */
  async control(sql: string): Promise<void> {
    const running = required(this.#client).query(sql)
    running.catch(() => {})
    await this.#sent
    await running
  }

  /** What was sent since a savepoint, and failed, is undone with it. */
  forgetFailed(): void {
    this.#sent = undefined
  }

  async executeQuery<R>(query: KeptQuery): Promise<QueryResult<R>> {
    const isRead = onlyReads(query)
    const written = isRead ? [] : distributableIn(query.sql)
    if (this.#client) {
      for (const table of written) this.#written.add(table)
      const running = this.#client.query(query.sql, [...query.parameters])
      if (query.pipelined) {
        this.#send(running)
        return { rows: [] }
      }
      // The error of the first statement tells why a connection was lost.
      running.catch(() => {})
      await this.#sent
      return resultOf<R>(await running)
    }
    if (isRead) return this.#reads.read(query)
    if (written.length > 0) return this.#inTransaction(query)
    const { changes, replicas } = this.#parts
    changes.requireReachable()
    replicas?.usesPrimary()
    const client = await this.#take()
    let result: PgResult
    try {
      result = await client.query(query.sql, [...query.parameters])
    } finally {
      client.release()
    }
    await changes.committed()
    return resultOf<R>(result)
  }

  /** A write alone to a table without triggers: what tells of it needs a transaction. */
  async #inTransaction<R>(query: KeptQuery): Promise<QueryResult<R>> {
    try {
      await this.begin({})
      const result = await this.executeQuery<R>({ ...query, pipelined: false })
      await this.commit()
      return result
    } catch (error) {
      await this.rollback()
      throw error
    } finally {
      this.release()
    }
  }

  // biome-ignore lint/correctness/useYield: nothing in Guildhall streams rows.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Queries are not streamed: ask for a page')
  }
}

/** The number of a connection's process at the server; its types leave it out. */
const processIdOf = (client: PoolClient | undefined): number | null =>
  client ? Reflect.get(client, 'processID') : null

/** See migrations/0001-start/watching.ts. */
const OWN = `set local guildhall.own = 'on'`
const CHANGED = `select current_setting('guildhall.changed', true) as changed`

/** The tables in the first of several results. */
function changedIn(results: PgResult | undefined): string[] {
  const [first]: (PgResult<{ changed: string | null }> | undefined)[] = [results].flat()
  return (first?.rows[0]?.changed ?? '').split(',').filter(Boolean)
}

const COUNTED = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

function resultOf<R>({ command, rowCount, rows }: PgResult): QueryResult<R> {
  return COUNTED.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
}
