// Follows SQLite's write-ahead log from another process: every page that is committed, in order, while the server works. A transaction
// that only reads is always open, so that the log never starts over before it was read (SQLite, walformat and wal.html).
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const BUSY_TIMEOUT = 10_000
/** From this length on the log is made to start over (64 MB): our own transaction keeps the server from doing that under constant load. */
const LONGEST_BYTES = 64 * 1024 * 1024

/** The pages that changed, as they are after the newest commit that was read, and the length of the database then. */
export interface Changed {
  pageBytes: number
  /** The length of the database in pages. */
  pages: number
  /** By number, from 1. */
  changed: ReadonlyMap<number, Buffer>
}

/** Where the next frame is. */
interface Place {
  /** The header of the log: it changes each time that the log starts over. */
  header: Buffer
  frame: number
  /** The checksum up to here: each frame continues that of the one before. */
  sums: Sums
}

type Sums = readonly [number, number]

export class WalTail {
  readonly #path: string
  #file: number | undefined
  #reader: DatabaseSync
  #place: Place | undefined

  /** From here on every commit is read. */
  constructor(path: string) {
    this.#path = path
    this.#reader = openReader(path)
    this.#take()
  }

  /** What was committed since the last call. Throws when commits were missed: something else removed the log. */
  read(): Changed | undefined {
    // It begins before the one ends that kept what is read now.
    const next = openReader(this.#path)
    try {
      return this.#take()
    } finally {
      this.#reader.close()
      this.#reader = next
    }
  }

  /** What is left once the database has no name any more: its files exist until they are closed. */
  rest(): Changed | undefined {
    return this.#take()
  }

  get isLong(): boolean {
    return this.#file !== undefined && fstatSync(this.#file).size > LONGEST_BYTES
  }

  /** Lets the log start over, while no process writes. Returns what was committed until then. */
  startOver(): Changed | undefined {
    const [locking, copying] = [this.#open(), this.#open()]
    try {
      locking.exec('begin immediate')
      const changed = this.#take()
      this.#reader.close()
      copying.exec('pragma wal_checkpoint(passive)')
      this.#reader = openReader(this.#path)
      return changed
    } finally {
      if (locking.isTransaction) locking.exec('rollback')
      locking.close()
      copying.close()
    }
  }

  close(): void {
    this.#reader.close()
    if (this.#file !== undefined) closeSync(this.#file)
  }

  #open(): DatabaseSync {
    const db = new DatabaseSync(this.#path, { timeout: BUSY_TIMEOUT })
    db.exec('pragma synchronous = full')
    return db
  }

  #take(): Changed | undefined {
    // The file stays the same while a connection is open, and can be read after its name is gone.
    try {
      this.#file ??= openSync(`${this.#path}-wal`, 'r')
    } catch {
      return undefined
    }
    const header = Buffer.alloc(HEADER_BYTES)
    if (readSync(this.#file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined
    const isSame = this.#place?.header.equals(header)
    const from = (isSame ? this.#place : undefined) ?? { header, frame: 0, sums: sumsAt(header, 24) }
    const { place, changed } = readCommitted(this.#file, from)
    this.#place = place
    return changed
  }
}

/** A connection in a transaction that has begun to read. */
function openReader(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT })
  db.exec('begin; select 1 from sqlite_schema limit 1')
  return db
}

const sumsAt = (bytes: Buffer, at: number): Sums => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]

/** Reads frames up to the last one that completes a commit. A frame that is being written has no right checksum yet. */
function readCommitted(file: number, from: Place): { place: Place; changed: Changed | undefined } {
  const { header } = from
  const pageBytes = header.readUInt32BE(8)
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + pageBytes)
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1
  const changed = new Map<number, Buffer>()
  let open = new Map<number, Buffer>()
  let [place, sums, pages] = [from, from.sums, 0]
  for (let number = from.frame; ; number++) {
    const length = readSync(file, frame, 0, frame.length, HEADER_BYTES + number * frame.length)
    // Frames of an earlier log have other salts.
    if (length < frame.length || !frame.subarray(8, 16).equals(header.subarray(16, 24))) break
    sums = sumOf(frame.subarray(FRAME_HEADER_BYTES), sumOf(frame.subarray(0, 8), sums, isBigEndian), isBigEndian)
    const [first, second] = sumsAt(frame, 16)
    if (first !== sums[0] || second !== sums[1]) break
    open.set(frame.readUInt32BE(0), Buffer.from(frame.subarray(FRAME_HEADER_BYTES)))
    const lengthAfter = frame.readUInt32BE(4)
    if (lengthAfter === 0) continue
    pages = lengthAfter
    for (const [page, bytes] of open) changed.set(page, bytes)
    open = new Map()
    place = { header, frame: number + 1, sums }
  }
  return { place, changed: changed.size > 0 ? { pageBytes, pages, changed } : undefined }
}

/** SQLite's checksum of a log (walformat, 4): sums of pairs of 32-bit words, each added to the other's. */
function sumOf(bytes: Buffer, [first, second]: Sums, isBigEndian: boolean): Sums {
  for (let at = 0; at < bytes.length; at += 8) {
    const [one, other] = isBigEndian
      ? [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]
      : [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)]
    first = (first + one + second) >>> 0
    second = (second + other + first) >>> 0
  }
  return [first, second]
}
