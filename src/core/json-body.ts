// A JSON body, whichever way it came: an object within its limits, with text that every database can keep.
import { Problem } from '../contract/problem.ts'
import { explainUnstorable, findUnstorable, mayBeUnstorable } from '../contract/storable.ts'
import { requireBounded } from './bounded.ts'

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
