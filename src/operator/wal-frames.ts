// The frames of SQLite's write-ahead log (walformat, 4): each has a page, and a checksum that continues that of the frame before it.
import { readSync } from 'node:fs'

export const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const SALTS = { at: 16, bytes: 8 }

/** The pages that changed, as they are after the newest commit that was read, and the length of the database then. */
export interface Changed {
  pageBytes: number
  /** The length of the database in pages. */
  pages: number
  /** By number, from 1. */
  changed: ReadonlyMap<number, Buffer>
}

/** Where the next frame is. */
export interface Place {
  /** The header of the log: it changes each time that the log starts over. */
  header: Buffer
  frame: number
  /** The checksum up to here. */
  sums: Sums
}

export type Sums = readonly [number, number]

const sumsAt = (bytes: Buffer, at: number): Sums => [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)]

/** The random numbers that tell one log from the log before it. */
export const saltsOf = (header: Buffer): Buffer => header.subarray(SALTS.at, SALTS.at + SALTS.bytes)

/** The header of a log; undefined while there is none. */
export function headerIn(file: number): Buffer | undefined {
  const header = Buffer.alloc(HEADER_BYTES)
  return readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES ? undefined : header
}

/** The place after so many frames; undefined when the log does not have them. */
export function placeAfter(file: number, header: Buffer, frame: number): Place | undefined {
  if (frame === 0) return { header, frame, sums: sumsAt(header, 24) }
  const bytes = Buffer.alloc(FRAME_HEADER_BYTES)
  const at = HEADER_BYTES + (frame - 1) * (FRAME_HEADER_BYTES + header.readUInt32BE(8))
  if (readSync(file, bytes, 0, bytes.length, at) < bytes.length) return undefined
  return bytes.subarray(8, 16).equals(saltsOf(header)) ? { header, frame, sums: sumsAt(bytes, 16) } : undefined
}

/** Reads frames from a place up to a number of frames, which a commit ends. Throws when they are not there. */
export function readFrames(file: number, from: Place, until: number): { place: Place; changed: Changed | undefined } {
  const { header } = from
  const pageBytes = header.readUInt32BE(8)
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + pageBytes)
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1
  const changed = new Map<number, Buffer>()
  let [sums, pages] = [from.sums, 0]
  for (let number = from.frame; number < until; number++) {
    const length = readSync(file, frame, 0, frame.length, HEADER_BYTES + number * frame.length)
    sums = sumOf(frame.subarray(FRAME_HEADER_BYTES), sumOf(frame.subarray(0, 8), sums, isBigEndian), isBigEndian)
    const [first, second] = sumsAt(frame, 16)
    const isRight = length === frame.length && frame.subarray(8, 16).equals(saltsOf(header))
    if (!isRight || first !== sums[0] || second !== sums[1]) throw new Error('the log of the database is damaged')
    changed.set(frame.readUInt32BE(0), Buffer.from(frame.subarray(FRAME_HEADER_BYTES)))
    pages = frame.readUInt32BE(4) || pages
  }
  const place = { header, frame: Math.max(until, from.frame), sums }
  return { place, changed: changed.size > 0 ? { pageBytes, pages, changed } : undefined }
}

/** SQLite's checksum of a log: sums of pairs of 32-bit words, each added to the other's. */
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

/** Both in the order of their commits, as one. */
export function joined(one: Changed | undefined, other: Changed | undefined): Changed | undefined {
  if (!one || !other) return one ?? other
  return { ...other, changed: new Map([...one.changed, ...other.changed]) }
}
