// Follows SQLite's write-ahead log from another process: every page that is committed, in order, while the server works. A transaction
// that only reads is always open, so that the log never starts over before it was read (SQLite, walformat and wal.html). Reading ends where
// the view of that transaction ends: questions to it are about exactly the state whose pages were read. All of this goes on after the files
// of the database have lost their names.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { isBusy } from '../database/sqlite-errors.ts'
import { namesFile } from '../database/stored.ts'
import {
  type Changed,
  headerIn,
  isNextLog,
  joined,
  type Place,
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
/** From this length on the log is made to start over (64 MB): our own transaction keeps the server from doing that under constant load. */
const LONGEST_BYTES = 64 * 1024 * 1024
/** A commit between two looks makes them differ; the time between them is far shorter than that between two commits. */
const MOST_LOOKS = 1_000

export interface Read {
  changed: Changed | undefined
  /** Stored files that rows came to name: `artifacts/<hash>`, or the key of an object. */
  names: readonly string[]
}

/** Where a reading ended, from which another process may go on. */
export interface Position {
  place: Place | undefined
  /** The last of the names. */
  named: number
}

export class WalTail {
  readonly #path: string
  /** Has the view up to which everything was read. */
  #reader: DatabaseSync
  #next: DatabaseSync
  readonly #shared: number
  readonly #file: number
  #position: Position
  /** What was committed before this process went on. */
  #first: Read | undefined
  /** Whether it goes on from where another process stopped, and no commit between them is missing. */
  readonly isContinued: boolean

  /** From here on, or from an earlier position if the log still has all that followed it, every commit is read. */
  constructor(path: string, from?: Position) {
    this.#path = path
    const [reader, next] = [openReader(path), openReader(path)]
    ;[this.#reader, this.#next] = [reader, next]
    // Both are there once a connection has read, and stay the same files while one is open. Closing them would release its locks (POSIX).
    view(reader)
    try {
      ;[this.#shared, this.#file] = [openSync(`${path}-shm`, 'r'), openSync(`${path}-wal`, 'r')]
    } catch (cause) {
      throw new Error('--continuous needs a write-ahead log, and the file system of the database has none', { cause })
    }
    this.#position = from ?? { place: undefined, named: 0 }
    const shared = this.#viewNext()
    const left = from?.place && this.#leftSince(from.place, shared)
    this.isContinued = left !== undefined
    if (left) this.#first = joinedReads({ ...left, names: [] }, this.#readNext(shared))
    else this.#skip(shared)
  }

  get position(): Position {
    return this.#position
  }

  /** What was committed since the last call. Throws when commits were missed: something else removed the log. */
  read(): Read {
    const read = this.#readNext(this.#viewNext())
    const first = this.#first
    this.#first = undefined
    return first ? joinedReads(first, read) : read
  }

  #readNext(shared: Shared): Read {
    const { place, changed } = this.#readUntil(shared)
    const added = this.#next
      .prepare('select id, name from "namedFile" where id > ? order by id')
      .all(this.#position.named) as { id: number; name: string }[]
    this.#position = { place, named: added.at(-1)?.id ?? this.#position.named }
    this.#takeTurns()
    return { changed, names: [...new Set(added.map(({ name }) => name))] }
  }

  /** Whether a row names a file, in the state that was read. */
  isNamed(name: string): boolean {
    const at = name.indexOf('/')
    const statement = namesFile[name.slice(0, at)]
    return statement !== undefined && this.#reader.prepare(statement).get(name.slice(at + 1)) !== undefined
  }

  get isLong(): boolean {
    return fstatSync(this.#file).size > LONGEST_BYTES
  }

  /** Lets the log start over, while no process writes; at another time if one does. `take` gets what was committed until then. */
  startOver(take: (read: Read) => void): void {
    take(this.read())
    const [locking, copying] = [this.#open(), this.#open()]
    try {
      locking.exec('begin immediate')
      take(this.read())
      this.#reader.exec('commit')
      copying.exec('pragma wal_checkpoint(passive)')
    } catch (error) {
      if (!isBusy(error)) throw error
    } finally {
      if (!this.#reader.isTransaction) view(this.#reader)
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
  #open(): DatabaseSync {
    const db = new DatabaseSync(`${pathToFileURL(this.#path)}?mode=rw`, { timeout: BUSY_TIMEOUT })
    db.exec('pragma synchronous = full')
    return db
  }

  /** What a log that has started over since had after a place; undefined when commits may be missing. */
  #leftSince(place: Place, { frames, salts }: Shared): { changed: Changed | undefined } | undefined {
    const oldest = this.#next.prepare('select min(id) as id from "namedFile"').get()?.['id'] ?? 0
    const header = headerIn(this.#file)
    if (!header || Number(oldest) > this.#position.named + 1) return undefined
    if (isNextLog(place.header, salts)) return readLeft(this.#file, place, frames)
    if (!header.equals(place.header) || !saltsOf(header).equals(salts) || place.frame > frames) return undefined
    const there = placeAfter(this.#file, header, place.frame)
    return there?.sums[0] === place.sums[0] && there.sums[1] === place.sums[1] ? { changed: undefined } : undefined
  }

  /** What is committed by now is in a copy of the database that is made later. */
  #skip({ frames, salts }: Shared): void {
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
  #viewNext(): Shared {
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

  #readUntil({ frames, salts }: Shared): { place: Place | undefined; changed: Changed | undefined } {
    const { place } = this.#position
    const isRead = place && saltsOf(place.header).equals(salts) && place.frame === frames
    if (isRead || frames === 0) return { place, changed: undefined }
    const header = headerIn(this.#file)
    if (!header || !saltsOf(header).equals(salts)) throw new Error('something else removed the log of the database')
    const from = place?.header.equals(header) ? place : placeAfter(this.#file, header, 0)
    if (!from || from.frame > frames) throw new Error('something else removed the log of the database')
    return readFrames(this.#file, from, frames)
  }
}

const joinedReads = (one: Read, other: Read): Read => ({
  changed: joined(one.changed, other.changed),
  names: [...one.names, ...other.names],
})

interface Shared {
  /** How many frames of the log are committed. */
  frames: number
  salts: Buffer
}

const sharedOf = (bytes: Buffer): Shared => ({
  // In the order of bytes of the machine, unlike the log.
  frames: new Uint32Array(new Uint8Array(bytes.subarray(FRAMES_AT, FRAMES_AT + 4)).buffer)[0] ?? 0,
  salts: Buffer.from(bytes.subarray(SALTS_AT, SALTS_AT + 8)),
})

const openReader = (path: string) => new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT })

/** Begins a transaction that has begun to read. */
const view = (db: DatabaseSync) => db.exec('begin; select 1 from sqlite_schema limit 1')
