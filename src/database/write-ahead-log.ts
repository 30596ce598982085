// SQLite's write-ahead log, brought to disk beside the event loop: an fsync takes as long as the disk likes, and nobody who
// only reads should wait for it.
import { closeSync, fsync, fsyncSync, openSync, realpathSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** The log is copied into the database once it is this long (16 MB). */
const CHECKPOINT_PAGES = 4_000
/** When a log that had to grow longer (32 MB) begins anew, its file is cut to this. */
const KEPT_BYTES = 32 * 1024 * 1024

export class WriteAheadLog {
  readonly #path: string
  readonly #writing: DatabaseSync
  readonly #reading: DatabaseSync
  /** Opened at the first commit: before it there may be no log. It stays the same file while the database is open. */
  #file: number | undefined
  /** How long the log was when it was last copied, unless it began anew since. */
  #copiedAt = 0
  readonly #noop: StatementSync
  readonly #begin: StatementSync
  readonly #look: StatementSync
  readonly #end: StatementSync

  /** `writing` commits with `synchronous=NORMAL`, which leaves the log to the system, and checkpoints nothing by itself. */
  constructor(path: string, writing: DatabaseSync, reading: DatabaseSync) {
    this.#path = `${realpathSync(path)}-wal`
    this.#writing = writing
    this.#reading = reading
    // What a process left in the log the system may remember without having it on disk. It is copied into the database, so that
    // the log begins anew and nothing is written behind a gap.
    writing.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma wal_checkpoint(passive)')
    writing.exec(`pragma journal_size_limit = ${KEPT_BYTES}`)
    this.#noop = reading.prepare('pragma wal_checkpoint(noop)')
    this.#begin = reading.prepare('begin')
    this.#look = reading.prepare('select 1 from sqlite_schema limit 1')
    this.#end = reading.prepare('commit')
  }

  /**
   * Whether it is time to copy the log into the database. While another process reads, a log cannot begin anew however often
   * it is copied: the next time is when it has grown by as much again.
   */
  isLong(): boolean {
    const length = this.#length()
    if (length < this.#copiedAt) this.#copiedAt = 0
    return length - this.#copiedAt >= CHECKPOINT_PAGES
  }

  /** From here on readers see what is on disk now, whatever is committed, until `release`. */
  hold(): void {
    this.#begin.run()
    // A transaction sees what there is when it first looks.
    this.#look.get()
  }

  release(): void {
    if (this.#reading.isTransaction) this.#end.run()
  }

  /** Resolves when all that is committed is on disk. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => fsync(this.#open(), (error) => (error ? reject(error) : resolve())))
  }

  /** The same at once. */
  syncNow(): void {
    fsyncSync(this.#open())
  }

  /** Copies the log into the database, so that it can begin anew: while nobody reads from it and nothing is being written. */
  checkpoint(): void {
    try {
      this.#writing.exec('pragma wal_checkpoint(passive)')
    } catch {
      // What was committed is in the log, and is tried again when that has grown.
    }
    this.#copiedAt = this.#length()
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }

  #length(): number {
    return (this.#noop.get() as { log: number }).log
  }

  #open(): number {
    this.#file ??= openSync(this.#path, 'r+')
    return this.#file
  }
}
