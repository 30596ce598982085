// Text as it comes out of an uploaded file: decoded strictly, fit for a database, and cut without breaking a character.
import { isUtf8 } from 'node:buffer'
import { findUnstorable, mayBeUnstorable } from '../contract/storable.ts'
import { toError } from '../runtime/untyped.ts'
import { FormatError, quote, STORABLE } from './format-error.ts'

/**
 * Checks that a file is UTF-8. A byte order mark is refused too: RFC 8259, 8.1 forbids writing one, and the agents that read these
 * files do not skip it.
 *
 * @param name the file's name in the message, if it is one of several
 * @throws FormatError
 */
export function assertUtf8(bytes: Uint8Array, name = ''): void {
  if (!isUtf8(bytes)) throw new FormatError('expected text in UTF-8', name)
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new FormatError('expected UTF-8 without a byte order mark', name)
  }
}

/** The text of a file that has to be UTF-8 (`assertUtf8`). */
export function decodeUtf8(bytes: Uint8Array, name = ''): string {
  assertUtf8(bytes, name)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

/**
 * The JSON value of a text.
 *
 * @throws FormatError with the parser's message, or with the place of text that cannot be stored
 */
export function parseJson(text: string, name = ''): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new FormatError(`expected JSON: ${quote(toError(error).message)}`, name)
  }
  const path = mayBeUnstorable(text) ? findUnstorable(value) : undefined
  if (path !== undefined) throw new FormatError(STORABLE, path || name)
  return value
}

/** At most `limit` UTF-16 units (so at most as many characters) of a text, never half a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)
}
