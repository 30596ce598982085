// The text of a file as the rules read it: JSON with its strings written out, one under another, so that nothing hides in an escape.
// Every place of it leads back to a line of the file.
import { FormatError } from '../../formats/format-error.ts'
import { JsonTokens } from '../../formats/json-tokens.ts'
import { readable, useOf } from './decoding.ts'

export interface TextView {
  path: string
  text: string
  /** Whether programs run it, people read it, or neither is known. */
  use: 'script' | 'prose' | 'data'
  /** The line of the file in which a place of `text` stands, from 1, and the name of the field it is the value of. */
  placeOf(at: number): { line: number; field: string }
}

/** Longer values of JSON are packages and pictures, if they are base64. */
const LONG_VALUE = 4_096
const BASE64 = /^[A-Za-z0-9+/_\s-]*={0,2}\s*$/

/** Names of fields are read for these alone. */
const HIDDEN = /[^\x20-\x7e]/

/** The text of a file, however it is written. */
export function viewOf(path: string, written: Buffer): TextView {
  const bytes = readable(written)
  const use = useOf(path, bytes)
  const isJson = use === 'data' && /^\s*[[{]/.test(bytes.toString('latin1', 0, 64))
  return (isJson ? jsonView(path, bytes) : undefined) ?? plainView(path, bytes, use)
}

function plainView(path: string, bytes: Buffer, use: TextView['use']): TextView {
  const text = bytes.toString('utf8')
  const starts: number[] = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return { path, text, use, placeOf: (at) => ({ line: indexBefore(starts, at) + 1, field: '' }) }
}

interface Entry {
  line: number
  field: string
}

/** Undefined where it is not JSON. */
function jsonView(path: string, bytes: Buffer): TextView | undefined {
  const parts: string[] = []
  const starts: number[] = []
  const entries: Entry[] = []
  let [length, field, line, counted] = [0, '', 1, 0]
  const write = (words: string) => {
    starts.push(length)
    entries.push({ line, field })
    parts.push(words)
    length += words.length
  }
  try {
    const tokens = new JsonTokens(bytes)
    for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
      for (; counted < tokens.start; counted++) if (bytes[counted] === 10) line++
      if (token === 'key') field = tokens.text()
      if (token === 'key' && HIDDEN.test(field)) write(`${field}\n`)
      if (token !== 'string') continue
      const value = tokens.text()
      if (value.length > LONG_VALUE && BASE64.test(value)) write(`${field}\n`)
      else write(`${field} = "${value}"\n`)
    }
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
  return {
    path,
    text: parts.join(''),
    use: 'data',
    placeOf: (at) => entries[indexBefore(starts, at)] ?? { line: 1, field: '' },
  }
}

/** The index of the last start that is not after `at`. */
function indexBefore(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}
