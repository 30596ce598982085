// A JSON body, whichever way it came: an object within its limits, with text that every database can keep. What its length allows for is bounded
// once more by its shape, because 256 KB of brackets take 40 ms to parse, and 4 MB of them 700 ms and 60 MB.
import { Problem } from '../contract/problem.ts'
import { explainUnstorable, findUnstorable, mayBeUnstorable } from '../contract/storable.ts'

/** In bytes. */
export const DEFAULT_BODY_LIMIT = 256 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The object in the bytes of a JSON body. Throws `invalid_request` for what is no JSON object in UTF-8, has too many or too deep values, or
 * holds text that cannot be kept.
 */
export function objectIn(bytes: ArrayBuffer | Uint8Array): Record<string, unknown> {
  const value = parsed(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem('invalid_request', 'The body must be a JSON object')
  }
  return value as Record<string, unknown>
}

function parsed(bytes: ArrayBuffer | Uint8Array): unknown {
  let text: string
  let value: unknown
  try {
    text = utf8.decode(bytes)
    requireBounded(text)
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('invalid_request', 'The body is not valid JSON')
  }
  if (mayBeUnstorable(text)) requireStorable(value)
  return value
}

/** Refuses NUL and lone surrogates anywhere in a value: 400, whichever database is behind it (behaviour.md, section 0). */
export function requireStorable(value: unknown): void {
  const path = findUnstorable(value)
  if (path !== undefined) throw new Problem('invalid_request', explainUnstorable(path))
}

export const tooLarge = (limit: number): Problem => new Problem('too_large', `The body is larger than ${limit} bytes`)

/** More than any operation takes, and parsed within a few milliseconds. */
const MAX_VALUES = 20_000
const MAX_DEPTH = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
/** `[` and `{`, `]` and `}`: each pair differs in this bit alone. */
const BRACE = 0x20
const OPEN = 0x7b
const CLOSE = 0x7d

/** Refuses a text that would make too many or too deep values, whether it is JSON or not; looks at each character once. */
export function requireBounded(text: string): void {
  let values = 0
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === QUOTE) at = endOfString(text, at)
    else if (character === COMMA) values += 1
    else if ((character | BRACE) === OPEN) {
      values += 1
      depth += 1
      if (depth > MAX_DEPTH) throw new Problem('invalid_request', `The body is nested deeper than ${MAX_DEPTH} levels`)
    } else if ((character | BRACE) === CLOSE) depth -= 1
    if (values > MAX_VALUES) throw new Problem('invalid_request', `The body holds more than ${MAX_VALUES} values`)
  }
}

/** Where the string that begins at `at` ends; the end of the text where it does not. */
function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    const character = text.charCodeAt(end)
    if (character === BACKSLASH) end += 1
    else if (character === QUOTE) return end
  }
  return text.length
}
