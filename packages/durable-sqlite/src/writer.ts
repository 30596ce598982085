// The one connection that writes to SQLite. Waiting writers share a commit and its fsync: a transaction is a savepoint in an open
// batch, acknowledged when the batch is on disk; readers do not see it before. With an fsync of 10 ms, 64 writers get 3,200 durable
// transactions a second; separate commits would reach 100 at most.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { isDue, type Log, pauseAfter, type WaitingCall, type WriterOptions } from './batch.ts'
import { isBusy, namingQuota } from './errors.ts'
import { kindOf, reasonOf, SqliteFault } from './fault.ts'

/** How long a writer waits for another process, counted from its request, and how often it retries. */
const BUSY_MILLISECONDS = 5_000
const BUSY_LOOK_MILLISECONDS = 2
export class Writer {
  readonly #db: DatabaseSync
  readonly #statement: (sql: string) => StatementSync
  /** Transactions of the open batch that wait to be on disk. */
  #batch: WaitingCall[] = []
  #batchOpenedAt = 0
  /** Duration of the last commit. */
  #commitMilliseconds = 0
  #queue: WaitingCall[] = []
  /** Whether a writer has the turn. */
  #busy = false
  /** Whether the writer with the turn has a savepoint. */
  #entered = false
  #commitScheduled = false
  readonly #log: Log | undefined
  readonly #onCommit: (transactions: number) => void
  readonly #onVisible: () => void
  readonly #onBroken: (error: Error) => void
  /** Fulfilled when the batch that is committed is on disk and the next one may be committed. */
  #syncing: Promise<void> | undefined
  /** Fulfilled when the WAL is copied into the database: until then no batch is opened. */
  #copying: Promise<void> | undefined
  /** Fulfilled when the part of the WAL that was copied last, while writers went on, is in the database. */
  #copyingAhead: Promise<void> | undefined
  #broken: Error | undefined
  /** The error that made SQLite roll back a batch, for the other transactions in it. */
  #noticed: unknown
  #closed: Error | undefined

  /** Why writes are disabled: a disk error. Only a restart helps. */
  get fault(): Error | undefined {
    return this.#broken
  }

  constructor(
    db: DatabaseSync,
    statement: (sql: string) => StatementSync,
    { log, onCommit = () => {}, onVisible = () => {}, onBroken = () => {} }: WriterOptions = {},
  ) {
    this.#db = db
    this.#statement = statement
    this.#log = log
    this.#onCommit = onCommit
    this.#onVisible = onVisible
    this.#onBroken = onBroken
  }

  /** Whether the transaction that was begun is still there: SQLite may have undone it by itself. */
  get isInTransaction(): boolean {
    return this.#entered && this.#hasBatch
  }

  get #hasBatch(): boolean {
    return this.#db.isOpen && this.#db.isTransaction
  }

  /** Waits for its turn and opens a transaction. Rejects with SQLITE_BUSY when another process holds the database too long. */
  async begin(): Promise<void> {
    const until = performance.now() + BUSY_MILLISECONDS
    if (this.#busy) await new Promise<void>((resolve, reject) => this.#queue.push({ resolve, reject }))
    this.#busy = true
    try {
      if (this.#copying) await this.#copying
      while (!this.#openBatch(until)) await setTimeout(BUSY_LOOK_MILLISECONDS)
      this.#run('savepoint entry')
      this.#entered = true
    } catch (error) {
      this.#next()
      throw error
    }
  }

  /** False while another process writes: SQLite itself must not wait for it, since every other caller would wait too. */
  #openBatch(until: number): boolean {
    const refused = this.#broken ?? this.#closed
    if (refused) throw refused
    if (this.#db.isTransaction) return true
    try {
      this.#run('begin immediate')
    } catch (error) {
      if (isBusy(error) && performance.now() < until) return false
      throw error
    }
    this.#batchOpenedAt = performance.now()
    return true
  }

  /** Ends the transaction; resolves when it is on disk. */
  commit(): Promise<void> {
    const isThere = this.isInTransaction
    this.#entered = false
    const durable = new Promise<void>((resolve, reject) => {
      try {
        if (!isThere) throw this.gaveUp()
        this.#run('release entry')
        this.#batch.push({ resolve, reject })
      } catch (error) {
        reject(error)
      }
    })
    this.#next()
    return durable
  }

  /**
   * Rolls back the transaction and none of the others in its batch. The rollback may reveal data of the others that is not durable
   * yet, so it resolves when they are on disk, and rejects when they never will be.
   */
  async rollback(): Promise<void> {
    const settled = new Promise<void>((resolve) => {
      if (this.#batch.length === 0) resolve(this.#syncing)
      else this.#batch.push({ resolve, reject: () => resolve() })
    })
    try {
      this.#undoEntry()
    } finally {
      this.#next()
    }
    await settled
    if (this.#broken) throw this.#broken
  }

  /** Resolves when acknowledged and waiting transactions are on disk. Transactions that are still open by then are rolled back. */
  async close(): Promise<void> {
    this.#closed = new Error('The database is closed')
    for (const waiting of this.#queue.splice(0)) waiting.reject(this.#closed)
    await this.#syncing
    this.#undoEntry()
    this.#commitBatch()
    await this.#syncing
    await this.#copyingAhead
    if (this.#broken) this.#abandon()
    this.#log?.close()
  }

  #run(sql: string): void {
    this.#statement(sql).run()
  }

  #undoEntry(): void {
    const isThere = this.isInTransaction
    this.#entered = false
    if (!isThere) return
    // Alone, it leaves nothing to commit: the database stays as it is, and so does its version.
    const statements = this.#batch.length === 0 ? ['rollback'] : ['rollback to entry', 'release entry']
    for (const statement of statements) this.#run(statement)
  }

  /** Why a transaction is not there any more. */
  gaveUp(): Error {
    const why = () => new Error('The database gave up the transaction', { cause: this.#noticed })
    return this.#broken ?? this.#closed ?? why()
  }

  /**
   * The one rule for disk errors: an SQLite error that reports one, from any place, disables writes. Returns the error for the
   * caller.
   */
  notice(error: unknown): unknown {
    this.#noticed = namingQuota(error, this.#db)
    const kind = kindOf(this.#noticed)
    if (kind === 'full') this.#log?.noteFull()
    return kind === 'broken' || kind === 'malformed' ? this.#breakWith(this.#noticed) : this.#noticed
  }

  #next(): void {
    // After a full disk or an I/O error SQLite rolls back the whole batch by itself, so every caller in it gets an error.
    if (!this.#hasBatch) this.#settle(this.gaveUp())
    else if (this.#broken) this.#undoBatch(this.#broken)
    if (this.#isDue()) this.#commitBatch()
    const next = this.#queue.shift()
    if (next) {
      next.resolve()
      return
    }
    this.#busy = false
    if (this.#broken) this.#abandon()
    else this.#scheduleCommit()
  }

  #isDue(): boolean {
    const age = performance.now() - this.#batchOpenedAt
    return isDue(this.#batch.length, { age, commitTakes: this.#commitMilliseconds })
  }

  // After the current turn of the event loop, so that its remaining requests can join the batch.
  #scheduleCommit(): void {
    if (this.#commitScheduled || !this.#hasBatch) return
    this.#commitScheduled = true
    setImmediate(() => {
      this.#commitScheduled = false
      if (!this.#busy) this.#commitBatch()
    })
  }

  #commitBatch(): void {
    if (this.#syncing || !this.#hasBatch) return
    const log = this.#log
    let isLong = false
    try {
      if (this.#broken) throw this.#broken
      isLong = log?.isLong() ?? false
      const started = performance.now()
      log?.hold()
      this.#run('commit')
      this.#commitMilliseconds = performance.now() - started
      this.#onCommit(this.#batch.length)
    } catch (error) {
      this.#undoBatch(this.#broken ?? this.notice(error))
      if (!this.#broken) log?.release()
      return
    }
    if (!log) {
      this.#onVisible()
      this.#settle()
    } else this.#syncing = this.#bringToDisk(log, isLong)
  }

  async #bringToDisk(log: Log, isLong: boolean): Promise<void> {
    const batch = this.#takeBatch()
    const copied = Promise.withResolvers<void>()
    if (isLong) this.#copying = copied.promise
    const started = performance.now()
    let syncTook = 0
    try {
      await log.sync()
      syncTook = performance.now() - started
      log.release()
      this.#onVisible()
      this.#settle(undefined, batch)
      // Rarely. A WAL that is written to cannot start over, so writers wait; readers do not.
      if (isLong) await log.checkpoint()
      else this.#copyingAhead = log.copyAhead()?.catch((error) => void this.#breakWith(error)) ?? this.#copyingAhead
    } catch (error) {
      this.#settle(this.#breakWith(error), batch)
    }
    this.#copying = undefined
    copied.resolve()
    await pauseAfter(syncTook, batch.length)
    this.#syncing = undefined
    this.#scheduleCommit()
  }

  /**
   * The system drops pages that it could not write, and the next fsync would confirm data that is not there: writes stay disabled.
   * Waiting callers are refused, and readers keep the snapshot from before the loss until the restart.
   */
  #breakWith(cause: unknown): Error {
    if (this.#broken) return this.#broken
    const kind = kindOf(cause) === 'malformed' ? 'malformed' : 'broken'
    const reason = `The disk did not take what was written; nothing more is: ${reasonOf(cause)}`
    const broken = new SqliteFault(kind, reason, { cause })
    this.#broken = broken
    this.#onBroken(broken)
    // A transaction in progress ends first: its remaining statements must not run outside of it.
    if (!this.#busy) this.#abandon()
    return broken
  }

  /** Rolls back the open batch and disables writes and checkpoints. */
  #abandon(): void {
    this.#undoBatch(this.#broken)
    this.#log?.abandon()
  }

  /** Rolls back the open batch and rejects its transactions with the reason. */
  #undoBatch(error: unknown): void {
    const batch = this.#takeBatch()
    try {
      if (this.#hasBatch) this.#run('rollback')
    } catch (cause) {
      this.#breakWith(cause)
    }
    this.#settle(error, batch)
  }

  #takeBatch(): WaitingCall[] {
    const batch = this.#batch
    this.#batch = []
    return batch
  }

  #settle(error?: unknown, batch = this.#takeBatch()): void {
    for (const waiting of batch) error === undefined ? waiting.resolve() : waiting.reject(error)
  }
}
