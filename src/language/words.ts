// Messages of the catalogue in one language, with their variables put in. Messages are in ICU MessageFormat; a message without
// variables is its own text, so most cost nothing.
import { IntlMessageFormat } from 'intl-messageformat'
import { type Language, languages } from '../contract/languages.ts'
import { type Formats, formatsOf } from './formats.ts'

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
  language: Language
  /** The name of this server, which messages with `{site}` say. */
  site: string
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
export type OwnTexts = Readonly<Record<Language, Readonly<Record<string, string>>>>

/** A server as its messages say it. */
export interface Site {
  name: string
  texts?: OwnTexts | undefined
}

/** The words of a language on a server; without one they have no message that says its name. */
interface WordsParams {
  language: Language
  site?: Site | undefined
}

function speak<Messages>(catalogue: Catalogue, { language, site }: WordsParams): Words<Messages> {
  const named = site === undefined ? {} : { site: site.name }
  const texts = catalogue[language]
  const own = site?.texts?.[language]
  const formats = new Map<string, IntlMessageFormat>()
  const textOf = (key: string): string => {
    const text = (own && Object.hasOwn(own, key) && Object.hasOwn(texts, key) ? own[key] : undefined) ?? texts[key]
    if (text === undefined) throw new Error(`There is no message ${key} in ${language}`)
    return text
  }
  const formatOf = (key: string): IntlMessageFormat => {
    const known = formats.get(key)
    if (known) return known
    const format = new IntlMessageFormat(textOf(key), languages[language].locale)
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
    site: site?.name ?? '',
    parts,
    text: say,
  })
  // The keys and variables that `Messages` names are those of the texts: both are read from the same files.
  return spoken as Words<Messages>
}

/** The words of each language on a server of each name, made once. A server has one name at a time. */
export function speaker<Messages>(catalogue: Catalogue): (language: Language, site?: Site) => Words<Messages> {
  const named = new Map<string, Words<Messages>>()
  const owned = new WeakMap<OwnTexts, typeof named>()
  const madeFor = (texts: OwnTexts | undefined) => {
    const made = (texts && owned.get(texts)) ?? (texts ? new Map<string, Words<Messages>>() : named)
    if (texts) owned.set(texts, made)
    return made
  }
  return (language, site) => {
    const key = `${language} ${site?.name ?? ''}`
    const made = madeFor(site?.texts)
    const known = made.get(key)
    if (known) return known
    if (made.size >= MOST_NAMES) made.clear()
    const words = speak<Messages>(catalogue, { language, site })
    made.set(key, words)
    return words
  }
}
