// The records of a JSON file, one by one: the entries of its arrays, of arrays in arrays (pages), of lines, and of values that follow each other, as
// `gh api --paginate` prints them. What is read at a time is one record, never the file. JSON.parse reads each record once its size, its depth and
// its end are known.
import { isUtf8 } from 'node:buffer'
import { quote } from '../format-error.ts'
import { SourceError, type SourceFile } from './record.ts'

/** A record and where it is, in words: `record 3, line 7`. */
export interface FileRecord {
  value: unknown
  place: string
}

/** One answer of an API, with all its pages of comments, or one line of an export. */
const MAX_RECORD_BYTES = 32 * 1024 * 1024
/** Arrays around records: pages in a list of pages, and one more. */
const MAX_ARRAYS = 3
const MAX_DEPTH = 64
const MAX_RECORDS = 5_000_000

const char = (text: string) => text.charCodeAt(0)
const [QUOTE, BACKSLASH, NEWLINE, COMMA] = ['"', '\\', '\n', ','].map(char)
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = ['[', ']', '{', '}'].map(char)
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

export async function* jsonRecords(file: SourceFile): AsyncIterable<FileRecord> {
  const scanner = new RecordScanner(file.name)
  for await (const bytes of file.read()) yield* scanner.scan(bytes)
  yield* scanner.end()
}

/** What the next byte is in: nothing, a text, an object or array, or a number or a word. */
type Inside = 'nothing' | 'text' | 'container' | 'word'

class RecordScanner {
  readonly #name: string
  #inside: Inside = 'nothing'
  #arrays = 0
  #depth = 0
  #inText = false
  #escaped = false
  #line = 1
  #startLine = 1
  #count = 0
  #sawAny = false
  #first = true
  /** The record that has begun, as far as it was in earlier pieces. */
  #pieces: Uint8Array[] = []
  #size = 0

  constructor(name: string) {
    this.#name = name
  }

  *scan(given: Uint8Array): Generator<FileRecord> {
    const bytes = this.#first ? this.#withoutMark(given) : given
    if (bytes.length > 0) this.#first = false
    let from = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!
      if (byte === NEWLINE) this.#line += 1
      if (this.#inside === 'word' && this.#endsWord(byte)) {
        yield this.#record(bytes.subarray(from, at))
        this.#between(byte)
        from = at
      } else if (this.#inside === 'nothing') {
        this.#between(byte)
        from = at
      } else if (this.#inside !== 'word' && this.#ends(byte)) {
        yield this.#record(bytes.subarray(from, at + 1))
      }
    }
    if (this.#inside !== 'nothing') this.#keep(bytes.subarray(from))
  }

  *end(): Generator<FileRecord> {
    if (this.#inside === 'word') yield this.#record(new Uint8Array())
    if (this.#inside !== 'nothing' || this.#arrays > 0) this.#fail('the file ends in the middle')
    if (!this.#sawAny) this.#fail('expected JSON, and there is nothing')
  }

  /** A byte order mark is skipped, which some shells write; a file in UTF-16, which others write, is named. */
  #withoutMark(bytes: Uint8Array): Uint8Array {
    const [one, two, three] = bytes
    if ((one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff))
      this.#fail('expected UTF-8, and this is UTF-16')
    return one === 0xef && two === 0xbb && three === 0xbf ? bytes.subarray(3) : bytes
  }

  /** A byte outside of any record: it begins one, or opens or closes an array of records. */
  #between(byte: number): void {
    if (isSpace(byte) || byte === COMMA) return
    this.#sawAny = true
    if (byte === OPEN_ARRAY) {
      this.#arrays += 1
      if (this.#arrays > MAX_ARRAYS) this.#fail(`arrays are at most ${MAX_ARRAYS} deep around a record`)
    } else if (byte === CLOSE_ARRAY) {
      this.#arrays -= 1
      if (this.#arrays < 0) this.#fail('an array ends that has not begun')
    } else {
      this.#begin(byte)
    }
  }

  #begin(byte: number): void {
    this.#startLine = this.#line
    this.#count += 1
    if (this.#count > MAX_RECORDS) this.#fail(`a file has at most ${MAX_RECORDS} records`)
    this.#inText = byte === QUOTE
    this.#depth = byte === OPEN_OBJECT ? 1 : 0
    this.#inside = byte === QUOTE ? 'text' : byte === OPEN_OBJECT ? 'container' : 'word'
  }

  #endsWord(byte: number): boolean {
    return isSpace(byte) || byte === COMMA || byte === CLOSE_ARRAY || byte === OPEN_ARRAY || byte === OPEN_OBJECT
  }

  /** Whether the text or container is over with this byte. */
  #ends(byte: number): boolean {
    if (this.#inText) {
      if (this.#escaped) this.#escaped = false
      else if (byte === BACKSLASH) this.#escaped = true
      else if (byte === QUOTE) {
        this.#inText = false
        return this.#inside === 'text'
      }
      return false
    }
    if (byte === QUOTE) this.#inText = true
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      this.#depth += 1
      if (this.#depth > MAX_DEPTH) this.#fail(`a record is at most ${MAX_DEPTH} values deep`)
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth -= 1
    return this.#depth === 0
  }

  #keep(bytes: Uint8Array): void {
    this.#size += bytes.length
    if (this.#size > MAX_RECORD_BYTES) this.#fail(`a record has at most ${MAX_RECORD_BYTES} bytes`)
    // A copy: the reader may use its buffer again.
    this.#pieces.push(Uint8Array.from(bytes))
  }

  #record(last: Uint8Array): FileRecord {
    this.#keep(last)
    const bytes = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#size = 0
    this.#inside = 'nothing'
    if (!isUtf8(bytes)) this.#fail('expected UTF-8')
    try {
      return { value: JSON.parse(bytes.toString('utf8')), place: this.#place() }
    } catch {
      return this.#fail('this is not JSON')
    }
  }

  #place(): string {
    return `record ${this.#count}, line ${this.#startLine}`
  }

  #fail(what: string): never {
    throw new SourceError(`${quote(this.#name)}, ${this.#count === 0 ? `line ${this.#line}` : this.#place()}: ${what}`)
  }
}
