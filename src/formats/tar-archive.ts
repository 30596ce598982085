// A tar archive within gzip (.tar.gz) from an untrusted source, under the rules of zip archives (formats.md, section 2): it is inflated once,
// never beyond its bounds, and what is no plain file or folder is refused. tar-stream reads the headers.
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { extract, type Header } from 'tar-stream'
import { MAX_ARCHIVE_BYTES } from '../contract/sizes.ts'
import type { ArchiveEntry, ArchiveFile } from './archive-entry.ts'
import { ArchiveNames, checkName } from './archive-names.ts'
import { FormatError, quote } from './format-error.ts'
import { TarRecords } from './tar-records.ts'

const MAX_ENTRIES = 2_000
const MAX_ENTRY_BYTES = 10 * 1024 * 1024
const MAX_INFLATED_BYTES = 50 * 1024 * 1024
/** With the headers of all entries, and of their long names. */
const MAX_TAR_BYTES = MAX_INFLATED_BYTES + MAX_ENTRIES * 4096
/** From here on the archive may not be more than 200 times as large as its compressed data. */
const RATIO_FROM_BYTES = 1024 * 1024
const MAX_RATIO = 200

export class TarArchive implements ArchiveFile {
  entries: ArchiveEntry[]
  /** By the path that was in the archive. */
  readonly #contents: ReadonlyMap<ArchiveEntry, Buffer>

  private constructor(contents: ReadonlyMap<ArchiveEntry, Buffer>) {
    this.#contents = contents
    this.entries = [...contents.keys()]
  }

  /** @throws FormatError for everything that the rules refuse */
  static async open(path: string): Promise<TarArchive> {
    const packed = await readFile(path)
    if (packed.length > MAX_ARCHIVE_BYTES) throw new FormatError('expected at most 20 MiB')
    return new TarArchive(await contentsOf(await inflated(packed)))
  }

  async inflate(sinkOf: (entry: ArchiveEntry) => (chunk: Buffer) => void): Promise<void> {
    for (const entry of this.entries) {
      const sink = sinkOf(entry)
      if (entry.size > 0) sink(this.#contentOf(entry))
    }
  }

  async read(entry: ArchiveEntry, sink: (chunk: Buffer) => void): Promise<void> {
    if (entry.size > 0) sink(this.#contentOf(entry))
  }

  async readBeginning(entry: ArchiveEntry, sink: (chunk: Buffer) => boolean): Promise<void> {
    if (entry.size > 0) sink(this.#contentOf(entry))
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #contentOf(entry: ArchiveEntry): Buffer {
    return this.#contents.get(entry) ?? Buffer.alloc(0)
  }
}

const tooLarge = () => new FormatError('expected at most 50 MiB when everything is inflated')

async function inflated(packed: Buffer): Promise<Buffer> {
  const most = packed.length * MAX_RATIO
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of Readable.from([packed]).pipe(
      createGunzip({ rejectGarbageAfterEnd: true }),
    ) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_TAR_BYTES) throw tooLarge()
      if (size > RATIO_FROM_BYTES && size > most)
        throw new FormatError('expected an archive that inflates to at most 200 times its size')
      chunks.push(chunk)
    }
  } catch (error) {
    throw asRefusal(error)
  }
  return Buffer.concat(chunks)
}

async function contentsOf(tar: Buffer): Promise<Map<ArchiveEntry, Buffer>> {
  const contents = new Map<ArchiveEntry, Buffer>()
  const names = new ArchiveNames()
  const records = new TarRecords(tar)
  let size = 0
  try {
    for await (const entry of Readable.from(piecesOf(tar)).pipe(extract())) {
      const chunks: Buffer[] = []
      const header = checked(entry.header)
      records.check(entry.header, entry.offset)
      if (header) {
        names.add(header.path)
        size += header.size
        if (size > MAX_INFLATED_BYTES) throw tooLarge()
      }
      for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk)
      if (header) contents.set(header, Buffer.concat(chunks))
      if (contents.size > MAX_ENTRIES) throw new FormatError('expected at most 2,000 entries')
    }
  } catch (error) {
    throw asRefusal(error)
  }
  return contents
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024)
}

/** An entry that passed; undefined for the folder that everything is in (`./`). */
function checked({ name, type, size = 0 }: Header): ArchiveEntry | undefined {
  const isFolder = type === 'directory'
  if (!isFolder && type !== 'file')
    throw new FormatError('expected a plain file or folder, not a link or a device', name)
  const path = name.replace(/^(?:\.\/)+/, '').replace(/\/*$/, isFolder ? '/' : '')
  if (isFolder && size > 0) throw new FormatError('expected a folder without content', name)
  if (isFolder && (path === '/' || path === './')) return undefined
  checkName(path)
  if (path.includes('\ufffd')) throw new FormatError('expected a name in UTF-8', path)
  if (size > MAX_ENTRY_BYTES) throw new FormatError('expected at most 10 MiB when it is inflated', path)
  const places = { isDeflated: false, compressedSize: size, crc32: 0, dataAt: 0, startsAt: 0, endsAt: 0 }
  return { path, isFolder, size: isFolder ? 0 : size, ...places }
}

/** What zlib and tar-stream say of the bytes. */
function asRefusal(error: unknown): unknown {
  if (error instanceof FormatError || !(error instanceof Error) || 'syscall' in error) return error
  return new FormatError(`expected a readable .tar.gz archive: ${quote(error.message)}`)
}
