// The data of an entry, inflated and verified. Reading stops at the declared size, so memory and work are limited by the bounds on
// those sizes.
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { detailsOf } from '../runtime/untyped.ts'
import { type ArchiveBytes, CHUNK_BYTES } from './archive-bytes.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import { FormatError, quote } from './format-error.ts'

/** Receives a file's content chunk by chunk. A chunk is valid only during the call: copy what must last. */
export type Sink = (chunk: Buffer) => void

const BROKEN_DATA = /^(Z_|ERR_TRAILING_JUNK|ERR_STREAM_PREMATURE_CLOSE|ABORT_ERR)/

/** @throws FormatError when the data is damaged, or differs from the headers */
export async function readData(bytes: ArchiveBytes, entry: ArchiveEntry, sink: Sink): Promise<void> {
  let size = 0
  let checksum = 0
  const take = (chunk: Buffer) => {
    size += chunk.length
    if (size > entry.size) throw tooLong(entry)
    checksum = crc32(chunk, checksum)
    sink(chunk)
  }
  if (!entry.isDeflated) {
    for await (const chunk of bytes.pieces(entry.dataAt, entry.dataAt + entry.compressedSize)) take(chunk)
  } else if (entry.size <= CHUNK_BYTES && entry.compressedSize <= CHUNK_BYTES) {
    take(inflateAtOnce(await bytes.slice(entry.dataAt, entry.compressedSize), entry))
  } else {
    await inflateStream(bytes, entry, take)
  }
  if (size !== entry.size)
    throw new FormatError(`expected ${entry.size} bytes when inflated, found ${size}`, entry.path)
  if (checksum !== entry.crc32) throw new FormatError('expected content that matches its CRC-32', entry.path)
}

/** Thrown through an inflater that is to stop. */
const ENOUGH = new Error('Enough was read')

/** Gives the content to `sink` until it wants no more; unverified, but for what the inflater refuses. */
export async function readBeginning(
  bytes: ArchiveBytes,
  entry: ArchiveEntry,
  sink: (chunk: Buffer) => boolean,
): Promise<void> {
  const take = (chunk: Buffer) => {
    if (!sink(chunk)) throw ENOUGH
  }
  try {
    if (!entry.isDeflated) {
      for await (const chunk of bytes.chunks(entry.dataAt, entry.dataAt + entry.compressedSize)) take(chunk)
    } else if (entry.size <= CHUNK_BYTES && entry.compressedSize <= CHUNK_BYTES) {
      take(inflateAtOnce(await bytes.slice(entry.dataAt, entry.compressedSize), entry))
    } else {
      await inflateStream(bytes, entry, take)
    }
  } catch (error) {
    if (error !== ENOUGH) throw error
  }
}

/** A small entry is not worth the stream and the thread: 2,000 of them would take two seconds instead of a tenth. */
function inflateAtOnce(packed: Buffer, entry: ArchiveEntry): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: entry.size + 1, rejectGarbageAfterEnd: true })
  } catch (error) {
    throw detailsOf(error).code === 'ERR_BUFFER_TOO_LARGE' ? tooLong(entry) : damage(error, entry)
  }
}

async function inflateStream(bytes: ArchiveBytes, entry: ArchiveEntry, take: Sink): Promise<void> {
  const inflater = createInflateRaw({ chunkSize: CHUNK_BYTES, rejectGarbageAfterEnd: true })
  const data = bytes.chunks(entry.dataAt, entry.dataAt + entry.compressedSize)
  const drain = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) take(chunk)
  }
  try {
    await pipeline(data, inflater, drain)
  } catch (error) {
    throw damage(error, entry)
  }
}

function tooLong(entry: ArchiveEntry): FormatError {
  return new FormatError(`expected ${entry.size} bytes when inflated, found more`, entry.path)
}

/** The inflater's errors about the data become refusals; disk errors and bugs are passed on. */
function damage(error: unknown, entry: ArchiveEntry): unknown {
  const { code, message = '' } = detailsOf(error)
  if (error instanceof FormatError || !BROKEN_DATA.test(String(code))) return error
  return new FormatError(`expected deflated data: ${quote(message)}`, entry.path)
}
