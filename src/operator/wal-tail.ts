// Follows SQLite's write-ahead log from another process: every page that is committed, in order, while the server works. A transaction
// that only reads is always open, so that the log never starts over before it was read (SQLite, walformat and wal.html). Reading ends where
// the view of that transaction ends: questions to it are about exactly the state whose pages were read. All of this goes on after the files
// of the database have lost their names.
import { closeSync, openSync, readSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { FRAME_BYTES, isBusy, type LogHold } from '@guildhall/durable-sqlite/following'
import { namesFile } from '../database/stored.ts'
import {
  headerIn,
  isNextLog,
  joined,
  type PageChanges,
  type Place,
  type Position,
  placeAfter,
  readFrames,
  readLeft,
  saltsOf,
} from './wal-frames.ts'

/** What all connections know of the log, one of two copies (walformat, 2.1). */
const SHARED_BYTES = 48
const FRAMES_AT = 16
const SALTS_AT = 32
const BUSY_TIMEOUT = 1_000
/** From this length on the log is made to start over (32 MB); the hold on it keeps the server from doing that. */
const LONGEST_BYTES = 32 * 1024 * 1024
/** How much is read at once, in pages (64 MB): a backup that was away finds more. */
const MOST_FRAMES = 16_384
/** A commit between two looks makes them differ; the time between them is far shorter than that between two commits. */
const MOST_LOOKS = 1_000

export interface LogReading {
  changed: PageChanges | undefined
  /** Stored files that rows came to name: `artifacts/<hash>`, or the key of an object. */
  names: readonly string[]
  /** Whether there is more up to the state that is read: it is whole only with the next reading. */
  hasMore: boolean
}

/** Where to begin. */
export interface LogStart {
  position: Position
  /** What was read before that position, and not shipped. */
  left?: Omit<LogReading, 'hasMore'> | undefined
  /** Where a log ended that then started over, once all of it was read. */
  ended?: Position | undefined
}

export interface Log {
  /** Of the database. */
  path: string
  hold: LogHold
  /** The most pages that are read at once. */
  most?: number
}

export class WalTail {
  readonly #path: string
  readonly #most: number
  /** Has the view up to which everything was read. */
  #reader: DatabaseSync
  #next: DatabaseSync
  readonly #shared: number
  readonly #file: number
  readonly #hold: LogHold
  #position: Position
  /** What was committed before this process went on. */
  #first: Omit<LogReading, 'hasMore'> | undefined
  /** The state that is being read, while there is more up to it. */
  #open: WalIndex | undefined
  /** Whether it goes on from where another process stopped, and no commit between them is missing. */
  readonly isContinued: boolean

  /**
   * From here on, or from an earlier position if the log still has all that followed it, every commit is read. `hold` keeps the log from
   * starting over.
   */
  constructor({ path, hold, most = MOST_FRAMES }: Log, from?: LogStart) {
    this.#path = path
    this.#hold = hold
    this.#most = most
    const [reader, next] = [openReader(path), openReader(path)]
    ;[this.#reader, this.#next] = [reader, next]
    // Both are there once a connection has read, and stay the same files while one is open. Closing them would release its locks (POSIX).
    view(reader)
    try {
      ;[this.#shared, this.#file] = [openSync(`${path}-shm`, 'r'), openSync(`${path}-wal`, 'r')]
    } catch (cause) {
      throw new Error('--continuous needs a write-ahead log, and the file system of the database has none', { cause })
    }
    this.#position = from?.position ?? { place: undefined, named: 0 }
    const shared = this.#viewNext()
    const since = from && this.#changedSince(from, shared)
    this.isContinued = since !== undefined
    if (!since) {
      this.#skip(shared)
      return
    }
    this.#first = { changed: joined(from?.left?.changed, since.changed), names: from?.left?.names ?? [] }
    this.#open = shared
  }

  get position(): Position {
    return this.#position
  }

  /** What was committed since the last call, or a part of that. Throws when commits were missed: something else removed the log. */
  read(): LogReading {
    const shared = this.#open ?? this.#viewNext()
    const { place, changed } = this.#readUntil(shared)
    const isWhole = place === undefined || place.frame >= shared.frames
    // Those of all that is read up to this state: a part is shipped after the files of the parts that belong to it.
    const added = this.#next
      .prepare('select id, name from "namedFile" where id > ? order by id')
      .all(this.#position.named) as { id: number; name: string }[]
    this.#position = { place, named: added.at(-1)?.id ?? this.#position.named }
    this.#open = isWhole ? undefined : shared
    if (isWhole) this.#takeTurns()
    const first = this.#first
    this.#first = undefined
    const names = [...(first?.names ?? []), ...added.map(({ name }) => name)]
    return { changed: joined(first?.changed, changed), names: [...new Set(names)], hasMore: !isWhole }
  }

  /** Whether a row names a file, in the state that was read. */
  isNamed(name: string): boolean {
    const at = name.indexOf('/')
    const statement = namesFile[name.slice(0, at)]
    const state = this.#open ? this.#next : this.#reader
    return statement !== undefined && state.prepare(statement).get(name.slice(at + 1)) !== undefined
  }

  /** The length of the log. */
  get bytes(): number {
    return sharedOf(this.#look()).frames * FRAME_BYTES
  }

  get isLong(): boolean {
    return this.bytes > LONGEST_BYTES
  }

  /** To be called often: the log is copied into the database up to here. */
  holdOn(): void {
    this.#hold.renew()
  }

  /**
   * Lets the log start over, while no process writes; at another time if one does. `take` gets what was committed until then, and makes sure that
   * it outlasts this process.
   */
  startOver(take: (read: LogReading) => void): void {
    const [locking, copying] = [this.#writable(), this.#writable()]
    try {
      locking.exec('begin immediate')
      for (let hasMore = true; hasMore; ) {
        const read = this.read()
        hasMore = read.hasMore
        take(read)
      }
      this.#reader.exec('commit')
      this.#hold.end()
      copying.exec('pragma wal_checkpoint(passive)')
    } catch (error) {
      if (!isBusy(error)) throw error
    } finally {
      if (!this.#reader.isTransaction) view(this.#reader)
      this.#hold.renew()
      if (locking.isTransaction) locking.exec('rollback')
      locking.close()
      copying.close()
    }
  }

  close(): void {
    this.#reader.close()
    this.#next.close()
    closeSync(this.#shared)
    closeSync(this.#file)
  }

  /** Without making a database where there is none any more. */
  #writable(): DatabaseSync {
    const db = new DatabaseSync(`${pathToFileURL(this.#path)}?mode=rw`, { timeout: BUSY_TIMEOUT })
    db.exec('pragma synchronous = full')
    return db
  }

  /** What a log that has started over since had after a position; undefined when commits may be missing. */
  #changedSince(
    { position, ended }: LogStart,
    { frames, salts }: WalIndex,
  ): { changed: PageChanges | undefined } | undefined {
    const { place } = position
    const oldest = this.#next.prepare('select min(id) as id from "namedFile"').get()?.['id'] ?? 0
    const header = headerIn(this.#file)
    if (!place || !header || Number(oldest) > position.named + 1) return undefined
    if (isNextLog(place.header, salts)) {
      const isEnd = ended?.place?.header.equals(place.header) && ended.place.frame === place.frame
      return isEnd ? { changed: undefined } : readLeft(this.#file, place, frames)
    }
    if (!header.equals(place.header) || !saltsOf(header).equals(salts) || place.frame > frames) return undefined
    const there = placeAfter(this.#file, header, place.frame)
    return there?.sums[0] === place.sums[0] && there.sums[1] === place.sums[1] ? { changed: undefined } : undefined
  }

  /** What is committed by now is in a copy of the database that is made later. */
  #skip({ frames, salts }: WalIndex): void {
    const header = headerIn(this.#file)
    const isThere = header && saltsOf(header).equals(salts)
    const place = isThere ? placeAfter(this.#file, header, frames) : undefined
    const named = Number(this.#next.prepare('select max(id) as id from "namedFile"').get()?.['id'] ?? 0)
    this.#position = { place, named }
    this.#takeTurns()
  }

  #takeTurns(): void {
    this.#reader.exec('commit')
    ;[this.#reader, this.#next] = [this.#next, this.#reader]
  }

  /** Begins the view of the other connection; resolves with what is in it. */
  #viewNext(): WalIndex {
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      if (this.#next.isTransaction) this.#next.exec('commit')
      const before = this.#look()
      view(this.#next)
      if (before.equals(this.#look())) return sharedOf(before)
    }
    throw new Error('the database changes without a pause')
  }

  #look(): Buffer {
    const shared = Buffer.alloc(SHARED_BYTES)
    readSync(this.#shared, shared, 0, SHARED_BYTES, 0)
    return shared
  }

  #readUntil({ frames, salts }: WalIndex): { place: Place | undefined; changed: PageChanges | undefined } {
    const { place } = this.#position
    const isRead = place && saltsOf(place.header).equals(salts) && place.frame === frames
    if (isRead || frames === 0) return { place, changed: undefined }
    const header = headerIn(this.#file)
    if (!header || !saltsOf(header).equals(salts)) throw new Error('something else removed the log of the database')
    const from = place?.header.equals(header) ? place : placeAfter(this.#file, header, 0)
    if (!from || from.frame > frames) throw new Error('something else removed the log of the database')
    return readFrames(this.#file, from, { until: frames, most: this.#most })
  }
}

interface WalIndex {
  /** How many frames of the log are committed. */
  frames: number
  salts: Buffer
}

const sharedOf = (bytes: Buffer): WalIndex => ({
  // In the order of bytes of the machine, unlike the log.
  frames: new Uint32Array(new Uint8Array(bytes.subarray(FRAMES_AT, FRAMES_AT + 4)).buffer)[0] ?? 0,
  salts: Buffer.from(bytes.subarray(SALTS_AT, SALTS_AT + 8)),
})

const openReader = (path: string) => new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT })

/** Begins a transaction that has begun to read. */
const view = (db: DatabaseSync) => db.exec('begin; select 1 from sqlite_schema limit 1')
