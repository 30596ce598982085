// Names that clients choose. They appear on our pages and in our mails, so a name is one short line of visible characters.

const MAX_LENGTH = 60

/** Control, format (including bidirectional and zero-width), unassigned and private characters, and those that render as nothing. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu
const SPACES = /[\p{Z}\t\n\v\f\r\u0085]+/gu

/** The name as one line of at most 60 characters; undefined when nothing is left of it, or it is not a string. */
export function plainName(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  const line = given.replace(SPACES, ' ').replace(UNSEEN, '').replace(/ +/g, ' ').trim()
  // Never cuts a surrogate pair in half.
  const short = line.length > MAX_LENGTH ? line.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '') : line
  return short.trim() || undefined
}
