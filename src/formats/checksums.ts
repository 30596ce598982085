// CHECKSUMS of an automation: one `<sha256 hex><two spaces><path>` line for every other file (formats.md section 2).
import { FormatError } from './format-error.ts'
import { decodeUtf8 } from './text.ts'

const NAME = 'CHECKSUMS'
const LINE = /^([0-9a-fA-F]{64}) {2}(.+)$/s

/** Maximum bytes of a line for each of these files: digest, two spaces, path, and a line end of one byte or two. */
export function mostChecksumsBytes(paths: Iterable<string>): number {
  let bytes = 0
  for (const path of paths) bytes += 64 + 2 + Buffer.byteLength(path) + 2
  return bytes
}

/**
 * Compares CHECKSUMS with the files of the archive. A line either belongs to a file that has none yet or is the last line to be read,
 * so the work is bounded by the number of files, regardless of the text.
 *
 * @param digests SHA-256 in lower-case hex by path, of every file but CHECKSUMS itself
 * @throws FormatError
 */
export function verifyChecksums(bytes: Buffer, digests: ReadonlyMap<string, string>): void {
  const text = decodeUtf8(bytes, NAME)
  const missing = new Set(digests.keys())
  for (let at = 0, number = 1; at < text.length; number += 1) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    const [, digest, path] = LINE.exec(text.slice(at, end).replace(/\r$/, '')) ?? []
    if (digest === undefined || path === undefined) {
      throw new FormatError(`expected "<sha256>  <path>" in line ${number}`, NAME)
    }
    if (!missing.delete(path))
      throw new FormatError(`expected one line for each other file, line ${number} is not`, NAME)
    if (digests.get(path) !== digest.toLowerCase())
      throw new FormatError('expected content that matches CHECKSUMS', path)
    at = end + 1
  }
  for (const path of missing) throw new FormatError('expected a line of this file in CHECKSUMS', path)
}
