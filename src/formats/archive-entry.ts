// Rules for a single entry of an archive, checked by its header alone, before any of its data is read (formats.md section 2).
import { isAscii, isUtf8 } from 'node:buffer'
import yauzl from 'yauzl'
import { checkName } from './archive-names.ts'
import { FormatError } from './format-error.ts'

/** Most bytes one entry may have when it is inflated. */
const MAX_ENTRY_BYTES = 10 * 1024 * 1024
/** From here on an entry may not be more than 200 times as large as its compressed data. */
const RATIO_FROM_BYTES = 1024 * 1024
const MAX_RATIO = 200

const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 0x0001 | 0x0040 | 0x2000
const NAME_IS_UTF8 = 0x0800
const UNIX_TYPE = 0xf000
const UNIX_FILE = 0x8000
const UNIX_FOLDER = 0x4000
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_BYTES = /[\0-\x1f\x7f]/
const WINDOWS_DEVICE_OR_LINK = 0x0040 | 0x0400

/** An entry that passed; sizes in bytes, as the central directory declares them. */
export interface ArchiveEntry {
  /** relative, with `/`; a folder ends in `/` */
  path: string
  isFolder: boolean
  isDeflated: boolean
  size: number
  compressedSize: number
  crc32: number
  /** where its compressed data starts in the archive */
  dataAt: number
  /** the start of its local header, and the end of its bytes */
  startsAt: number
  endsAt: number
}

/** An open archive of either format, zip (archive.ts) or tar (tar-archive.ts). Close it with `await using`. */
export interface ArchiveFile extends AsyncDisposable {
  /** Every entry, folders too, in the order of the archive. */
  entries: ArchiveEntry[]
  /** Inflates every entry in turn and verifies it. A chunk is valid only during the call. */
  inflate(sinkOf: (entry: ArchiveEntry) => (chunk: Buffer) => void): Promise<void>
  read(entry: ArchiveEntry, sink: (chunk: Buffer) => void): Promise<void>
  /** The first bytes of an entry that was verified before, until `sink` has enough. */
  readBeginning(entry: ArchiveEntry, sink: (chunk: Buffer) => boolean): Promise<void>
}

/**
 * Checks all fields of an entry in the central directory, and returns its name.
 *
 * @throws FormatError that names the entry
 */
export function checkEntry(entry: yauzl.Entry): string {
  const path = pathOf(entry)
  const refuse = (expected: string) => {
    throw new FormatError(expected, path)
  }
  checkName(path)
  checkName(plainNameOf(entry))
  if (isEncrypted(entry.generalPurposeBitFlag)) refuse('expected an entry that is not encrypted')
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    refuse('expected an entry that is stored or deflated')
  }
  const unixType = (entry.externalFileAttributes >>> 16) & UNIX_TYPE
  const expectedType = path.endsWith('/') ? UNIX_FOLDER : UNIX_FILE
  if ((unixType !== 0 && unixType !== expectedType) || entry.externalFileAttributes & WINDOWS_DEVICE_OR_LINK) {
    refuse('expected a plain file or folder, not a link or a device')
  }
  if (path.endsWith('/') && entry.uncompressedSize > 0) refuse('expected a folder to be empty')
  if (entry.uncompressedSize > MAX_ENTRY_BYTES) refuse('expected at most 10 MiB when inflated')
  if (entry.uncompressedSize > RATIO_FROM_BYTES && entry.uncompressedSize > entry.compressedSize * MAX_RATIO) {
    refuse('expected a compression ratio of at most 200:1')
  }
  return path
}

export const isDeflated = (entry: yauzl.Entry): boolean => entry.compressionMethod === DEFLATED

export const isEncrypted = (flags: number): boolean => (flags & ENCRYPTED) !== 0

/**
 * The name of an entry. Info-ZIP's Unicode path field may spell out a name that is not ASCII; one that gives an ASCII name
 * a second name is refused, because programs disagree about which of the two counts.
 */
function pathOf(entry: yauzl.Entry): string {
  const { fileNameRaw: raw, generalPurposeBitFlag: flags } = entry
  if (flags & NAME_IS_UTF8 && !isUtf8(raw)) throw new FormatError('expected entry names in UTF-8')
  const path = yauzl.getFileNameLowLevel(flags, raw, entry.extraFields, true)
  if (raw.includes(0)) throw new FormatError('expected a name without NUL')
  // In code page 437 control characters have pictures.
  if (CONTROL_BYTES.test(raw.toString('latin1')))
    throw new FormatError('expected a name without control or invisible characters')
  if (isAscii(raw) && path !== raw.toString('latin1')) throw new FormatError('expected an entry to have one name', path)
  return path
}

/** The name as read by a program that ignores the Unicode path field, and treats a name as UTF-8 if it is valid. */
export function plainNameOf({ fileNameRaw: raw }: Pick<yauzl.Entry, 'fileNameRaw'>): string {
  return isUtf8(raw) ? raw.toString('utf8') : yauzl.getFileNameLowLevel(0, raw, [], true)
}

/** Whether two headers say the same of how a name is written; of ASCII there is only one way. */
export function isSameEncoding(name: Buffer, flags: number, otherFlags: number): boolean {
  return isAscii(name) || (flags & NAME_IS_UTF8) === (otherFlags & NAME_IS_UTF8)
}
