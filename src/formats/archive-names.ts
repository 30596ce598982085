// What an entry of an archive may be called (formats.md section 2; behaviour.md section 4): a name that every system reads
// as the same file, and that no other entry of the archive can be taken for.
import { Refusal } from './refusal.ts'

/** More than a file system takes: of one segment, and of a whole path; in bytes of UTF-8. */
const MAX_SEGMENT_BYTES = 255
const MAX_PATH_BYTES = 1_024

const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
/** Wildcards, streams and pipes on Windows; what a POSIX shell expands, also between double quotes. */
const SPECIAL = /[<>:"|?*$`]/
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])\s*(?:\.|$)/i
/** Windows gives a second name of this form to a file with a long one. */
const SHORT_NAME = /^[^.]{1,6}~[0-9]{1,6}(?:\.[^.]{0,3})?$/
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Checks a name by itself.
 *
 * @param path relative, with `/`; a folder ends in `/`
 * @throws Refusal that says what is expected of it
 */
export function checkName(path: string): void {
  const refuse = (expected: string) => {
    throw new Refusal(`expected ${expected}`, path)
  }
  if (path === '') throw new Refusal('expected every entry to have a name')
  if (path.includes('\0')) refuse('a name without NUL')
  if (path.includes('\\')) refuse('a name without backslashes')
  if (path.startsWith('/')) refuse('a relative path')
  if (/^[a-zA-Z]:/.test(path)) refuse('a path without a drive letter')
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) refuse('a path of at most 1,024 bytes')
  if (CONTROL.test(path)) refuse('a name without control or invisible characters')
  if (SPECIAL.test(path)) refuse('a name without < > : " | ? * $ and `')
  for (const segment of segmentsOf(path)) {
    const wrong = problemWith(segment)
    if (wrong) refuse(wrong)
  }
}

/** `a/b/` is the folder `b` in `a`: what stands behind the last slash is no segment. */
const segmentsOf = (path: string): string[] => (path.endsWith('/') ? path.slice(0, -1) : path).split('/')

function problemWith(segment: string): string | undefined {
  // Some systems compose characters as they write: a full-width dot is a dot there.
  const composed = segment.normalize('NFKC')
  if (segment === '') return 'a path without empty segments'
  if (composed === '.' || composed === '..') return `a path without ${composed}`
  if (/[/\\]/.test(composed)) return 'a name without slashes in another form'
  if (/[. ]$/.test(segment)) return 'a name that does not end in a dot or a space'
  if (/^[-~]/.test(segment)) return 'a name that does not begin with - or ~'
  if (DEVICE.test(segment)) return 'a name that is no device of Windows'
  if (SHORT_NAME.test(segment)) return 'a name that is no short name of Windows'
  return Buffer.byteLength(segment) > MAX_SEGMENT_BYTES ? 'a name of at most 255 bytes' : undefined
}

/**
 * What names have in common that some system takes for the same: without regard to case (full case folding, Unicode 5.18),
 * to composition, and to characters that nobody sees.
 */
export function nameKey(name: string): string {
  const composed = name.normalize('NFKC').replace(INVISIBLE, '')
  return composed.toUpperCase().toLowerCase().toUpperCase().normalize('NFKC')
}

/** The names of one archive, added one after another. */
export class ArchiveNames {
  readonly #files = new Set<string>()
  /** Folders, those too that only stand in the path of a file: as first written, by their key. */
  readonly #folders = new Map<string, string>()
  readonly #entries = new Set<string>()

  /** @throws Refusal when the name can be taken for one that was added before */
  add(path: string): void {
    const segments = segmentsOf(path)
    const key = segments.map(nameKey).join('/')
    if (this.#entries.has(path) || this.#files.has(key)) throw new Refusal('expected one entry of this name', path)
    this.#entries.add(path)
    const isFolder = path.endsWith('/')
    for (let length = 1; length <= segments.length - (isFolder ? 0 : 1); length += 1) {
      this.#addFolder(segments.slice(0, length), path)
    }
    if (isFolder) return
    if (this.#folders.has(key)) throw new Refusal('expected no folder of the name of this file', path)
    this.#files.add(key)
  }

  #addFolder(segments: string[], path: string): void {
    const folder = segments.join('/')
    const key = segments.map(nameKey).join('/')
    if (this.#files.has(key)) throw new Refusal('expected no file of the name of a folder', path)
    const written = this.#folders.get(key) ?? folder
    if (written !== folder) throw new Refusal(`expected one way to write the folder ${written}`, path)
    this.#folders.set(key, written)
  }
}
