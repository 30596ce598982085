// The languages of the product.

/** A new language is a line here, and a file in every folder of `messages`. */
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
