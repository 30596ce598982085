// One transaction around everything that a request writes: for a write whose answer is kept with it, and for one that is only tried. The
// handler gets a database whose transactions are savepoints of this one. It begins with the first write, and as long as nothing in it
// has been kept, it ends with the savepoint that is undone: so a handler can wait for files between its transactions.
import {
  type CompiledQuery,
  type ControlledTransaction,
  type DatabaseConnection,
  type Driver,
  type InsertQueryNode,
  Kysely,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteIntrospector,
} from 'kysely'
import { required } from '../runtime/untyped.ts'
import { engineOf } from './engine.ts'
import { type KeptQuery, onlyReads } from './prepared.ts'
import type { Database, Db, Transaction } from './schema.ts'
import { SqliteCompiler } from './sqlite-statements.ts'

const PART = 'part'

type OpenTransaction = ControlledTransaction<Database, [typeof PART]>

interface Options {
  /** Nothing is kept: what the request wrote is counted by table, and rolled back. */
  isDry?: boolean
  /** Done first in the transaction. What it throws is the error of the write. */
  onBegin?(transaction: Transaction): Promise<void>
}

export class RequestTransaction {
  /** What the handler gets. */
  readonly db: Db
  /**
   * For what is written before the handler waits for files, threads or the network: a transaction of its own, as long as this one is
   * not open.
   */
  readonly apart: Db
  /** How many rows were added, by table, when nothing is kept. */
  readonly added = new Map<string, number>()
  readonly #base: Db
  readonly #options: Options
  #open: OpenTransaction | undefined
  #hasKept = false
  /** Ends when the part that is open does: a request may begin two at a time. */
  #part: Promise<void> = Promise.resolve()
  #endPart: () => void = () => {}

  constructor(base: Db, options: Options = {}) {
    this.#base = base
    this.#options = options
    this.db = dbOn(base, () => new Part(this, base))
    this.apart = dbOn(base, () => new SeparatePart(this, base, options.isDry ?? false))
  }

  /** The transaction, if it is open. */
  get transaction(): Transaction | undefined {
    return this.#open
  }

  /** Whether something in it would be lost now. */
  get hasKept(): boolean {
    return this.#hasKept
  }

  /** Opens a part of the transaction, when the one before has ended. */
  async beginPart(): Promise<void> {
    const before = this.#part
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#part = promise
    await before
    this.#endPart = resolve
    try {
      await (await this.#opened()).savepoint(PART).execute()
    } catch (error) {
      resolve()
      throw error
    }
  }

  async keepPart(): Promise<void> {
    await required(this.#open).releaseSavepoint(PART).execute()
    this.#hasKept = true
    this.#endPart()
  }

  async undoPart(): Promise<void> {
    try {
      if (!this.#hasKept) return await this.rollback()
      await required(this.#open).rollbackToSavepoint(PART).execute()
      await required(this.#open).releaseSavepoint(PART).execute()
    } finally {
      this.#endPart()
    }
  }

  /** Runs a statement in the transaction. */
  async run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const open = required(this.#open)
    if (!this.#options.isDry) return open.executeQuery<R>(query)
    const counted: KeptQuery = { ...query, pipelined: false }
    const result = await open.executeQuery<R>(counted)
    if (query.query.kind === 'InsertQueryNode') this.#count(query.query, result)
    return result
  }

  #count({ into }: InsertQueryNode, { rows, numAffectedRows = BigInt(rows.length) }: QueryResult<unknown>): void {
    const table = into?.table.identifier.name
    if (table !== undefined) this.added.set(table, (this.added.get(table) ?? 0) + Number(numAffectedRows))
  }

  /** Does the last of it, and commits; resolves when it is on disk. Opens the transaction if nothing was written. */
  async commit(last: (transaction: Transaction) => Promise<void>): Promise<void> {
    const open = await this.#opened()
    try {
      await last(open)
      await open.commit().execute()
      this.#open = undefined
    } finally {
      await this.rollback()
    }
  }

  /** Undoes everything; does nothing when it has ended. */
  async rollback(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    this.#hasKept = false
    await open?.rollback().execute()
  }

  async #opened(): Promise<OpenTransaction> {
    if (this.#open) return this.#open
    const open = (await this.#base.startTransaction().execute()) as OpenTransaction
    try {
      await this.#options.onBegin?.(open)
    } catch (error) {
      await open.rollback().execute()
      throw error
    }
    this.#open = open
    return open
  }
}

/** A database on the engine of another one, with connections of its own making. */
function dbOn(base: Db, connect: () => Part): Db {
  const isPostgres = engineOf(base) === 'postgres'
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => base.getExecutor().adapter,
      createDriver: () => new PartDriver(connect),
      createIntrospector: (db) => (isPostgres ? new PostgresIntrospector(db) : new SqliteIntrospector(db)),
      createQueryCompiler: () => (isPostgres ? new PostgresQueryCompiler() : new SqliteCompiler()),
    },
  })
}

class PartDriver implements Driver {
  readonly #connect: () => Part

  constructor(connect: () => Part) {
    this.#connect = connect
  }

  async init(): Promise<void> {}
  acquireConnection = async (): Promise<Part> => this.#connect()
  beginTransaction = (part: Part): Promise<void> => part.begin()
  commitTransaction = (part: Part): Promise<void> => part.commit()
  rollbackTransaction = (part: Part): Promise<void> => part.rollback()
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

/** A connection of the library: its transaction is a part of that of the request. */
class Part implements DatabaseConnection {
  protected readonly request: RequestTransaction
  protected readonly base: Db
  #isOpen = false

  constructor(request: RequestTransaction, base: Db) {
    this.request = request
    this.base = base
  }

  async begin(): Promise<void> {
    await this.request.beginPart()
    this.#isOpen = true
  }

  async commit(): Promise<void> {
    await this.request.keepPart()
    this.#isOpen = false
  }

  async rollback(): Promise<void> {
    this.#isOpen = false
    await this.request.undoPart()
  }

  protected run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.request.run(query)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isOpen) return this.run(query)
    // What the request has written is read in its transaction.
    if (onlyReads(query)) return this.request.transaction ? this.request.run(query) : this.base.executeQuery<R>(query)
    await this.begin()
    try {
      const result = await this.run<R>(query)
      await this.commit()
      return result
    } catch (error) {
      await this.rollback()
      throw error
    }
  }

  // biome-ignore lint/correctness/useYield: nothing in Guildhall streams rows.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Queries are not streamed: ask for a page')
  }
}

/** A transaction of its own, unless that of the request is open: on SQLite it would wait for itself. */
class SeparatePart extends Part {
  readonly #isDry: boolean
  #own: ControlledTransaction<Database> | undefined

  constructor(request: RequestTransaction, base: Db, isDry: boolean) {
    super(request, base)
    this.#isDry = isDry
  }

  override async begin(): Promise<void> {
    if (this.request.transaction) return super.begin()
    this.#own = await this.base.startTransaction().execute()
  }

  override async commit(): Promise<void> {
    if (!this.#own) return super.commit()
    if (this.#isDry) return this.rollback()
    await this.#own.commit().execute()
    this.#own = undefined
  }

  override async rollback(): Promise<void> {
    if (!this.#own) return super.rollback()
    const own = this.#own
    this.#own = undefined
    await own.rollback().execute()
  }

  protected override run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#own ? this.#own.executeQuery<R>(query) : super.run(query)
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#own ? this.run(query) : super.executeQuery(query)
  }
}
