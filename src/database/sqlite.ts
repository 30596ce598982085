// SQLite under Kysely: one connection that writes, in shared commits, and one that only reads and so never waits. Both are
// synchronous, so a second reader would gain nothing.
import { DatabaseSync } from 'node:sqlite'
import { KeptLog, type KeptLogOptions, type Place, WriteAheadLog, Writer } from '@guildhall/durable-sqlite'
import { marksBeside } from '@guildhall/durable-sqlite/following'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely'
import { commitCounts } from '../runtime/counts.ts'
import { statementTracer } from '../runtime/tracing.ts'
import { type Changes, VersionChanges } from './commit-cache.ts'
import { onlyReads, readAtOnce } from './prepared.ts'
import type { Database } from './schema.ts'
import { Reader, SqliteCompiler, Statements, traceExecution } from './sqlite-statements.ts'

/** How long opening the database waits for another process, in milliseconds; writers have their own wait. */
const BUSY_TIMEOUT = 5_000
/**
 * The result of `openSqlite`: queries, what caches must know of commits, and the reason why writes are disabled.
 */
export interface SqliteStore {
  db: Kysely<Database>
  changes: Changes
  fault(): Error | undefined
  /** From now on no statement can change the schema by its text or an index of full text by its tables: after the migrations. */
  protect(): void
  /** Disables writes as a disk error does: a check found the database malformed. */
  condemn(error: Error): void
  /** Gives the memory of pages back that are not in use. */
  shrink(): void
}

export interface SqliteOptions {
  /** `OFF` is for tests, which throw their file away. */
  synchronous?: 'FULL' | 'OFF'
  /** Called once, when writes are disabled. */
  onBroken?: ((error: Error) => void) | undefined
  /** How the log is kept for continuous backups that are away. */
  keptLog?: KeptLogOptions | undefined
}

const KEPT_LOG: KeptLogOptions = { mostBytes: 1024 ** 3, onLetGo: () => {} }

/** Opens (or makes) the database file at `path`. Every acknowledged write is on disk (packages/durable-sqlite). */
export function openSqlite(
  path: string,
  { synchronous = 'FULL', onBroken, keptLog = KEPT_LOG }: SqliteOptions = {},
): SqliteStore {
  const options = { timeout: BUSY_TIMEOUT, enableForeignKeyConstraints: true }
  const writing = new DatabaseSync(path, { ...options, defensive: false })
  writing.exec(`pragma synchronous = ${synchronous}; pragma temp_store = memory`)
  // A batch of votes changes some thousand pages: with less memory they are written, and read again, before it is committed.
  writing.exec('pragma cache_size = -16000')
  // A file system without shared memory has no WAL: then each commit is an fsync of SQLite.
  const journalMode = writing.prepare('pragma journal_mode = wal').get()?.['journal_mode']
  const reading = new DatabaseSync(path, { ...options, readOnly: true })
  reading.exec('pragma cache_size = -16000; pragma temp_store = memory')
  const log =
    synchronous === 'FULL' && journalMode === 'wal'
      ? openLog({ path, kept: new KeptLog(path, keptLog) }, writing, reading)
      : undefined
  const version = reading.prepare('pragma data_version')
  version.setReturnArrays(true)
  const changes = new VersionChanges(() => Number(version.get()?.[0]))
  // In this mode only the beginning of a transaction waits for other processes.
  if (journalMode === 'wal') writing.exec('pragma busy_timeout = 0')
  const statements = new Statements(writing)
  const prepare = (sql: string) => statements.prepare(sql).statement
  const writer = new Writer(writing, prepare, { log, onCommit: countCommit, onVisible: changes.forget, onBroken })
  const reader = new Reader(reading, changes)
  const trace = statementTracer('sqlite')
  if (trace) for (const connection of [statements, reader]) traceExecution(connection, trace)
  const dialect: Dialect = {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new SqliteDriver(reader, statements, { path, writer, log }),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  }
  const db = new Kysely<Database>({ dialect })
  readAtOnce(db, {
    find: (key) => noticing(writer, () => reader.find(key)),
    read: (query) => noticing(writer, () => reader.read(query)),
    fill: (key, read) => reader.fill(key, read),
  })
  return {
    db,
    changes,
    fault: () => writer.fault,
    protect: () => writing.enableDefensive(true),
    condemn: (error) => void writer.notice(error),
    shrink() {
      for (const connection of [writing, reading]) if (connection.isOpen) connection.exec('pragma shrink_memory')
    },
  }
}

function countCommit(transactions: number): void {
  commitCounts.add('commits', '')
  commitCounts.add('transactions', '', transactions)
}

/** When the WAL of an earlier process cannot be copied, closing the connections must not copy it either. */
function openLog(place: Place, writing: DatabaseSync, reading: DatabaseSync): WriteAheadLog {
  const { path, kept } = place
  const copying = new DatabaseSync(path, { timeout: 0 })
  const guarding = new DatabaseSync(path, { timeout: 0, readOnly: true })
  try {
    return new WriteAheadLog(place, { writing, reading, copying, guarding })
  } catch (error) {
    kept.close()
    for (const connection of [copying, guarding, writing, reading]) connection.close()
    throw error
  }
}

class TransactionalAdapter extends SqliteAdapter {
  // Otherwise the library lets one query run at a time, and writers could never share a commit.
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const named = (verb: string) => async (connection: DatabaseConnection, name: string) =>
  void (await connection.executeQuery(CompiledQuery.raw(`${verb} "${name}"`)))

class SqliteDriver implements Driver {
  readonly #reader: Reader
  readonly #statements: Statements
  readonly #writer: Writer
  readonly #log: WriteAheadLog | undefined
  /** Unused connections: the library remembers every connection it was ever given. */
  readonly #idle: Connection[] = []

  readonly #path: string

  constructor(
    reader: Reader,
    statements: Statements,
    to: { path: string; writer: Writer; log: WriteAheadLog | undefined },
  ) {
    this.#path = to.path
    this.#reader = reader
    this.#statements = statements
    this.#writer = to.writer
    this.#log = to.log
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    return this.#idle.pop() ?? new Connection(this.#reader, this.#statements, this.#writer)
  }

  beginTransaction(connection: Connection): Promise<void> {
    return connection.begin()
  }

  commitTransaction(connection: Connection): Promise<void> {
    return connection.commit()
  }

  rollbackTransaction(connection: Connection): Promise<void> {
    return connection.rollback()
  }

  savepoint = named('savepoint')
  rollbackToSavepoint = named('rollback to')
  releaseSavepoint = named('release')

  async releaseConnection(connection: Connection): Promise<void> {
    this.#idle.push(connection)
  }

  async destroy(): Promise<void> {
    await this.#writer.close()
    // The writer is closed last and copies the WAL; where it may not, it is closed already, and the reader cannot. So the reader is last, and
    // leaves the WAL, where a continuous backup goes on with it.
    if (marksBeside(this.#path).length > 0) this.#statements.close()
    this.#reader.close()
    this.#statements.close()
    this.#log?.closeFiles()
  }
}

/**
 * Selects the connection of a query: the writer in a transaction; outside one, the reader for a SELECT, and a new transaction for a
 * single write.
 */
class Connection implements DatabaseConnection {
  readonly #reader: Reader
  readonly #statements: Statements
  readonly #writer: Writer
  #inTransaction = false

  constructor(reader: Reader, statements: Statements, writer: Writer) {
    this.#reader = reader
    this.#statements = statements
    this.#writer = writer
  }

  async begin(): Promise<void> {
    await this.#writer.begin()
    this.#inTransaction = true
  }

  commit(): Promise<void> {
    this.#inTransaction = false
    return this.#writer.commit()
  }

  async rollback(): Promise<void> {
    if (!this.#inTransaction) return
    this.#inTransaction = false
    await this.#writer.rollback()
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#inTransaction) {
      // Outside its transaction, a statement would be committed alone.
      if (!this.#writer.isInTransaction) throw this.#writer.gaveUp()
      return noticing(this.#writer, () => this.#statements.execute(query))
    }
    if (onlyReads(query)) return noticing(this.#writer, () => this.#reader.read(query))
    await this.begin()
    let result: QueryResult<R>
    try {
      result = noticing(this.#writer, () => this.#statements.execute(query))
    } catch (error) {
      await this.rollback()
      throw error
    }
    await this.commit()
    return result
  }

  // biome-ignore lint/correctness/useYield: SQLite is read in one go here; nothing in Guildhall streams rows.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('SQLite queries are not streamed: ask for a page')
  }
}

/** Tells the writer of errors: after some of them nothing may be written. */
function noticing<Result>(writer: Writer, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw writer.notice(error)
  }
}
