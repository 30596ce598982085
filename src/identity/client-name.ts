// What a client calls itself. Others read it on our pages and in our mail, so it is one short line of letters that are seen.

const MAX_LENGTH = 60

/** Control, format (bidirectional and zero-width ones among them), unassigned and private characters, and those that show nothing. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu
const SPACES = /[\p{Z}\t\n\v\f\r\u0085]+/gu

/** The name as one line of at most 60 characters; undefined when nothing is left of it, or it is no text. */
export function plainName(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  const line = given.replace(SPACES, ' ').replace(UNSEEN, '').replace(/ +/g, ' ').trim()
  // Not through the middle of a character that takes two units.
  const short = line.length > MAX_LENGTH ? line.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '') : line
  return short.trim() || undefined
}
