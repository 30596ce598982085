// Rules for entry names (formats.md section 2; behaviour.md section 4): every system reads a name as the same file, and no two
// entries of the archive have equivalent names.
import { required } from '../runtime/untyped.ts'
import { FormatError, quote } from './format-error.ts'

/** The limits of file systems: for a segment, and for a whole path in bytes of UTF-8 and in segments. */
const MAX_SEGMENT_BYTES = 255
const MAX_PATH_BYTES = 1_024
const MAX_SEGMENTS = 32

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
/** Wildcards, streams and pipes on Windows; characters that a POSIX shell expands, also between double quotes. */
const SPECIAL = /[<>:"|?*$`]/
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(?:\.|$)/i
/** Windows gives a second name of this form to a file with a long one. */
const SHORT_NAME = /^[^.]{1,6}~[0-9]{1,6}(?:\.[^.]{0,3})?$/
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Checks a single name.
 *
 * @param path relative, with `/`; a folder ends in `/`
 * @throws FormatError with the rule
 */
export function checkName(path: string): void {
  const refuse = (expected: string) => {
    throw new FormatError(`expected ${expected}`, path)
  }
  if (path === '') throw new FormatError('expected every entry to have a name')
  if (path.includes('\0')) refuse('a name without NUL')
  if (path.includes('\\')) refuse('a name without backslashes')
  if (path.startsWith('/')) refuse('a relative path')
  if (/^[a-zA-Z]:/.test(path)) refuse('a path without a drive letter')
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) refuse('a path of at most 1,024 bytes')
  if (segmentsOf(path).length > MAX_SEGMENTS) refuse('a path of at most 32 segments')
  if (CONTROL.test(path)) refuse('a name without control or invisible characters')
  if (SPECIAL.test(path)) refuse('a name without < > : " | ? * $ and `')
  for (const segment of segmentsOf(path)) {
    const wrong = problemWith(segment)
    if (wrong) refuse(wrong)
  }
}

/** `a/b/` is the folder `b` in `a`: the empty text after the last slash is no segment. */
const segmentsOf = (path: string): string[] => (path.endsWith('/') ? path.slice(0, -1) : path).split('/')

function problemWith(segment: string): string | undefined {
  // Some systems compose characters as they write: a full-width dot is a dot there.
  const composed = segment.normalize('NFKC')
  if (segment === '') return 'a path without empty segments'
  if (composed === '.' || composed === '..') return `a path without ${composed}`
  if (/[/\\]/.test(composed)) return 'a name without slashes in another form'
  if (/^ |[. ]$/.test(segment)) return 'a name that does not begin with a space or end in a dot or a space'
  if (/^[-~]/.test(segment)) return 'a name that does not begin with - or ~'
  if (DEVICE.test(segment)) return 'a name that is no device of Windows'
  if (SHORT_NAME.test(segment)) return 'a name that is no short name of Windows'
  return Buffer.byteLength(segment) > MAX_SEGMENT_BYTES ? 'a name of at most 255 bytes' : undefined
}

/**
 * The key of names that some system treats as equal: without regard to case (full case folding, Unicode 5.18), to composition, and to
 * invisible characters.
 */
export function nameKey(name: string): string {
  const composed = name.normalize('NFKC').replace(INVISIBLE, '')
  return composed.toUpperCase().toLowerCase().toUpperCase().normalize('NFKC')
}

/** The names of one archive, added one after another. */
export class ArchiveNames {
  readonly #files = new Set<string>()
  /** Folders, including those that occur only in the path of a file: as first written, by their key. */
  readonly #folders = new Map<string, string>()
  readonly #entries = new Set<string>()

  /** @throws FormatError when the name can be taken for one that was added before */
  add(path: string): void {
    if (this.#entries.has(path)) throw new FormatError('expected one entry of this name', path)
    this.#entries.add(path)
    const segments = segmentsOf(path)
    const name = path.endsWith('/') ? undefined : required(segments.pop())
    let [folder, key] = ['', '']
    for (const segment of segments) {
      folder += `${segment}/`
      key += `${nameKey(segment)}/`
      this.#addFolder(folder, key, path)
    }
    if (name !== undefined) this.#addFile(key + nameKey(name), path)
  }

  #addFile(key: string, path: string): void {
    if (this.#files.has(key)) throw new FormatError('expected one entry of this name', path)
    if (this.#folders.has(`${key}/`)) throw new FormatError('expected no folder of the name of this file', path)
    this.#files.add(key)
  }

  /** Folders end in a slash, and so do their keys. */
  #addFolder(folder: string, key: string, path: string): void {
    const written = this.#folders.get(key)
    if (written === folder) return
    if (written !== undefined) {
      throw new FormatError(`expected one way to write the folder ${quote(written.slice(0, -1))}`, path)
    }
    if (this.#files.has(key.slice(0, -1))) throw new FormatError('expected no file of the name of a folder', path)
    this.#folders.set(key, folder)
  }
}
