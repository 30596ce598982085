// The words of the site: every area of the catalogue, in each language.
import { areas, type Messages } from '../../../../messages/catalogue.ts'
import { catalogueOf, speaker, type Words } from '../../../../src/language/words.ts'

export type { Messages }

/** Called with the key of a message; has the formats of the language. */
export type SiteWords = Words<Messages>

export type Key = keyof Messages

/** The words of a language. */
export const wordsIn = speaker<Messages>(catalogueOf(areas))
