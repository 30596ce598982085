// The words of mails: the areas `mails` and `operations` of the catalogue. A letter is written when it is put into the outbox, in the language of
// its reader, who sees where the words of members begin and end, whichever words they are.
import de from '../../messages/mails/de.json' with { type: 'json' }
import en from '../../messages/mails/en.json' with { type: 'json' }
import type { MailsMessages } from '../../messages/mails/keys.ts'
import { oneLine } from '../contract/storable.ts'
import { operations } from '../language/operation-words.ts'
import { oauth } from '../language/scope-words.ts'
import { catalogueOf, speaker, type Words } from '../language/words.ts'

export type MailWords = Words<MailsMessages>

export const mailWords = speaker<MailsMessages>(catalogueOf({ mails: { en, de }, oauth, operations }))

/** Subject and text, as `write` makes them in the words of a language. */
export interface Letter {
  write(t: MailWords): { subject: string; body: string }
}

export const letter = (write: Letter['write']): Letter => ({ write })

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
