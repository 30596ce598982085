// The one connection that writes to SQLite. Waiting writers share a commit and its fsync: a transaction is a savepoint in an open
// batch, acknowledged when the batch is on disk; readers do not see it before. Where an fsync takes 10 ms, 64 writers get 3,200
// durable transactions a second, where commits of their own would be 100 at most (`npm run bench -- own-code`).
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { OutageError, outageOf, reasonOf } from '../runtime/outage.ts'
import { isBusy, isDue, type Log, pauseAfter, type Waiting, type WriterOptions } from './batch.ts'

/** How long a writer waits for another process, counted from when it asked, and how often it looks meanwhile. */
const BUSY_MILLISECONDS = 5_000
const BUSY_LOOK_MILLISECONDS = 2
export class Writer {
  readonly #db: DatabaseSync
  readonly #statement: (sql: string) => StatementSync
  /** Transactions of the open batch that wait to be on disk. */
  #batch: Waiting[] = []
  #batchOpenedAt = 0
  /** How long the last commit took. */
  #commitMilliseconds = 0
  #queue: Waiting[] = []
  /** Whether somebody has the turn. */
  #busy = false
  /** Whether whoever has the turn has a savepoint. */
  #entered = false
  #commitScheduled = false
  readonly #log: Log | undefined
  readonly #onBroken: (error: Error) => void
  /** Fulfilled when the batch that is committed is on disk and the next one may be committed. */
  #syncing: Promise<void> | undefined
  #broken: Error | undefined
  /** What made SQLite undo a batch, for those in it that did nothing wrong. */
  #noticed: unknown
  #closed: Error | undefined

  /** Why nothing is written any more: the disk did not take or give something. Only a restart helps. */
  get fault(): Error | undefined {
    return this.#broken
  }

  constructor(
    db: DatabaseSync,
    statement: (sql: string) => StatementSync,
    { log, onBroken = () => {} }: WriterOptions = {},
  ) {
    this.#db = db
    this.#statement = statement
    this.#log = log
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
      while (!this.#openBatch(until)) await setTimeout(BUSY_LOOK_MILLISECONDS)
      this.#run('savepoint entry')
      this.#entered = true
    } catch (error) {
      this.#next()
      throw error
    }
  }

  /** False while another process writes: it is not SQLite that waits for it, since everybody else would wait too. */
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
   * Undoes the transaction and none of the others in its batch. Resolves when those are settled: what made it give up may be
   * something of theirs that it saw, and nobody may be told of that before it is on disk. Rejects when it never will be.
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

  /** Resolves when what was acknowledged, and what waits to be, is on disk. What is not done by then is undone. */
  async close(): Promise<void> {
    this.#closed = new Error('The database is closed')
    for (const waiting of this.#queue.splice(0)) waiting.reject(this.#closed)
    await this.#syncing
    this.#undoEntry()
    this.#commitBatch()
    await this.#syncing
    this.#log?.close()
  }

  #run(sql: string): void {
    this.#statement(sql).run()
  }

  #undoEntry(): void {
    const isThere = this.isInTransaction
    this.#entered = false
    if (!isThere) return
    this.#run('rollback to entry')
    this.#run('release entry')
  }

  /** Why a transaction is not there any more. */
  gaveUp(): Error {
    const why = () => new Error('The database gave up the transaction', { cause: this.#noticed })
    return this.#broken ?? this.#closed ?? why()
  }

  /**
   * The one rule for what the disk does: an error of SQLite that says it failed, wherever it came up, ends all writing. Gives
   * the error to refuse with.
   */
  notice(error: unknown): unknown {
    this.#noticed = error
    const kind = outageOf(error)?.kind
    return kind === 'broken' || kind === 'malformed' ? this.#breakWith(error) : error
  }

  #next(): void {
    // A full disk or an I/O error makes SQLite undo the whole batch by itself: then nobody in it may be told otherwise.
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

  // After the current turn of the event loop: whatever requests it still holds get to join the batch.
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
    } catch (error) {
      this.#undoBatch(this.#broken ?? this.notice(error))
      if (!this.#broken) log?.release()
      return
    }
    if (!log) this.#settle()
    else if (isLong) this.#beginAnew(log)
    else this.#bringToDisk(log)
  }

  #bringToDisk(log: Log): void {
    const batch = this.#takeBatch()
    const started = performance.now()
    const syncing = log.sync().then(
      () => {
        log.release()
        this.#settle(undefined, batch)
      },
      (error: Error) => this.#settle(this.#breakWith(error), batch),
    )
    this.#syncing = syncing
      .then(() => pauseAfter(performance.now() - started, batch.length))
      .then(() => {
        this.#syncing = undefined
        this.#scheduleCommit()
      })
  }

  /** Rarely, and at once: a log that is read from or written to cannot begin anew. */
  #beginAnew(log: Log): void {
    try {
      log.syncNow()
    } catch (error) {
      this.#settle(this.#breakWith(error))
      return
    }
    log.release()
    // What was committed is on disk in any case.
    const batch = this.#takeBatch()
    try {
      log.checkpoint()
    } catch (error) {
      this.#breakWith(error)
    }
    this.#settle(undefined, batch)
  }

  /**
   * What the system could not write it forgets, and the next fsync would promise what is not there: nothing more is written.
   * Whoever waits is refused, and readers keep for good the snapshot from before what was lost.
   */
  #breakWith(cause: unknown): Error {
    if (this.#broken) return this.#broken
    const kind = outageOf(cause)?.kind === 'malformed' ? 'malformed' : 'broken'
    const reason = `The disk did not take what was written; nothing more is: ${reasonOf(cause)}`
    const broken = new OutageError({ store: 'database', kind, reason }, { cause })
    this.#broken = broken
    this.#onBroken(broken)
    // A transaction in hand ends first: its own statements may not go on outside of it.
    if (!this.#busy) this.#abandon()
    return broken
  }

  /** Undoes what is open, and sees to it that nothing is written or copied any more. */
  #abandon(): void {
    this.#undoBatch(this.#broken)
    this.#log?.abandon()
  }

  /** Takes back the batch that is open and tells those in it why. */
  #undoBatch(error: unknown): void {
    const batch = this.#takeBatch()
    try {
      if (this.#hasBatch) this.#run('rollback')
    } catch (cause) {
      this.#breakWith(cause)
    }
    this.#settle(error, batch)
  }

  #takeBatch(): Waiting[] {
    const batch = this.#batch
    this.#batch = []
    return batch
  }

  #settle(error?: unknown, batch = this.#takeBatch()): void {
    for (const waiting of batch) error === undefined ? waiting.resolve() : waiting.reject(error)
  }
}
