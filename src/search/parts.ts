// What a query of a list or of the library has to find: its parts, which may stand anywhere, also within longer words. Pure.
import type { QueryMeaning } from '../database/search.ts'
import { stemOf } from './stem.ts'

/** So many words are looked for. */
const MAX_WORDS = 16

/** What a form of a word adds to its stem. */
const ENDING = /^(?:e?s|ed|ing)$/

/** Of words each by itself, of a form the stem: `restart` for `restarts`. Of a substring all of it. */
export function partsOf(q: string, meaning: QueryMeaning): string[] {
  if (meaning === 'substring') return q === '' ? [] : [q]
  const words = q.split(/\s+/u).filter(Boolean).slice(0, MAX_WORDS)
  return words.map((word) => {
    const plain = word.toLowerCase()
    const stem = stemOf(plain)
    return plain.startsWith(stem) && ENDING.test(plain.slice(stem.length)) ? stem : word
  })
}
