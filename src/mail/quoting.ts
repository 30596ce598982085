// Words of members in letters: a reader sees where they begin and end, whichever words they are.
import { oneLine } from '../contract/storable.ts'

const QUOTES = /["\u201c-\u201f\u00ab\u00bb]/g
const LINES = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

/** A name or a title for a message that puts it between quotation marks: none of its own ends them. */
export const inQuotes = (words: string): string => oneLine(words).replace(QUOTES, "'")

/** A text of lines as a letter quotes it: `> ` before each of them, however they are broken. */
export const quotedLines = (words: string): string =>
  words
    .split(LINES)
    .map((line) => `> ${line}`)
    .join('\n')
