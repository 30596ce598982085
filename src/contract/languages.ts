// The languages of the product, and those that an operator adds (src/config/added-languages.ts).
import { Problem } from './problem.ts'

/** A new language of the product is a line here, and a file in every folder of `messages`. */
export const languages = {
  /** `locale` is what Intl formats by: English dates have the day first. */
  en: { name: 'English', locale: 'en-GB' },
  de: { name: 'Deutsch', locale: 'de-DE' },
} as const satisfies Record<string, { name: string; locale: string }>

export type Language = keyof typeof languages

export const LANGUAGES = ['en', 'de'] as const satisfies readonly Language[]

/** For readers who named none that there is. */
export const FALLBACK: Language = 'en'

export const isLanguage = (name: string | null | undefined): name is Language =>
  name != null && Object.hasOwn(languages, name)

/** How a tag is written (BCP 47): `fr`, `pt-BR`, `zh-Hant`. */
export const LANGUAGE_TAG: RegExp = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/
export const LONGEST_TAG = 11

/** A language of a server: its tag (BCP 47), and what it calls itself. */
export interface OfferedLanguage {
  tag: string
  name: string
}

/** A language that an operator added, with its messages by area and name: `{ 'auth.title': 'Connexion' }`. What it has not is in English. */
export interface AddedLanguage extends OfferedLanguage {
  texts: Readonly<Record<string, string>>
}

/** By tag. */
export type AddedLanguages = ReadonlyMap<string, AddedLanguage>

/** Whether a server has this language. */
export const isOffered = (name: string | null | undefined, added?: AddedLanguages): name is string =>
  isLanguage(name) || (name != null && added?.has(name) === true)

/** What a server offers its readers. */
export const offeredLanguages = (added?: AddedLanguages): OfferedLanguage[] => [
  ...LANGUAGES.map((tag) => ({ tag, name: languages[tag].name })),
  ...[...(added?.values() ?? [])].map(({ tag, name }) => ({ tag, name })),
]

/** The language of a server with this tag. */
export function requireOffered({ languages: added }: { languages: AddedLanguages }, tag: string): OfferedLanguage {
  const found = offeredLanguages(added).find((one) => one.tag === tag)
  if (!found) throw new Problem('invalid_request', 'language: is not a language of this server')
  return found
}
