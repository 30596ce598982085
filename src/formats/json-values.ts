// JSON of others as values, bounded: a file of millions of values would fill the memory before anything can be said of it.
import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { FormatError } from './format-error.ts'
import { JsonTokens } from './json-tokens.ts'
import { MAX_VALUES } from './permissions.ts'

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
