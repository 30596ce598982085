// A zip archive on disk from an untrusted source (formats.md section 2): first all headers are checked, then each entry is inflated
// as a stream that stops at its declared size. Of 162 hostile archives of test/corpus yauzl alone reads 127 completely (`npm run
// bench -- own-code`); the checks of the archive-*.ts files refuse all of them.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { setImmediate as pause } from 'node:timers/promises'
import yauzl from 'yauzl'
import { MAX_ARCHIVE_BYTES } from '../contract/sizes.ts'
import { ArchiveBytes, type ReadableFile } from './archive-bytes.ts'
import { readBeginning, readData, type Sink } from './archive-data.ts'
import { directoryEnd } from './archive-directory.ts'
import { type ArchiveEntry, type ArchiveFile, checkEntry, plainNameOf } from './archive-entry.ts'
import { locate } from './archive-header.ts'
import { ArchiveNames } from './archive-names.ts'
import { FormatError, quote } from './format-error.ts'

const MAX_ENTRIES = 2_000
/** Most bytes all entries together may have when they are inflated. */
const MAX_INFLATED_BYTES = 50 * 1024 * 1024

/** Small entries are read out of one window on the disk, without ever waiting; so others get their turn here. */
const ENTRIES_BETWEEN_PAUSES = 32

/** An open archive with valid headers. Close it with `await using`. */
export class Archive implements ArchiveFile {
  /** Every entry, folders too, in the order of the central directory. */
  entries: ArchiveEntry[]
  readonly #file: ReadableFile
  readonly #bytes: ArchiveBytes

  private constructor(file: ReadableFile, bytes: ArchiveBytes, entries: ArchiveEntry[]) {
    this.#file = file
    this.#bytes = bytes
    this.entries = entries
  }

  /** @throws FormatError for everything that formats.md section 2 refuses and a header shows */
  static async open(path: string): Promise<Archive> {
    const file = openSync(path, 'r')
    try {
      return await Archive.#read(onDisk(file), fstatSync(file).size)
    } catch (error) {
      closeSync(file)
      throw error
    }
  }

  /** The same for an archive in memory. */
  static of(bytes: Buffer): Promise<Archive> {
    // biome-ignore lint/complexity/useMaxParams: the signature is that of a FileHandle
    const read: ReadableFile['read'] = async (buffer, offset, length, position) => ({
      bytesRead: bytes.copy(buffer, offset, position, position + length),
    })
    return Archive.#read({ read, close: async () => {} }, bytes.length)
  }

  static async #read(file: ReadableFile, size: number): Promise<Archive> {
    if (size > MAX_ARCHIVE_BYTES) throw new FormatError('expected at most 20 MiB')
    const bytes = new ArchiveBytes(file, size)
    return new Archive(file, bytes, await readEntries(bytes).catch(refuseDamage))
  }

  /**
   * Inflates every entry in turn and verifies it.
   *
   * @param sinkOf returns the receiver of an entry's content
   * @throws FormatError when the data is damaged, or differs from the headers
   */
  async inflate(sinkOf: (entry: ArchiveEntry) => Sink): Promise<void> {
    for (const [index, entry] of this.entries.entries()) {
      await readData(this.#bytes, entry, sinkOf(entry))
      if (index % ENTRIES_BETWEEN_PAUSES === 0) await pause()
    }
  }

  /**
   * Inflates one entry and verifies it.
   *
   * @throws FormatError when the data is damaged, or differs from the headers
   */
  read(entry: ArchiveEntry, sink: Sink): Promise<void> {
    return readData(this.#bytes, entry, sink)
  }

  /**
   * The first bytes of an entry that was verified before, until `sink` has enough: what follows is not read.
   *
   * @param sink gives whether it takes more
   * @throws FormatError when the data is damaged
   */
  readBeginning(entry: ArchiveEntry, sink: (chunk: Buffer) => boolean): Promise<void> {
    return readBeginning(this.#bytes, entry, sink)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }
}

/** Archives are read in threads of their own, where a read that waits costs less than handing it to yet another thread. */
const onDisk = (file: number): ReadableFile => ({
  // biome-ignore lint/complexity/useMaxParams: the signature is that of a FileHandle
  read: async (buffer, offset, length, position) => ({ bytesRead: readSync(file, buffer, offset, length, position) }),
  close: async () => closeSync(file),
})

async function readEntries(bytes: ArchiveBytes): Promise<ArchiveEntry[]> {
  const options = { autoClose: false, decodeStrings: false }
  const zip = await yauzl.fromRandomAccessReaderPromise(bytes, bytes.size, options)
  if (zip.entryCount > MAX_ENTRIES) throw new FormatError('expected at most 2,000 entries')
  const directory = await directoryEnd(zip, bytes)
  const entries: ArchiveEntry[] = []
  const names = new ArchiveNames()
  const plainNames = new ArchiveNames()
  let inflatedBytes = 0
  for await (const entry of zip.eachEntry()) {
    const path = checkEntry(entry)
    names.add(path)
    plainNames.add(plainNameOf(entry))
    inflatedBytes += entry.uncompressedSize
    if (inflatedBytes > MAX_INFLATED_BYTES) throw new FormatError('expected at most 50 MiB when everything is inflated')
    entries.push(await locate({ zip, bytes }, entry, path))
    if (entries.length % ENTRIES_BETWEEN_PAUSES === 0) await pause()
  }
  directory.assertReached(zip)
  assertApart(entries, directory.startsAt)
  return entries
}

/** No two entries share a byte, and none reaches into the central directory: that is how small bombs get large. */
function assertApart(entries: ArchiveEntry[], directoryAt: number): void {
  let free = 0
  for (const entry of entries.toSorted((one, other) => one.startsAt - other.startsAt)) {
    if (entry.startsAt < free) throw new FormatError('expected entries that do not overlap', entry.path)
    free = entry.endsAt
  }
  if (free > directoryAt) throw new FormatError('expected entries that do not overlap the central directory')
}

/** yauzl's errors about the bytes become refusals; disk errors and bugs are passed on. */
function refuseDamage(error: unknown): never {
  if (!(error instanceof Error) || error.constructor !== Error || 'syscall' in error) throw error
  throw new FormatError(`expected a readable zip archive: ${quote(error.message)}`)
}
