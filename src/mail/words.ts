// The words of mails: the areas `mails` and `operations` of the catalogue. A letter is written when it is put into the outbox, in the language of its reader.
import de from '../../messages/mails/de.json' with { type: 'json' }
import en from '../../messages/mails/en.json' with { type: 'json' }
import type { MailsMessages } from '../../messages/mails/keys.ts'
import { operations } from '../language/operation-words.ts'
import { catalogueOf, speaker, type Words } from '../language/words.ts'

export type MailWords = Words<MailsMessages>

export const mailWords = speaker<MailsMessages>(catalogueOf({ mails: { en, de }, operations }))

/** Subject and text, as `write` makes them in the words of a language. */
export interface Letter {
  write(t: MailWords): { subject: string; body: string }
}

export const letter = (write: Letter['write']): Letter => ({ write })
