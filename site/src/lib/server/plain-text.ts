// The words of a text without marks, and how they are cut.
import type { Token } from 'markdown-it'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A footnote whose text is not there. */
const NOTE = /\[\^[^\]\s]{1,300}\]/g

/** The words in the tokens of markdown-it, with spaces between blocks, and without footnotes. */
export function wordsOf(tokens: readonly Token[]): string {
  let words = ''
  let isNote = false
  for (const token of tokens) {
    if (token.type === 'footnote_block_open' || token.type === 'footnote_block_close') isNote = token.nesting === 1
    if (isNote) continue
    if (token.type === 'image' || token.type === 'inline') words += wordsOf(token.children ?? [])
    else if (token.type === 'softbreak' || token.type === 'hardbreak' || token.block) words += ' '
    if (!token.children) words += token.type === 'text' ? token.content.replace(NOTE, '') : token.content
  }
  return words
}

/** A text of at most `max` characters, cut at a word and ended by `…`. Whitespace becomes single spaces. */
export function shorten(text: string, max: number): string {
  const words = text.replace(/\s+/g, ' ').trim()
  if (words.length <= max) return words
  const room = Math.max(0, max - 1)
  // A cut in the first half would leave too little.
  const space = words.lastIndexOf(' ', room)
  if (space > room / 2) return `${words.slice(0, space).replace(/[\s,;:.–—-]+$/, '')}…`
  const grapheme = graphemes.segment(words.slice(0, max + 32)).containing(room)?.index ?? room
  const end = grapheme > room / 2 ? grapheme : room
  return `${words
    .slice(0, end)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`
}
