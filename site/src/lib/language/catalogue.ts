// The words of the site: every area of the catalogue, in each language.
import { areas, type Messages } from '../../../../messages/catalogue.ts'
import { FALLBACK } from '../../../../src/contract/languages.ts'
import { catalogueOf, type Site, speaker, type Words } from '../../../../src/language/words.ts'

export type { Messages }

/** Called with the key of a message; has the formats of the language. */
export type SiteWords = Words<Messages>

export type Key = keyof Messages

/** Messages without variables and tags: `t(key)` is all that they need. */
type PlainKey = {
  [Each in Key]: [keyof Messages[Each]['values'], Messages[Each]['tags']] extends [never, never] ? Each : never
}[Key]

const catalogue = catalogueOf(areas)

/** The words of a language. */
export const wordsIn = speaker<Messages>(catalogue)

/** The words of what is the same for all readers, in the site's own language: feeds, pictures, badges, and HTML that is cached. They do not know its name. */
export const siteWords = wordsIn(FALLBACK)

/** The same on a server of this name, with the words that its operator chose. */
export const siteWordsOf = (site: Site): SiteWords => wordsIn(FALLBACK, site)

const isPlain = (key: string): key is PlainKey =>
  Object.hasOwn(catalogue.en, key) && !/[{<]/.test((catalogue.en[key] ?? '').replaceAll('{site}', ''))

/** A message without variables by a key that is known at run time alone, such as that of a declared field; undefined where there is none. */
export const wordOf = (t: SiteWords, key: string): string | undefined => (isPlain(key) ? t(key) : undefined)
