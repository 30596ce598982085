// What a single entry of an archive may be, judged by its header alone, before a byte of it is read (formats.md section 2).
import { isAscii, isUtf8 } from 'node:buffer'
import yauzl from 'yauzl'
import { Refusal } from './refusal.ts'

/** Most bytes one entry may have when it is inflated. */
const MOST_ENTRY_BYTES = 10 * 1024 * 1024
/** From here on an entry may not be more than 200 times as large as its compressed data. */
const RATIO_FROM_BYTES = 1024 * 1024
const MOST_RATIO = 200

const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 0x0001 | 0x0040 | 0x2000
const NAME_IS_UTF8 = 0x0800
const UNIX_TYPE = 0xf000
const UNIX_FILE = 0x8000
const UNIX_FOLDER = 0x4000
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
  /** where its local header starts, and where what belongs to it ends */
  startsAt: number
  endsAt: number
}

/**
 * Checks everything the central directory says of an entry, and answers its name.
 *
 * @throws Refusal that names the entry
 */
export function checkEntry(entry: yauzl.Entry): string {
  const path = pathOf(entry)
  const refuse = (expected: string) => {
    throw new Refusal(expected, path)
  }
  checkPath(path)
  if (entry.generalPurposeBitFlag & ENCRYPTED) refuse('expected an entry that is not encrypted')
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    refuse('expected an entry that is stored or deflated')
  }
  const unixType = (entry.externalFileAttributes >>> 16) & UNIX_TYPE
  const expectedType = path.endsWith('/') ? UNIX_FOLDER : UNIX_FILE
  if ((unixType !== 0 && unixType !== expectedType) || entry.externalFileAttributes & WINDOWS_DEVICE_OR_LINK) {
    refuse('expected a plain file or folder, not a link or a device')
  }
  if (path.endsWith('/') && entry.uncompressedSize > 0) refuse('expected a folder to be empty')
  if (entry.uncompressedSize > MOST_ENTRY_BYTES) refuse('expected at most 10 MiB when inflated')
  if (entry.uncompressedSize > RATIO_FROM_BYTES && entry.uncompressedSize > entry.compressedSize * MOST_RATIO) {
    refuse('expected a compression ratio of at most 200:1')
  }
  return path
}

export function isDeflated(entry: yauzl.Entry): boolean {
  return entry.compressionMethod === DEFLATED
}

export function isEncrypted(flags: number): boolean {
  return (flags & ENCRYPTED) !== 0
}

/**
 * The name of an entry. Info-ZIP's Unicode path field may spell out a name that is not ASCII; one that gives an ASCII name
 * a second name is refused, because programs disagree about which of the two counts.
 */
function pathOf(entry: yauzl.Entry): string {
  const { fileNameRaw: raw, generalPurposeBitFlag: flags } = entry
  if (flags & NAME_IS_UTF8 && !isUtf8(raw)) throw new Refusal('expected entry names in UTF-8')
  const path = yauzl.getFileNameLowLevel(flags, raw, entry.extraFields, true)
  if (isAscii(raw) && path !== raw.toString('latin1')) throw new Refusal('expected an entry to have one name', path)
  return path
}

function checkPath(path: string): void {
  if (path === '') throw new Refusal('expected every entry to have a name')
  if (path.includes('\0')) throw new Refusal('expected a name without NUL', path)
  if (path.includes('\\')) throw new Refusal('expected a name without backslashes', path)
  if (path.startsWith('/')) throw new Refusal('expected a relative path', path)
  if (/^[a-zA-Z]:/.test(path)) throw new Refusal('expected a path without a drive letter', path)
  if (path.split('/').includes('..')) throw new Refusal('expected a path without ..', path)
}
