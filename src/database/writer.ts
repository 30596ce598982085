// The one connection that writes to SQLite. Writers that wait share a commit, and so an fsync: while a batch is open a
// transaction is a savepoint in it, and it is acknowledged when the batch is on disk. Until then readers do not see it, and
// the next batch stays open.
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import type { WriteAheadLog } from './write-ahead-log.ts'

/** A batch is committed once it holds this many transactions or is this old, however many writers still wait. */
const BATCH_TRANSACTIONS = 128
const BATCH_MILLISECONDS = 25
/**
 * On a quick disk sooner: once it holds this many and has been open this many times as long as a commit takes. Whoever is
 * answered early asks again early, and nobody waits for a batch that costs next to nothing to commit.
 */
const SMALL_BATCH_TRANSACTIONS = 16
const SMALL_BATCH_COMMITS = 4

/** How long a writer waits for another process, counted from when it asked, and how often it looks meanwhile. */
const BUSY_MILLISECONDS = 5_000
const BUSY_LOOK_MILLISECONDS = 2
/** The lower byte of SQLite's code, whatever the reason. */
const SQLITE_BUSY = 5

/** What brings a commit to disk (write-ahead-log.ts). */
type Log = Pick<WriteAheadLog, 'isLong' | 'hold' | 'release' | 'sync' | 'syncNow' | 'checkpoint' | 'close'>

const SLOW_SYNC_MILLISECONDS = 2

interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

/**
 * On a slow disk those who were just answered get some time to ask again and join the next batch: or they would be two groups
 * that wait for each other.
 */
async function pauseAfter(milliseconds: number, answered: number): Promise<void> {
  if (milliseconds >= SLOW_SYNC_MILLISECONDS && answered > 1) await setTimeout(milliseconds / 5)
}

const isBusy = (error: unknown) => ((error as { errcode?: number }).errcode! & 0xff) === SQLITE_BUSY

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
  /** Without it a commit is on disk as soon as it is made. */
  readonly #log: Log | undefined
  /** Fulfilled when the batch that is committed is on disk and the next one may be committed. */
  #syncing: Promise<void> | undefined
  #broken: Error | undefined
  #closed: Error | undefined

  /** Why nothing is written any more: the disk did not take something. Only opening the database anew helps. */
  get fault(): Error | undefined {
    return this.#broken
  }

  constructor(db: DatabaseSync, statement: (sql: string) => StatementSync, log?: Log) {
    this.#db = db
    this.#statement = statement
    this.#log = log
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
        if (!isThere) throw this.#gaveUp()
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

  #gaveUp(): Error {
    return this.#broken ?? this.#closed ?? new Error('The database gave up the transaction')
  }

  #next(): void {
    // A full disk or an I/O error makes SQLite undo the whole batch by itself: then nobody in it may be told otherwise.
    if (!this.#hasBatch) this.#settle(this.#gaveUp())
    else if (this.#broken) this.#undoBatch(this.#broken)
    if (this.#isDue()) this.#commitBatch()
    const next = this.#queue.shift()
    if (next) {
      next.resolve()
      return
    }
    this.#busy = false
    this.#scheduleCommit()
  }

  #isDue(): boolean {
    const size = this.#batch.length
    if (size === 0) return false
    const age = performance.now() - this.#batchOpenedAt
    if (size >= BATCH_TRANSACTIONS || age > BATCH_MILLISECONDS) return true
    return size >= SMALL_BATCH_TRANSACTIONS && age > SMALL_BATCH_COMMITS * this.#commitMilliseconds
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
      this.#undoBatch(error)
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
    log.checkpoint()
    this.#settle()
  }

  /**
   * What the system could not write it forgets, and the next fsync would promise what is not there: nothing more is written.
   * Whoever waits is refused, and readers keep for good the snapshot from before what was lost.
   */
  #breakWith(cause: unknown): Error {
    const broken = new Error('The disk did not take what was written; nothing more is', { cause })
    this.#broken = broken
    // A transaction in hand ends first: its own statements may not go on outside of it.
    if (!this.#busy) this.#undoBatch(broken)
    return broken
  }

  /** Takes back the batch that is open and tells those in it why. */
  #undoBatch(error: unknown): void {
    const batch = this.#takeBatch()
    try {
      if (this.#db.isTransaction) this.#run('rollback')
    } catch (cause) {
      this.#broken ??= new Error('A batch could not be taken back; nothing more is written', { cause })
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
