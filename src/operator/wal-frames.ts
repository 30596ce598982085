// The frames of SQLite's write-ahead log (walformat, 4): each has a page, and a checksum that continues that of the frame before it.
import { fstatSync, readSync } from 'node:fs'
import { KEPT_BYTES } from '@guildhall/durable-sqlite/following'
import { z } from 'zod'

export const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const SALTS = { at: 16, bytes: 8 }

/** The pages that changed, as they are after the newest commit that was read, and the length of the database then. */
export interface PageChanges {
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

interface Frame {
  page: number
  bytes: Buffer
  /** The length of the database in pages after it, where it ends a commit; otherwise 0. */
  pages: number
  sums: Sums
}

/** The frames from a place on, as long as each continues the one before it. */
function* framesFrom(file: number, { header, frame: first, sums: start }: Place): Generator<Frame> {
  const pageBytes = header.readUInt32BE(8)
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + pageBytes)
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1
  let sums = start
  for (let number = first; ; number++) {
    const length = readSync(file, frame, 0, frame.length, HEADER_BYTES + number * frame.length)
    if (length < frame.length || !frame.subarray(8, 16).equals(saltsOf(header))) return
    sums = sumOf(frame.subarray(FRAME_HEADER_BYTES), sumOf(frame.subarray(0, 8), sums, isBigEndian), isBigEndian)
    const [one, other] = sumsAt(frame, 16)
    if (one !== sums[0] || other !== sums[1]) return
    const bytes = Buffer.from(frame.subarray(FRAME_HEADER_BYTES))
    yield { page: frame.readUInt32BE(0), bytes, pages: frame.readUInt32BE(4), sums }
  }
}

/** Reads frames from a place up to a number of frames, which a commit ends, or to the first commit after `most`. Throws when they are not there. */
export function readFrames(
  file: number,
  from: Place,
  { until, most }: { until: number; most: number },
): { place: Place; changed: PageChanges | undefined } {
  const { header } = from
  const changed = new Map<number, Buffer>()
  let [sums, pages, number] = [from.sums, 0, from.frame]
  const frames = framesFrom(file, from)
  while (number < until) {
    const { value: frame, done } = frames.next()
    if (done) throw new Error('the log of the database is damaged')
    changed.set(frame.page, frame.bytes)
    pages = frame.pages || pages
    sums = frame.sums
    number++
    if (frame.pages > 0 && number - from.frame >= most) break
  }
  const pageBytes = header.readUInt32BE(8)
  return {
    place: { header, frame: number, sums },
    changed: changed.size > 0 ? { pageBytes, pages, changed } : undefined,
  }
}

/**
 * Reads what was committed after a place to a log that has started over since: its frames stay in the file until those of the log after it
 * take their place. Undefined when that cannot be told of all of them: `frames` is how many the log after it has.
 */
export function readLeft(file: number, from: Place, frames: number): { changed: PageChanges | undefined } | undefined {
  if (frames >= from.frame) return undefined
  let [open, changed] = [new Map<number, Buffer>(), new Map<number, Buffer>()]
  let [pages, number] = [0, from.frame]
  for (const frame of framesFrom(file, from)) {
    open.set(frame.page, frame.bytes)
    number++
    if (frame.pages === 0) continue
    pages = frame.pages
    changed = new Map([...changed, ...open])
    open = new Map()
  }
  const pageBytes = from.header.readUInt32BE(8)
  const end = HEADER_BYTES + (number + 1) * (FRAME_HEADER_BYTES + pageBytes)
  const { size } = fstatSync(file)
  if (size >= KEPT_BYTES && size < end) return undefined
  // Frames are written in order: while the one before them is there, so are they.
  const before = placeAfter(file, from.header, from.frame)
  if (before?.sums[0] !== from.sums[0] || before.sums[1] !== from.sums[1]) return undefined
  return { changed: changed.size > 0 ? { pageBytes, pages, changed } : undefined }
}

/** Whether a log with these salts is the one that came right after another: the first salt is counted (walformat, 4.5). */
export const isNextLog = (before: Buffer, salts: Buffer): boolean =>
  salts.readUInt32BE(0) === (saltsOf(before).readUInt32BE(0) + 1) >>> 0

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
export function joined(one: PageChanges | undefined, other: PageChanges | undefined): PageChanges | undefined {
  if (!one || !other) return one ?? other
  return { ...other, changed: new Map([...one.changed, ...other.changed]) }
}

/** Where a reading ended, from which another process may go on. */
export interface Position {
  place: Place | undefined
  /** The last of the names. */
  named: number
}

/** A position as text: the header in hex. */
export const PositionOf = z.object({
  header: z.string(),
  frame: z.int(),
  sums: z.tuple([z.number(), z.number()]),
  named: z.int(),
})

type PlainPosition = z.infer<typeof PositionOf>

/** Undefined before there was a log. */
export const plainPosition = ({ place, named }: Position): PlainPosition | undefined =>
  place && { header: place.header.toString('hex'), frame: place.frame, sums: [...place.sums], named }

export const positionIn = ({ header, frame, sums, named }: PlainPosition): Position => ({
  place: { header: Buffer.from(header, 'hex'), frame, sums },
  named,
})
