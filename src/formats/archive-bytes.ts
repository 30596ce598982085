// The bytes of an archive on disk, read in pieces and never beyond its end, regardless of the archive's offsets.
import yauzl from 'yauzl'

/** How much is read from disk, hashed or inflated at a time. */
export const CHUNK_BYTES = 64 * 1024
/** The same where bytes only pass by. */
const PASSING_BYTES = 128 * 1024

/** A file on disk, or bytes in memory. */
export interface ReadableFile {
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  close(): Promise<void>
}

interface Window {
  at: number
  bytes: Buffer
}

/**
 * Random access for yauzl. Two windows cache the last reads, because listing an archive alternates between its central directory and
 * its local headers: without them 2,000 small entries are 8,000 reads.
 */
export class ArchiveBytes extends yauzl.RandomAccessReader {
  readonly size: number
  readonly #file: ReadableFile
  #windows: Window[] = []
  #passing: Buffer | undefined

  constructor(file: ReadableFile, size: number) {
    super()
    this.#file = file
    this.size = size
  }

  /** `length` bytes from `at`; fewer if the archive ends first. */
  async slice(at: number, length: number): Promise<Buffer> {
    const end = Math.min(at + length, this.size)
    if (!(at >= 0 && at < end)) return Buffer.alloc(0)
    const holds = (window: Window) => window.at <= at && end <= window.at + window.bytes.length
    const window = this.#windows.find(holds) ?? (await this.#load(at, end - at))
    return window.bytes.subarray(at - window.at, end - window.at)
  }

  /** The bytes from `at` to `end`, chunk by chunk. */
  async *chunks(at: number, end: number): AsyncGenerator<Buffer> {
    for (let from = at; from < end; ) {
      const chunk = await this.slice(from, Math.min(CHUNK_BYTES, end - from))
      if (chunk.length === 0) return
      from += chunk.length
      yield chunk
    }
  }

  /** The same in large pieces, each of which is valid only until the next read: nothing is allocated for it. */
  async *pieces(at: number, end: number): AsyncGenerator<Buffer> {
    this.#passing ??= Buffer.allocUnsafe(PASSING_BYTES)
    for (let from = at; from < end; ) {
      const length = Math.min(PASSING_BYTES, end - from)
      const { bytesRead } = await this.#file.read(this.#passing, 0, length, from)
      if (bytesRead === 0) return
      from += bytesRead
      yield this.#passing.subarray(0, bytesRead)
    }
  }

  /** Called by yauzl; a read past the end returns fewer bytes, which it treats as the end of the file. */
  // biome-ignore lint/complexity/useMaxParams: the signature is yauzl's
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.slice(position, length).then(
      (bytes) => callback(null, bytes.copy(buffer, offset)),
      (error) => callback(error),
    )
  }

  async #load(at: number, length: number): Promise<Window> {
    const buffer = Buffer.allocUnsafe(Math.max(length, Math.min(CHUNK_BYTES, this.size - at)))
    const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, at)
    const window = { at, bytes: buffer.subarray(0, bytesRead) }
    this.#windows = [window, ...this.#windows.slice(0, 1)]
    return window
  }
}
