// JSON read token by token (RFC 8259). JSON.parse of 20 MiB of brackets blocks all else for 4 s and takes 590 MB of memory; this
// takes 0.6 s with pauses and 15 MB (`npm run bench -- own-code`). It accepts exactly what JSON.parse accepts.
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { FormatError } from './format-error.ts'
import { MAX_VALUES } from './permissions.ts'

/** A bracket, an object's key, a string, any number as `0`, a literal, or `end` after the last token. */
export type Token = '{' | '}' | '[' | ']' | 'key' | 'string' | '0' | 'true' | 'false' | 'null' | 'end'

/** The possible next token; `first` states also allow the container to close at once. */
type ExpectedToken = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'end'

const char = (text: string) => text.charCodeAt(0)
const QUOTE = char('"')
const BACKSLASH = char('\\')
const COMMA = char(',')
const COLON = char(':')
const MINUS = char('-')
const PLUS = char('+')
const POINT = char('.')
const ZERO = char('0')
const NINE = char('9')
const SMALL_E = char('e')
const SMALL_U = char('u')
const ESCAPES: ReadonlySet<number | undefined> = new Set([...'"\\/bfnrt'].map(char))
const HEX: ReadonlySet<number | undefined> = new Set([...'0123456789abcdefABCDEF'].map(char))
const OPEN: Record<number, '{' | '['> = { [char('{')]: '{', [char('[')]: '[' }
const CLOSE: Record<number, '}' | ']'> = { [char('}')]: '}', [char(']')]: ']' }
const LITERALS: Record<number, 'true' | 'false' | 'null'> = {
  [char('t')]: 'true',
  [char('f')]: 'false',
  [char('n')]: 'null',
}

/** The tokens of one JSON text, in order. The bytes must be valid UTF-8 (`decodeUtf8`). */
export class JsonTokens {
  /** Number of arrays and objects around the last token; a bracket is outside of the container it opens or closes. */
  depth = 0
  /** Start and end of the last token, in bytes. */
  start = 0
  end = 0
  readonly #bytes: Buffer
  #expected: ExpectedToken = 'value'
  /** One byte for each open container: 1 for an object, 0 for an array. */
  #containers = new Uint8Array(64)
  #open = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** @throws FormatError where the text stops being JSON */
  next(): Token {
    const byte = this.#skip()
    this.start = this.end
    this.depth = this.#open
    if (this.#expected === 'end') return byte === undefined ? 'end' : this.#fail()
    if (byte === undefined) return this.#fail()
    if (CLOSE[byte]) return this.#leave(CLOSE[byte])
    if (this.#expected === 'key' || this.#expected === 'first key') {
      this.#string()
      this.#expected = 'colon'
      return 'key'
    }
    // After a closing bracket or a scalar only a comma is left, and #skip has consumed it where it stood.
    if (this.#expected === 'comma' || this.#expected === 'colon') return this.#fail()
    return OPEN[byte] ? this.#enter(OPEN[byte]) : this.#scalar(byte)
  }

  /** The text of the last token, if that was a key or a string. */
  text(): string {
    const raw = this.#bytes.toString('utf8', this.start + 1, this.end - 1)
    return raw.includes('\\') ? JSON.parse(`"${raw}"`) : raw
  }

  /** Steps over white space, and over the comma or colon that is expected; returns the byte that follows. */
  #skip(): number | undefined {
    let byte = this.#skipSpace()
    if (this.#expected === 'comma' && byte === COMMA) {
      this.#expected = this.#inObject() ? 'key' : 'value'
    } else if (this.#expected === 'colon' && byte === COLON) {
      this.#expected = 'value'
    } else {
      return byte
    }
    this.end += 1
    byte = this.#skipSpace()
    return byte
  }

  #skipSpace(): number | undefined {
    let byte = this.#bytes[this.end]
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = this.#bytes[++this.end]
    return byte
  }

  #inObject(): boolean {
    return this.#containers[this.#open - 1] === 1
  }

  #enter(bracket: '{' | '['): Token {
    if (this.#open === this.#containers.length) {
      const larger = new Uint8Array(this.#open * 2)
      larger.set(this.#containers)
      this.#containers = larger
    }
    this.#containers[this.#open] = bracket === '{' ? 1 : 0
    this.#open += 1
    this.end += 1
    this.#expected = bracket === '{' ? 'first key' : 'first value'
    return bracket
  }

  #leave(bracket: '}' | ']'): Token {
    const first = bracket === '}' ? 'first key' : 'first value'
    const inIt = this.#open > 0 && this.#inObject() === (bracket === '}')
    if (!inIt || (this.#expected !== 'comma' && this.#expected !== first)) return this.#fail()
    this.#open -= 1
    this.depth = this.#open
    this.end += 1
    this.#expected = this.#open === 0 ? 'end' : 'comma'
    return bracket
  }

  #scalar(byte: number): Token {
    this.#expected = this.#open === 0 ? 'end' : 'comma'
    if (byte === QUOTE) {
      this.#string()
      return 'string'
    }
    const literal = LITERALS[byte]
    if (literal === undefined) return this.#number()
    for (const letter of literal) if (this.#bytes[this.end++] !== char(letter)) return this.#fail()
    return literal
  }

  #string(): void {
    const bytes = this.#bytes
    let at = this.end
    if (bytes[at] !== QUOTE) this.#fail()
    for (at += 1; bytes[at] !== QUOTE; at += 1) {
      const byte = bytes[at]
      if (byte === BACKSLASH) {
        at += 1
        const escaped = bytes[at]
        if (escaped === SMALL_U) {
          for (const stop = at + 4; at < stop; ) if (!HEX.has(bytes[++at])) this.#fail()
        } else if (!ESCAPES.has(escaped)) this.#fail()
      } else if (byte === undefined || byte < 0x20) this.#fail()
    }
    this.end = at + 1
  }

  #number(): Token {
    if (this.#bytes[this.end] === MINUS) this.end += 1
    if (this.#bytes[this.end] === ZERO) this.end += 1
    else this.#digits()
    if (this.#bytes[this.end] === POINT) {
      this.end += 1
      this.#digits()
    }
    if (((this.#bytes[this.end] ?? 0) | 0x20) === SMALL_E) {
      this.end += 1
      const sign = this.#bytes[this.end]
      if (sign === MINUS || sign === PLUS) this.end += 1
      this.#digits()
    }
    return '0'
  }

  #digits(): void {
    const from = this.end
    for (let byte = this.#bytes[from]; byte !== undefined && byte >= ZERO && byte <= NINE; ) {
      byte = this.#bytes[++this.end]
    }
    if (this.end === from) this.#fail()
  }

  #fail(): never {
    throw new FormatError(`expected JSON, which breaks off in the value that starts at byte ${this.start}`)
  }
}

// JSON of others as values, bounded: a file of millions of values would fill the memory before anything can be said of it.

/** The value of a JSON text; undefined for what is none, and for more values than are read. */
export function jsonOf(bytes: Buffer): unknown {
  if (!isUtf8(bytes) || !hasFewValues(bytes)) return undefined
  return JSON.parse(bytes.toString('utf8'))
}

function hasFewValues(bytes: Buffer): boolean {
  const tokens = new JsonTokens(bytes)
  let count = 0
  try {
    for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
      if (token !== 'key' && token !== '}' && token !== ']') count += 1
      if (count > MAX_VALUES) return false
    }
    return true
  } catch (error) {
    if (error instanceof FormatError) return false
    throw error
  }
}

/**
 * The SHA-256 of a value in hex, the same for any order of keys and any white space. It does not call itself, so that no depth is too
 * much.
 */
export function hashOfValue(value: unknown): string {
  const hash = createHash('sha256')
  const stack: unknown[] = [value]
  while (stack.length > 0) {
    const next = stack.pop()
    if (Array.isArray(next)) {
      hash.update(`[${next.length}`)
      for (let at = next.length - 1; at >= 0; at--) stack.push(next[at])
    } else if (typeof next === 'object' && next !== null) {
      const entries = Object.entries(next).sort(([one], [other]) => (one < other ? 1 : -1))
      hash.update(`{${entries.length}`)
      // Popped in turn: a key as a text, then its value.
      for (const [key, held] of entries) stack.push(held, key)
    } else {
      const text = JSON.stringify(next) ?? 'null'
      hash.update(`${text.length}:${text}`)
    }
  }
  return hash.digest('hex')
}
