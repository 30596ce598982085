// The end of an archive, which locates the central directory. yauzl reads it; the checks here make sure that there is nothing else,
// so that another program cannot find different entries in the same bytes.
import type yauzl from 'yauzl'
import type { ArchiveBytes } from './archive-bytes.ts'
import { FormatError } from './format-error.ts'

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
export async function directoryEnd(zip: yauzl.ZipFile, bytes: ArchiveBytes) {
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
