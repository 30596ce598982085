// A plain tar archive (POSIX ustar) as a stream: files with short names, and nothing else. Any tar program reads what is written here; what
// is read may be hostile, so that memory is bounded by a block: an extended header, which tar-stream would hold however long it is, is refused.
import { ArchiveError } from './sealing.ts'

const BLOCK = 512
const MOST_NAME = 100
const MOST_SIZE = 8 ** 11 - 1
/** Where a header has what. */
const [MODE, SIZE, TIME, SUM, TYPE, MAGIC] = [100, 124, 136, 148, 156, 257]

export interface TarFile {
  name: string
  size: number
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

function headerOf({ name, size }: Pick<TarFile, 'name' | 'size'>): Buffer {
  if (Buffer.byteLength(name) > MOST_NAME || size > MOST_SIZE) throw new Error(`tar cannot hold ${name}`)
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0)
  header.write('0000600\x000000000\x000000000\x00', MODE)
  header.write(size.toString(8).padStart(11, '0'), SIZE)
  header.write('00000000000', TIME)
  header.write('0', TYPE)
  header.write('ustar\x0000', MAGIC)
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\x00 `, SUM)
  return header
}

/** The sum of all bytes, those of the sum itself as blanks. */
function sumOf(header: Buffer): number {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= SUM && at < SUM + 8 ? 32 : byte
  return sum
}

const paddingOf = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK

/** The bytes of an archive with these files. Throws when one has another size than it says. */
export async function* tarOf(files: AsyncIterable<TarFile>): AsyncGenerator<Uint8Array> {
  for await (const { name, size, bytes } of files) {
    yield headerOf({ name, size })
    let written = 0
    for await (const chunk of bytes) {
      written += chunk.length
      yield chunk
    }
    if (written !== size) throw new Error(`${name} has ${written} bytes, and should have ${size}`)
    if (paddingOf(size) > 0) yield Buffer.alloc(paddingOf(size))
  }
  yield Buffer.alloc(2 * BLOCK)
}

/** The files of an archive in order. What is not read of one is skipped; the end of the bytes is read, too. */
export async function* filesIn(archive: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const reader = new Reader(archive)
  try {
    for (;;) {
      const header = await reader.exactly(BLOCK)
      if (header.every((byte) => byte === 0)) return await reader.drain()
      const { name, size } = readHeader(header)
      const left = { bytes: size }
      yield { name, size, bytes: reader.some(left) }
      for await (const _ of reader.some(left));
      await reader.exactly(paddingOf(size))
    }
  } finally {
    await reader.close()
  }
}

function readHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, length: number) =>
    header
      .toString('latin1', from, from + length)
      .split('\x00')[0]
      ?.trim() ?? ''
  const isPlain =
    text(MAGIC, 6) === 'ustar' && text(TYPE, 1) === '0' && Number.parseInt(text(SUM, 8), 8) === sumOf(header)
  const size = text(SIZE, 12)
  if (!isPlain || !/^[0-7]{1,11}$/.test(size) || header[345] !== 0)
    throw new ArchiveError('the archive has something that is no plain file')
  return { name: text(0, MOST_NAME), size: Number.parseInt(size, 8) }
}

const cut = () => new ArchiveError('the archive ends in the middle')

class Reader {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Uint8Array = Buffer.alloc(0)

  constructor(archive: AsyncIterable<Uint8Array>) {
    this.#chunks = archive[Symbol.asyncIterator]()
  }

  /** False at the end. */
  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next()
      if (next.done) return false
      this.#rest = next.value
    }
    return true
  }

  /** A few bytes. */
  async exactly(length: number): Promise<Buffer> {
    const parts: Uint8Array[] = []
    for await (const part of this.some({ bytes: length })) parts.push(part)
    return Buffer.concat(parts)
  }

  /** As many bytes as are left, as they come; `left` is what has not come yet. */
  async *some(left: { bytes: number }): AsyncGenerator<Uint8Array> {
    while (left.bytes > 0) {
      if (!(await this.#fill())) throw cut()
      const part = this.#rest.subarray(0, left.bytes)
      this.#rest = this.#rest.subarray(part.length)
      left.bytes -= part.length
      yield part
    }
  }

  /** Reads to the end, by which the seal is checked: there are only zeros. */
  async drain(): Promise<void> {
    while (await this.#fill()) {
      if (this.#rest.some((byte) => byte !== 0)) throw new ArchiveError('the archive goes on after its end')
      this.#rest = Buffer.alloc(0)
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}
