// SQLite's write-ahead log (WAL), synced beside the event loop: with an fsync of 10 ms, 3,200 durable transactions a second instead
// of 100 (`npm run bench -- own-code`). Every fsync that a checkpoint needs is made here and its error is never swallowed: the
// system forgets pages that it could not write, and the next fsync would succeed.
import { closeSync, fstatSync, fsync, fsyncSync, openSync, readSync, realpathSync, writeSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isBusy } from './batch.ts'

/** The WAL is copied into the database once it is this long (16 MB). */
const CHECKPOINT_PAGES = 4_000
/** When a WAL that had to grow longer (32 MB) begins anew, its file is cut to this. */
const KEPT_BYTES = 32 * 1024 * 1024
const REWRITE_BYTES = 1024 * 1024
/** Both copies of the header of the shared memory, by which connections know what is in the WAL (SQLite, walformat 2.1). */
const SHARED_HEADER_BYTES = 96

export interface Connections {
  /** Commits with `synchronous=NORMAL`, which leaves the WAL to the system, and copies nothing by itself. */
  writing: DatabaseSync
  /** Opened read-only: then it cannot copy the WAL either, when it is closed last. */
  reading: DatabaseSync
  /** Copies the WAL without syncing; it is this page that syncs. */
  copying: DatabaseSync
}

export class WriteAheadLog {
  readonly #path: string
  readonly #connections: Connections
  /** The database file. Closed after all connections: to close it ends their locks (POSIX). */
  #database: number
  /** Opened at the first commit: before it there may be no WAL. It stays the same file while the database is open. */
  #file: number | undefined
  /** How long the WAL was when it was last copied, unless it began anew since. */
  #copiedAt = 0
  readonly #noop: StatementSync
  readonly #begin: StatementSync
  readonly #look: StatementSync
  readonly #end: StatementSync
  readonly #copy: StatementSync

  /**
   * Copies the whole WAL first, and throws when the disk does not take it. What a process left in it the system may remember
   * without having it on disk, and pages of the database that could not be written are right in the WAL alone.
   */
  constructor(path: string, connections: Connections) {
    this.#path = realpathSync(path)
    this.#connections = connections
    const { writing, reading, copying } = connections
    writing.exec(
      `pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma journal_size_limit = ${KEPT_BYTES}`,
    )
    copying.exec('pragma synchronous = off; pragma wal_autocheckpoint = 0')
    this.#database = openSync(this.#path, 'r+')
    this.#copy = copying.prepare('pragma wal_checkpoint(passive)')
    this.#noop = reading.prepare('pragma wal_checkpoint(noop)')
    this.#begin = reading.prepare('begin')
    this.#look = reading.prepare('select 1 from sqlite_schema limit 1')
    this.#end = reading.prepare('commit')
    try {
      this.#alone(() => {
        this.#rewrite()
        this.#copyIntoDatabase()
      })
    } catch (error) {
      this.#forgetCopied()
      throw error
    }
  }

  /**
   * Whether it is time to copy the WAL into the database. While another process reads, a WAL cannot begin anew however often
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
    if (this.#connections.reading.isTransaction) this.#end.run()
  }

  /** Resolves when all that is committed is on disk. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => fsync(this.#open(), (error) => (error ? reject(error) : resolve())))
  }

  /** The same at once. */
  syncNow(): void {
    fsyncSync(this.#open())
  }

  /**
   * Copies the WAL into the database, so that it can start over: while this process neither reads from it nor writes.
   * Where another process reads an older state a part is copied, and is on disk before the next write. Throws when the
   * disk does not take it.
   */
  checkpoint(): void {
    try {
      this.#alone(() => this.#copyIntoDatabase())
    } catch (error) {
      // Another process writes: what was committed is in the WAL, and is copied when that has grown.
      if (!isBusy(error)) throw error
    }
    this.#copiedAt = this.#length()
  }

  /**
   * For good: nothing is written or copied any more, not even when the connections are closed, and the process that opens the database
   * next copies the whole WAL again.
   */
  abandon(): void {
    this.#forgetCopied()
    for (const connection of [this.#connections.copying, this.#connections.writing]) {
      if (connection.isOpen) connection.close()
    }
  }

  /** To be called before the connections are closed; the files that stay open until then are closed by `closeFiles`. */
  close(): void {
    if (this.#connections.copying.isOpen) this.#connections.copying.close()
  }

  /** To be called when all connections of this process are closed. */
  closeFiles(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    closeSync(this.#database)
    this.#file = undefined
  }

  /** Does it while no process writes or lets the WAL start over. */
  #alone(work: () => void): void {
    const { writing } = this.#connections
    writing.exec('begin immediate')
    try {
      work()
    } finally {
      writing.exec('rollback')
    }
  }

  /** SQLite counts what it copied as done at once; so no write may come before it is on disk. */
  #copyIntoDatabase(): void {
    this.#copy.get()
    fsyncSync(this.#database)
  }

  /** Writes what is in the WAL to its place again: pages that an fsync had dropped are then on disk too. */
  #rewrite(): void {
    const file = this.#open()
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(size, REWRITE_BYTES))
    for (let at = 0; at < size; ) {
      const length = readSync(file, bytes, 0, bytes.length, at)
      if (length === 0) break
      writeSync(file, bytes, 0, length, at)
      at += length
    }
    if (size > 0) fsyncSync(file)
  }

  /**
   * What was copied may not be on disk: with an empty header in the shared memory every connection reads the WAL anew, from its
   * beginning, and takes nothing of it for copied. The file is left open, since closing it would end the locks that others hold.
   */
  #forgetCopied(): void {
    try {
      writeSync(openSync(`${this.#path}-shm`, 'r+'), Buffer.alloc(SHARED_HEADER_BYTES), 0, SHARED_HEADER_BYTES, 0)
    } catch {
      // Without shared memory there is nothing to forget.
    }
  }

  #length(): number {
    return (this.#noop.get() as { log: number }).log
  }

  #open(): number {
    this.#file ??= openSync(`${this.#path}-wal`, 'r+')
    return this.#file
  }
}
