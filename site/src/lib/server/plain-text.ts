// The words of a text without its marks, cut where a description of the page needs it.
import type { Token } from 'markdown-it'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The words in the tokens of markdown-it; what stands apart in the page stands apart here. */
export function wordsOf(tokens: readonly Token[]): string {
  let words = ''
  for (const token of tokens) {
    if (token.type === 'image' || token.type === 'inline') words += wordsOf(token.children ?? [])
    else if (token.type === 'softbreak' || token.type === 'hardbreak' || token.block) words += ' '
    if (!token.children) words += token.content
  }
  return words
}

/** A text of at most `max` characters: whitespace is one space each, and a cut is at a word and shown by `…`. */
export function shorten(text: string, max: number): string {
  const words = text.replace(/\s+/g, ' ').trim()
  if (words.length <= max) return words
  const room = Math.max(0, max - 1)
  // A word that begins in the first half would leave a stub.
  const space = words.lastIndexOf(' ', room)
  if (space > room / 2) return `${words.slice(0, space).replace(/[\s,;:.–—-]+$/, '')}…`
  const grapheme = graphemes.segment(words.slice(0, max + 32)).containing(room)?.index ?? room
  const end = grapheme > room / 2 ? grapheme : room
  return `${words
    .slice(0, end)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}
