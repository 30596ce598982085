// What a tar says of an entry before its header: records of PAX (POSIX.1-2024, pax, Extended Header), and the long names of GNU. Programs
// do not agree on records that give a file another name, size or content, so here only its path and what does not matter are taken.
import { FormatError, quote } from './format-error.ts'

const BLOCK = 512
const [SIZE_AT, SIZE_BYTES, TYPE_AT] = [124, 12, 156]
/** Times, owners, remarks and attributes: with them or without, a file has the same name and content. */
const HARMLESS =
  /^(?:[acm]time|[ug]id|[ug]name|comment|(?:LIBARCHIVE|SCHILY)\.xattr\..+|LIBARCHIVE\.creationtime|SCHILY\.(?:acl\..+|dev|devmajor|devminor|fflags|ino|nlink)|MSWINDOWS\.rawsd|RHT\.security\.selinux)$/
const LONG_NAME = 'L'
const OF_ENTRY = 'x'
const OF_ALL = 'g'

/** Checks the records between an entry and the one before, one entry after another. */
export class TarRecords {
  readonly #tar: Buffer
  /** Where the entry before ends. */
  #at = 0

  constructor(tar: Buffer) {
    this.#tar = tar
  }

  /**
   * @param entry as the reader found it
   * @param headerAt where its header starts in the tar
   * @throws FormatError when something before the entry says more than its path and what does not matter
   */
  check({ name, size }: { name: string; size: number }, headerAt: number): void {
    if (this.#sizeIn(headerAt) !== size) throw new FormatError('expected one size of an entry', name)
    let said = 0
    for (let at = this.#at; at < headerAt; ) {
      const type = String.fromCharCode(this.#tar[at + TYPE_AT] ?? 0)
      const length = this.#sizeIn(at)
      const content = this.#tar.subarray(at + BLOCK, at + BLOCK + length)
      if (type === OF_ENTRY) checkRecords(content, { name, size })
      else if (type === OF_ALL) checkRecords(content)
      else if (type !== LONG_NAME) throw new FormatError('expected nothing but files and folders up to the end', name)
      if (type !== OF_ALL) said += 1
      if (said > 1) throw new FormatError('expected one header that says more about an entry', name)
      at += BLOCK + padded(length)
    }
    this.#at = headerAt + BLOCK + padded(size)
  }

  /** The size in a header: other forms than this one are read in more than one way, and no entry within the bounds needs them. */
  #sizeIn(headerAt: number): number {
    const field = this.#tar.subarray(headerAt + SIZE_AT, headerAt + SIZE_AT + SIZE_BYTES).toString('latin1')
    const digits = /^ *([0-7]{0,12})[ \0]*$/.exec(field)?.[1]
    if (digits === undefined) throw new FormatError('expected sizes as octal numbers')
    return Number.parseInt(`0${digits}`, 8)
  }
}

const padded = (size: number) => Math.ceil(size / BLOCK) * BLOCK

/** Records are `<length> <keyword>=<value>\n`, one after another, up to the end. Without an entry they are about all that follow. */
function checkRecords(content: Buffer, entry?: { name: string; size: number }): void {
  for (let at = 0; at < content.length; ) {
    const digits = /^[1-9][0-9]{0,7}(?= )/.exec(content.toString('latin1', at, at + 9))?.[0] ?? ''
    const record = content.subarray(at + digits.length + 1, at + Number(digits))
    const [, keyword = '', value = ''] = /^([^=\0]+)=([\s\S]*)\n$/.exec(record.toString('utf8')) ?? []
    if (keyword === '' || at + Number(digits) > content.length)
      throw new FormatError('expected readable headers', entry?.name)
    const isOwn = keyword === 'path' ? value === entry?.name : keyword === 'size' && value === String(entry?.size)
    if (!isOwn && !HARMLESS.test(keyword))
      throw new FormatError(`expected no header that says ${quote(keyword)} of a file`, entry?.name)
    at += Number(digits)
  }
}
