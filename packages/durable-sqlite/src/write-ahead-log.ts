// SQLite's write-ahead log (WAL), synced outside the event loop: with an fsync of 10 ms, 3,200 durable transactions a second instead
// of 100. Every fsync of a checkpoint is made here and its error is never swallowed: the system drops
// pages that it could not write, and the next fsync would succeed.
import { closeSync, fstatSync, fsync, fsyncSync, openSync, readSync, realpathSync, writeSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isBusy, isFull, namingQuota } from './errors.ts'
import type { KeptLog } from './kept-log.ts'
import { LogView } from './log-view.ts'

/** The WAL is copied into the database each time that it has grown by so much (4 MB); writers go on. */
const COPIED_PAGES = 1_000
/** Writers wait for the rest, so that it can start over, once it is this long (16 MB) and so little is left, or at a length of 24 MB. */
const LONG_PAGES = 4_000
const LEFT_PAGES = 500
const LONGEST_PAGES = 6_000
/** When a WAL that had grown beyond this size (32 MB) starts over, its file is truncated to it. */
export const KEPT_BYTES = 32 * 1024 * 1024
const REWRITE_BYTES = 1024 * 1024
/** Both copies of the header of the shared memory, by which connections know the content of the WAL (SQLite, walformat 2.1). */
const SHARED_HEADER_BYTES = 96

export interface Connections {
  /** Commits with `synchronous=NORMAL`, which leaves syncing of the WAL to us, without automatic checkpoints. */
  writing: DatabaseSync
  /** Opened read-only: then it cannot copy the WAL either, when it is closed last. */
  reading: DatabaseSync
  /** Copies the WAL without syncing; it is this page that syncs. */
  copying: DatabaseSync
  /** Opened read-only. Its snapshots keep the WAL from starting over before what was copied of it is on disk. */
  guarding: DatabaseSync
}

export interface Place {
  path: string
  /** Keeps the log for what follows it. */
  kept: KeptLog
}

/** Resolves when what was written to a file is on disk. */
const synced = (file: number): Promise<void> =>
  new Promise((resolve, reject) => fsync(file, (error) => (error ? reject(error) : resolve())))

export class WriteAheadLog {
  readonly #path: string
  readonly #connections: Connections
  /** The database file. Closed after all connections: closing it releases their locks (POSIX). */
  #database: number
  /** Opened at the first commit: before it there may be no WAL. It stays the same file while the database is open. */
  #file: number | undefined
  /** The length of the WAL when it was last copied, and when it could last start over, unless it started over since then. */
  #copiedAt = 0
  #closedAt = 0
  /** The copying that is under way while writers go on. */
  #copyingAhead: Promise<void> | undefined
  readonly #noop: StatementSync
  readonly #snapshot: LogView
  readonly #guard: LogView
  readonly #copy: StatementSync
  readonly #kept: KeptLog

  /**
   * First copies the whole WAL; throws when the disk reports an error. The system may have cached a WAL of an earlier process without
   * having it on disk, and database pages that could not be written are intact in the WAL alone.
   */
  constructor({ path, kept }: Place, connections: Connections) {
    this.#path = realpathSync(path)
    this.#kept = kept
    this.#connections = connections
    const { writing, reading, copying, guarding } = connections
    writing.exec(
      `pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma journal_size_limit = ${KEPT_BYTES}`,
    )
    copying.exec('pragma synchronous = off; pragma wal_autocheckpoint = 0')
    this.#database = openSync(this.#path, 'r+')
    this.#copy = copying.prepare('pragma wal_checkpoint(passive)')
    this.#noop = reading.prepare('pragma wal_checkpoint(noop)')
    this.#snapshot = new LogView(reading)
    this.#guard = new LogView(guarding)
    try {
      this.#lock()
      try {
        this.#rewrite()
        this.#copyNow()
        fsyncSync(this.#database)
      } finally {
        this.#unlock()
      }
    } catch (error) {
      this.#forgetCopied()
      throw error
    }
  }

  /**
   * Whether a checkpoint is due. While another process reads, checkpoints cannot make the WAL start over: the next one is due when
   * the WAL has grown by the same amount again.
   */
  isLong(): boolean {
    const { grown, open } = this.#growth()
    return open >= LONGEST_PAGES || (open >= LONG_PAGES && !this.#copyingAhead && grown < LEFT_PAGES)
  }

  /** From here on readers see the current state on disk, regardless of later commits, until `release`. */
  hold(): void {
    this.#snapshot.take()
  }

  release(): void {
    this.#snapshot.end()
  }

  /** Resolves when all that is committed is on disk. */
  sync(): Promise<void> {
    return synced(this.#open())
  }

  /**
   * Copies the WAL into the database if it has grown, while writers go on: the checkpoint that lets it start over has little left to
   * do. To be called when all that this process committed is on disk. Resolves when what was copied is on disk, and rejects when the
   * disk reports an error.
   */
  copyAhead(): Promise<void> | undefined {
    if (this.#copyingAhead) return undefined
    const { grown, open } = this.#growth()
    if (grown < (open < LONG_PAGES ? COPIED_PAGES : LEFT_PAGES)) return undefined
    this.#copyingAhead = this.#copyGuarded().finally(() => {
      this.#copyingAhead = undefined
    })
    return this.#copyingAhead
  }

  /**
   * SQLite treats copied pages as durable at once, and would let the WAL start over. While a snapshot is read from the WAL, it cannot,
   * and nothing is copied that was committed after that snapshot. After a disk error the snapshot stays until `abandon`.
   */
  async #copyGuarded(): Promise<void> {
    const length = this.#length()
    try {
      this.#guard.take()
      await this.#copySynced()
    } catch (error) {
      // Another process repairs the shared memory, or there is no room: then the log has it all, and a later checkpoint copies it.
      this.#refuseUnlessPassing(error)
    }
    this.#guard.end()
    this.#copiedAt = length
  }

  /** Copies what is in the snapshot of the guard, or under the lock. */
  async #copySynced(): Promise<void> {
    // What another process committed may not be on disk yet: in the database it must not be before it is in the WAL.
    await synced(this.#open())
    if (!this.#connections.copying.isOpen) return
    this.#copyNow()
    await synced(this.#database)
  }

  #copyNow(): void {
    this.#kept.keep()
    try {
      this.#copy.get()
    } catch (error) {
      throw namingQuota(error, this.#connections.copying)
    }
    this.#kept.leave()
  }

  /**
   * Copies the WAL into the database, so that it can start over: while this process does not write. While another process reads an
   * older state, only a part is copied. Resolves when what was copied is on disk, and rejects when the disk reports an error. No write
   * may follow before that.
   */
  async checkpoint(): Promise<void> {
    await this.#copyingAhead
    try {
      this.#lock()
      try {
        await this.#copySynced()
      } finally {
        this.#unlock()
      }
    } catch (error) {
      // Another process writes, or there is no room: the commits are in the WAL, and a later checkpoint copies them.
      this.#refuseUnlessPassing(error)
    }
    this.#closedAt = this.#length()
    this.#copiedAt = this.#closedAt
  }

  /**
   * Permanent: nothing is written or copied any more, not even when the connections are closed, and the next process that opens the
   * database copies the whole WAL again.
   */
  abandon(): void {
    this.#forgetCopied()
    this.#guard.end()
    for (const connection of [this.#connections.copying, this.#connections.writing]) {
      if (connection.isOpen) connection.close()
    }
  }

  /** To be called before the connections are closed; the files that stay open until then are closed by `closeFiles`. */
  close(): void {
    for (const connection of [this.#connections.copying, this.#connections.guarding]) {
      if (connection.isOpen) connection.close()
    }
    this.#kept.close()
  }

  /** To be called when all connections of this process are closed. */
  closeFiles(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    closeSync(this.#database)
    this.#file = undefined
  }

  #refuseUnlessPassing(error: unknown): void {
    if (isFull(error)) this.noteFull()
    else if (!isBusy(error)) throw error
  }

  /** There was no room: the log is not kept any longer for what follows it. */
  noteFull(): void {
    this.#kept.letGo('the disk is full')
  }

  /** From here on no process writes or lets the WAL start over, until `unlock`. */
  #lock(): void {
    this.#connections.writing.exec('begin immediate')
  }

  #unlock(): void {
    const { writing } = this.#connections
    if (writing.isOpen && writing.isTransaction) writing.exec('rollback')
  }

  /** Writes the content of the WAL to the database again: pages that a failed fsync had dropped are then on disk too. */
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
   * Copied pages may not be on disk: with an empty header in the shared memory every connection reads the WAL again from its
   * beginning, and treats nothing as copied. The file stays open, since closing it would release the locks of others.
   */
  #forgetCopied(): void {
    try {
      writeSync(openSync(`${this.#path}-shm`, 'r+'), Buffer.alloc(SHARED_HEADER_BYTES), 0, SHARED_HEADER_BYTES, 0)
    } catch {
      // Without shared memory there is nothing to clear.
    }
  }

  /** By how much the WAL has grown since it was copied, and since it could start over; in pages. */
  #growth(): { grown: number; open: number } {
    const length = this.#length()
    if (length < this.#copiedAt) this.#copiedAt = 0
    if (length < this.#closedAt) this.#closedAt = 0
    return { grown: length - this.#copiedAt, open: length - this.#closedAt }
  }

  #length(): number {
    return Number(this.#noop.get()?.['log'])
  }

  #open(): number {
    this.#file ??= openSync(`${this.#path}-wal`, 'r+')
    return this.#file
  }
}
