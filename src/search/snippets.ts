// Excerpts of a text around matches of a search, in parts that match or do not. Never HTML. Pure.
import { stemOf } from './stem.ts'
import { wordsIn } from './words.ts'

export interface Part {
  text: string
  match: boolean
}

/** Approximate length of an excerpt, in characters. */
const LENGTH = 200
/** Characters before the first match. */
const BEFORE = 60
/** Characters of all texts of a page that are searched for matches; later texts show their beginnings. */
const MAX_LOOKED_THROUGH = 100_000
const ELLIPSIS = '…'

interface Range {
  start: number
  end: number
}

/** Finds the words of texts whose terms are among these: one for each page. */
export function highlighter(terms: ReadonlySet<string>) {
  const known = new Map<string, boolean>()
  let room = MAX_LOOKED_THROUGH
  const isMatch = (word: string) => {
    let match = known.get(word)
    if (match === undefined) {
      match = terms.has(stemOf(word))
      known.set(word, match)
    }
    return match
  }
  const rangesIn = function* (text: string): Generator<Range> {
    for (const { start, end, whole, parts } of wordsIn(text)) {
      if (isMatch(whole) || parts.some(isMatch)) yield { start, end }
    }
  }
  return {
    /** The whole of a text. */
    highlight: (text: string): Part[] => partsOf(text, { start: 0, end: text.length }, [...rangesIn(text)]),
    /** The part of a text around its first match; its beginning where there is none. */
    snippet(text: string): Part[] {
      const looked = text.slice(0, room)
      const first = rangesIn(looked).next().value
      room -= first?.end ?? looked.length
      const window = windowAround(text, first?.start ?? 0)
      const shown = text.slice(window.start, window.end)
      const ranges = [...rangesIn(shown)]
      const parts = partsOf(shown, { start: 0, end: shown.length }, ranges)
      return [
        ...(window.start > 0 ? [{ text: ELLIPSIS, match: false }] : []),
        ...parts,
        ...(window.end < text.length ? [{ text: ELLIPSIS, match: false }] : []),
      ]
    },
  }
}

/** Cut between words, never within a character. */
function windowAround(text: string, at: number): Range {
  if (text.length <= LENGTH) return { start: 0, end: text.length }
  const wanted = Math.max(0, Math.min(at - BEFORE, text.length - LENGTH))
  const space = wanted === 0 ? -1 : text.indexOf(' ', wanted)
  const start = wanted === 0 ? 0 : space >= 0 && space < at ? space + 1 : at
  const most = Math.min(text.length, start + LENGTH)
  const lastSpace = text.lastIndexOf(' ', most)
  const end = most === text.length ? most : lastSpace > start + LENGTH / 2 ? lastSpace : most
  const isHalf = end < text.length && !text.slice(start, end).isWellFormed()
  return withoutDots(text, { start, end: isHalf ? end - 1 : end }, at)
}

/** Dots of the text's own are not shown beside the ellipsis of a cut. */
function withoutDots(text: string, { start, end }: Range, at: number): Range {
  const before = start > 0 ? (/^[.…\s]+/.exec(text.slice(start, at))?.[0].length ?? 0) : 0
  const after = end < text.length ? (/[.…\s]+$/.exec(text.slice(at, end))?.[0].length ?? 0) : 0
  return { start: start + before, end: end - after }
}

function partsOf(text: string, { start, end }: Range, ranges: readonly Range[]): Part[] {
  const parts: Part[] = []
  let at = start
  for (const range of ranges) {
    if (range.start > at) parts.push({ text: text.slice(at, range.start), match: false })
    parts.push({ text: text.slice(range.start, range.end), match: true })
    at = range.end
  }
  if (at < end) parts.push({ text: text.slice(at, end), match: false })
  return parts
}
