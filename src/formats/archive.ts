// A zip archive on disk from an untrusted source (formats.md section 2): first all headers are checked, then each entry is inflated
// as a stream that stops at its declared size. Of 162 hostile archives of test/corpus yauzl alone reads 127 completely (`npm run
// bench -- own-code`); the checks here and of the archive-*.ts files refuse all of them.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { setImmediate as pause } from 'node:timers/promises'
import yauzl from 'yauzl'
import { MAX_ARCHIVE_BYTES } from '../contract/sizes.ts'
import { ArchiveBytes, type ReadableFile } from './archive-bytes.ts'
import { readBeginning, readData, type Sink } from './archive-data.ts'
import { type ArchiveEntry, type ArchiveFile, checkEntry, plainNameOf } from './archive-entry.ts'
import { locate } from './archive-header.ts'
import { ArchiveNames } from './archive-names.ts'
import { FormatError, quote } from './format-error.ts'

// The end of an archive, which locates the central directory. yauzl reads it; the checks here make sure that there is nothing else,
// so that another program cannot find different entries in the same bytes.

const LOCAL_HEADER_SIGNATURE = 0x04034b50
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50
const END_BYTES = 22
const ZIP64_LOCATOR_BYTES = 20
const ZIP64_END_BYTES = 56

/**
 * Looks at an archive that was opened and not yet read.
 *
 * @returns where the central directory starts, and a check to be made once all its entries are read
 * @throws FormatError when the announcements of the directory contradict each other
 */
async function directoryEnd(zip: yauzl.ZipFile, bytes: ArchiveBytes) {
  const startsAt = cursorOf(zip)
  const endAt = bytes.size - END_BYTES - zip.comment.length
  const end = await bytes.slice(endAt, END_BYTES)
  const zip64At = await zip64EndAt(bytes, endAt)
  const endsAt = zip64At ?? endAt
  const size = endsAt - startsAt
  // A field of the end record has the actual value, or all ones to refer to zip64.
  const announces = (field: number, truth: number, leftToZip64: number) =>
    field === truth || (zip64At !== undefined && field === leftToZip64)
  const agrees =
    announces(end.readUInt16LE(8), zip.entryCount, 0xffff) &&
    announces(end.readUInt16LE(10), zip.entryCount, 0xffff) &&
    announces(end.readUInt32LE(12), size, 0xffffffff) &&
    announces(end.readUInt32LE(16), startsAt, 0xffffffff)
  if (!agrees) throw new FormatError('expected a central directory where and as large as the archive announces it')
  const first = await bytes.slice(0, 4)
  if (zip.entryCount > 0 && first.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE) {
    throw new FormatError('expected a zip archive from its first byte on')
  }
  return {
    startsAt,
    assertReached(read: yauzl.ZipFile): void {
      if (cursorOf(read) !== endsAt)
        throw new FormatError('expected nothing behind the entries of the central directory')
    },
  }
}

/** Where the zip64 end record starts, if there is one; it has to touch its locator, which touches the end record. */
async function zip64EndAt(bytes: ArchiveBytes, endAt: number): Promise<number | undefined> {
  const locatorAt = endAt - ZIP64_LOCATOR_BYTES
  const locator = await bytes.slice(locatorAt, ZIP64_LOCATOR_BYTES)
  if (locator.length < ZIP64_LOCATOR_BYTES || locator.readUInt32LE(0) !== ZIP64_LOCATOR_SIGNATURE) return undefined
  const at = Number(locator.readBigUInt64LE(8))
  const record = await bytes.slice(at, ZIP64_END_BYTES)
  if (record.length < ZIP64_END_BYTES || at + 12 + Number(record.readBigUInt64LE(4)) !== locatorAt) {
    throw new FormatError('expected a zip64 end record right before its locator')
  }
  return at
}

/** A number, which its types call a boolean. */
const cursorOf = (zip: yauzl.ZipFile): number => Number(zip.readEntryCursor)

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
