// The one connection that writes to SQLite. Writers that wait share a commit, and so an fsync: while a batch is open a
// transaction is a savepoint in it, and it is acknowledged when the batch is on disk.
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** A batch is committed once it holds this many transactions or is this old, however many writers still wait. */
const BATCH_TRANSACTIONS = 128
const BATCH_MILLISECONDS = 25

interface Waiting {
  resolve(): void
  reject(error: unknown): void
}

export class Writer {
  readonly #db: DatabaseSync
  readonly #statement: (sql: string) => StatementSync
  /** Transactions of the open batch that wait to be on disk. */
  #batch: Waiting[] = []
  #batchOpenedAt = 0
  #queue: Waiting[] = []
  #busy = false
  #commitScheduled = false

  constructor(db: DatabaseSync, statement: (sql: string) => StatementSync) {
    this.#db = db
    this.#statement = statement
  }

  /** Waits for its turn and opens a transaction. Rejects with SQLITE_BUSY when another process holds the database too long. */
  async begin(): Promise<void> {
    if (this.#busy) await new Promise<void>((resolve, reject) => this.#queue.push({ resolve, reject }))
    this.#busy = true
    try {
      if (!this.#db.isTransaction) {
        this.#run('begin immediate')
        this.#batchOpenedAt = performance.now()
      }
      this.#run('savepoint entry')
    } catch (error) {
      this.#next()
      throw error
    }
  }

  /** Ends the transaction; resolves when it is on disk. */
  commit(): Promise<void> {
    const durable = new Promise<void>((resolve, reject) => {
      try {
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
   * something of theirs that it saw, and nobody may be told of that before it is on disk.
   */
  rollback(): Promise<void> {
    const settled = new Promise<void>((resolve) => {
      if (this.#batch.length === 0) resolve()
      else this.#batch.push({ resolve, reject: () => resolve() })
    })
    try {
      if (this.#db.isTransaction) {
        this.#run('rollback to entry')
        this.#run('release entry')
      }
    } finally {
      this.#next()
    }
    return settled
  }

  close(): void {
    this.#commitBatch()
    const closed = new Error('The database is closed')
    for (const waiting of this.#queue.splice(0)) waiting.reject(closed)
  }

  #run(sql: string): void {
    this.#statement(sql).run()
  }

  #next(): void {
    // A full disk or an I/O error makes SQLite undo the whole batch by itself: then nobody in it may be told otherwise.
    if (!this.#db.isTransaction) this.#settle(new Error('The database gave up the transaction'))
    const full =
      this.#batch.length >= BATCH_TRANSACTIONS ||
      (this.#batch.length > 0 && performance.now() - this.#batchOpenedAt > BATCH_MILLISECONDS)
    if (full) this.#commitBatch()
    const next = this.#queue.shift()
    if (next) {
      next.resolve()
      return
    }
    this.#busy = false
    this.#scheduleCommit()
  }

  // After the current turn of the event loop: whatever requests it still holds get to join the batch.
  #scheduleCommit(): void {
    if (this.#commitScheduled || !this.#db.isTransaction) return
    this.#commitScheduled = true
    setImmediate(() => {
      this.#commitScheduled = false
      if (!this.#busy) this.#commitBatch()
    })
  }

  #commitBatch(): void {
    if (!this.#db.isOpen || !this.#db.isTransaction) return
    try {
      this.#run('commit')
      this.#settle()
    } catch (error) {
      if (this.#db.isTransaction) this.#run('rollback')
      this.#settle(error)
    }
  }

  #settle(error?: unknown): void {
    const batch = this.#batch
    this.#batch = []
    for (const waiting of batch) error === undefined ? waiting.resolve() : waiting.reject(error)
  }
}
