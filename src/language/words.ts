// Messages of the catalogue in one language, with their variables put in. Messages are in ICU MessageFormat; a message without
// variables is its own text, so most cost nothing.
import { IntlMessageFormat } from 'intl-messageformat'
import {
  type AddedLanguages,
  FALLBACK,
  isLanguage,
  type Language,
  type OfferedLanguage,
  offeredLanguages,
} from '../contract/languages.ts'
import { type Formats, formatsOf, localesOf } from './formats.ts'

export type None = Readonly<Record<never, never>>

/** A message with its variables, and the tags around parts of it, as `npm run derive` reads them from the English text. */
export interface Message<Values = None, Tag extends string = never> {
  values: Values
  tags: Tag
}

/** What a call with the key of a message takes beside it; a message with tags is shown by the component Text. */
export type MessageValues<Of> =
  Of extends Message<infer Values, infer Tag>
    ? [Tag] extends [never]
      ? keyof Values extends never
        ? []
        : [values: Values]
      : never
    : never

/** The words of one language: called with a key, and with the formats of the language. */
export interface Words<Messages> extends Formats {
  <Key extends keyof Messages & string>(key: Key, ...values: MessageValues<Messages[Key]>): string
  /** Its tag. */
  language: string
  /** All languages of the server. */
  offered: readonly OfferedLanguage[]
  /** The name of this server, which messages with `{site}` say. */
  site: string
  /** A message as it is written, with its variables in braces. */
  source(key: string): string
  /** A message by a key that is known at run time alone, with the values that its text has. */
  text(key: string, values: Readonly<Record<string, string | number>>): string
  /** The parts of a message with tags. */
  parts<Key extends keyof Messages & string>(key: Key, values?: Readonly<Record<string, string | number>>): Part[]
}

export type Part = string | { tag: string; text: string }

/** The texts of some areas, by language: `{ en: { 'auth.title': 'Sign in' } }`. */
export type Catalogue = Readonly<Record<Language, Readonly<Record<string, string>>>>

/** One area of the catalogue: `messages/<name>/<language>.json`. */
export type Area = Readonly<Record<Language, Readonly<Record<string, string>>>>

/** Areas as one catalogue: the key of a message is its area and its name. */
export function catalogueOf(areas: Readonly<Record<string, Area>>): Catalogue {
  const textsOf = (language: Language) =>
    Object.fromEntries(
      Object.entries(areas).flatMap(([area, texts]) =>
        Object.entries(texts[language]).map(([name, text]) => [`${area}.${name}`, text]),
      ),
    )
  return { en: textsOf('en'), de: textsOf('de') }
}

/** Anything that the format gives a meaning (ICU MessageFormat). */
const SPECIAL = /[{}<>']/

const TAG = /<(\w+)>/g

/** Names that were before are forgotten with these. */
const MOST_NAMES = 20

type Inner = readonly (Part | readonly Part[])[]

/** Texts by language and key that stand in the place of messages. */
export type OwnTexts = Readonly<Record<Language | 'others', Readonly<Record<string, string>>>>

/** A server as its messages say it. */
export interface Site {
  name: string
  texts?: OwnTexts | undefined
  /** Those that its operator added. */
  languages?: AddedLanguages | undefined
}

/** The words of a language on a server; without one they have no message that says its name. */
interface WordsParams {
  language: string
  site?: Site | undefined
}

function speak<Messages>(catalogue: Catalogue, { language, site }: WordsParams): Words<Messages> {
  const named = site === undefined ? {} : { site: site.name }
  const builtIn = isLanguage(language) ? language : FALLBACK
  const texts = catalogue[builtIn]
  const own = site?.texts?.[isLanguage(language) ? language : 'others']
  const added = isLanguage(language) ? undefined : site?.languages?.get(language)?.texts
  const formats = new Map<string, IntlMessageFormat>()
  const textOf = (key: string): string => {
    if (!Object.hasOwn(texts, key)) throw new Error(`There is no message ${key} in ${language}`)
    return (own && Object.hasOwn(own, key) ? own[key] : undefined) ?? added?.[key] ?? texts[key] ?? ''
  }
  const formatOf = (key: string): IntlMessageFormat => {
    const known = formats.get(key)
    if (known) return known
    // What an added language lacks is an English sentence, with the plurals of English.
    const format = new IntlMessageFormat(
      textOf(key),
      localesOf(added && !Object.hasOwn(added, key) ? builtIn : language),
    )
    formats.set(key, format)
    return format
  }
  const say = (key: string, values?: Readonly<Record<string, string | number>>): string => {
    const text = textOf(key)
    return SPECIAL.test(text) ? String(formatOf(key).format({ ...named, ...values })) : text
  }
  const parts = (key: string, values: Readonly<Record<string, string | number>> = {}): Part[] => {
    const tags = [...textOf(key).matchAll(TAG)].map(([, tag = '']) => tag)
    const wrap = (tag: string) => (inner: Inner) => ({ tag, text: inner.join('') })
    const wraps = Object.fromEntries(tags.map((tag) => [tag, wrap(tag)]))
    return formatOf(key)
      .formatToParts<Part>({ ...named, ...values, ...wraps })
      .map(({ value }) => value)
  }
  const spoken: unknown = Object.assign(say, formatsOf(language), {
    language,
    offered: offeredLanguages(site?.languages),
    site: site?.name ?? '',
    source: textOf,
    parts,
    text: say,
  })
  // The keys and variables that `Messages` names are those of the texts: both are read from the same files.
  return spoken as Words<Messages>
}

/** In the place of texts and languages that a server does not have. */
const NONE = {}

/** The words of each language on a server of each name, made once. A server has one name at a time. */
export function speaker<Messages>(catalogue: Catalogue): (language: string, site?: Site) => Words<Messages> {
  const owned = new WeakMap<object, WeakMap<object, Map<string, Words<Messages>>>>()
  const madeFor = (site: Site | undefined) => {
    const texts: object = site?.texts ?? NONE
    const languages: object = site?.languages ?? NONE
    const ofTexts = owned.get(texts) ?? new WeakMap<object, Map<string, Words<Messages>>>()
    const made = ofTexts.get(languages) ?? new Map<string, Words<Messages>>()
    owned.set(texts, ofTexts.set(languages, made))
    return made
  }
  return (language, site) => {
    const key = `${language} ${site?.name ?? ''}`
    const made = madeFor(site)
    const known = made.get(key)
    if (known) return known
    if (made.size >= MOST_NAMES) made.clear()
    const words = speak<Messages>(catalogue, { language, site })
    made.set(key, words)
    return words
  }
}
