// The local header before an entry's data and the data descriptor after it: programs that read an archive as a stream use them, so
// they must agree with the central directory.
import yauzl from 'yauzl'
import type { ArchiveBytes } from './archive-bytes.ts'
import { type ArchiveEntry, isDeflated, isEncrypted, isSameEncoding } from './archive-entry.ts'
import { FormatError } from './format-error.ts'

const HAS_DESCRIPTOR = 0x0008
const DESCRIPTOR_SIGNATURE = 0x08074b50
const UNICODE_PATH = 0x7075
const IN_ZIP64_FIELD = 0xffffffff

interface Figures {
  crc32: number
  compressedSize: number
  size: number
}

/**
 * Compares the local header with the entry, and finds the position of the entry's data.
 *
 * @throws FormatError when the two disagree in name, method, checksum or sizes; Error when there is no local header
 */
export async function locate(
  { zip, bytes }: { zip: yauzl.ZipFile; bytes: ArchiveBytes },
  entry: yauzl.Entry,
  path: string,
): Promise<ArchiveEntry> {
  const header = await zip.readLocalFileHeaderPromise(entry)
  const disagree = (what: string) => {
    throw new FormatError(`expected the local header to give the same ${what} as the central directory`, path)
  }
  if (!isSameName(header, entry, path)) disagree('name')
  if (header.compressionMethod !== entry.compressionMethod) disagree('method')
  if (isEncrypted(header.generalPurposeBitFlag)) disagree('flags')
  const central: Figures = {
    crc32: entry.crc32,
    compressedSize: entry.compressedSize,
    size: entry.uncompressedSize,
  }
  const local = figuresOf(header)
  const dataEndsAt = header.fileDataStart + entry.compressedSize
  const descriptorBytes =
    (header.generalPurposeBitFlag | entry.generalPurposeBitFlag) & HAS_DESCRIPTOR
      ? descriptorLength(await bytes.slice(dataEndsAt, 24), central)
      : 0
  const isLeftToDescriptor = descriptorBytes > 0 && local.crc32 === 0 && local.compressedSize === 0 && local.size === 0
  if (!isLeftToDescriptor && !isSame(local, central)) disagree('checksum and sizes')
  return {
    path,
    isFolder: path.endsWith('/'),
    isDeflated: isDeflated(entry),
    ...central,
    dataAt: header.fileDataStart,
    startsAt: entry.relativeOffsetOfLocalHeader,
    endsAt: dataEndsAt + descriptorBytes,
  }
}

/** The bytes of the name, their encoding, and the name by a Unicode path field before the data. */
function isSameName(header: yauzl.LocalFileHeader, entry: yauzl.Entry, path: string): boolean {
  const { fileName, generalPurposeBitFlag: flags, extraField } = header
  if (!fileName.equals(entry.fileNameRaw)) return false
  if (!isSameEncoding(fileName, flags, entry.generalPurposeBitFlag)) return false
  const fields = yauzl.parseExtraFields(extraField).filter(({ id }) => id === UNICODE_PATH)
  return fields.length === 0 || yauzl.getFileNameLowLevel(flags, fileName, fields, true) === path
}

function isSame(one: Figures, other: Figures): boolean {
  return one.crc32 === other.crc32 && one.compressedSize === other.compressedSize && one.size === other.size
}

/** The fields of a local header; a zip64 field carries both sizes, the inflated one first. */
function figuresOf(header: yauzl.LocalFileHeader): Figures {
  const figures = { crc32: header.crc32, compressedSize: header.compressedSize, size: header.uncompressedSize }
  if (figures.size !== IN_ZIP64_FIELD && figures.compressedSize !== IN_ZIP64_FIELD) return figures
  const zip64 = yauzl.parseExtraFields(header.extraField).find((field) => field.id === 1)?.data
  let at = 0
  for (const size of ['size', 'compressedSize'] as const) {
    if (figures[size] !== IN_ZIP64_FIELD || !zip64 || zip64.length < at + 8) continue
    figures[size] = Number(zip64.readBigUInt64LE(at))
    at += 8
  }
  return figures
}

/** How long the data descriptor is that repeats these figures: with or without signature, in 32 or 64 bits; 0 if none. */
function descriptorLength(found: Buffer, figures: Figures): number {
  for (const isLong of [false, true]) {
    const body = Buffer.alloc(isLong ? 20 : 12)
    body.writeUInt32LE(figures.crc32, 0)
    for (const [index, size] of [figures.compressedSize, figures.size].entries()) {
      if (isLong) body.writeBigUInt64LE(BigInt(size), 4 + index * 8)
      else body.writeUInt32LE(size, 4 + index * 4)
    }
    for (const signed of [true, false]) {
      const at = signed ? 4 : 0
      if (signed && (found.length < 4 || found.readUInt32LE(0) !== DESCRIPTOR_SIGNATURE)) continue
      if (found.subarray(at, at + body.length).equals(body)) return at + body.length
    }
  }
  return 0
}
