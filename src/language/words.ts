// Messages of the catalogue in one language, with their variables put in. Messages are in ICU MessageFormat; a message without
// variables is its own text, so most cost nothing.
import { IntlMessageFormat } from 'intl-messageformat'
import {
  type AddedLanguages,
  FALLBACK,
  isLanguage,
  type Language,
  languages,
  type OfferedLanguage,
  offeredLanguages,
} from '../contract/languages.ts'

// Numbers, dates, sizes and lists as a language writes them, by Intl. Times are in UTC: the server does not know the reader's zone.

interface Formats {
  /** 1,234.5 */
  number(value: number): string
  /** 999, 1.2k, 3.4M: cut, not rounded up. */
  short(value: number): string
  /** 2.5 as $2.50, 100 as $100, 0.0005 as $0.0005 */
  dollars(value: number): string
  /** 0.5 as 50% */
  percent(value: number): string
  /** 831 bytes, 12 kB, 3.4 MB; a kB is 1,000 bytes. */
  bytes(value: number): string
  /** For quotas: a kB is 1,024 bytes, and fractions round up. */
  storage(value: number): string
  /** 21 Nov 2026, of a timestamp or a day */
  day(at: string): string
  /** 21 Nov 2026, 09:30:00 UTC */
  exact(at: string): string
  /** "3 hours ago", "in 2 days"; the day where it is 28 days away or more. `now` in milliseconds. */
  ago(at: string, now: number): string
  /** "a, b and c" */
  list(parts: readonly string[], type?: 'conjunction' | 'disjunction'): string
}

/** What Intl formats a language by: an added one by its tag, and by those of English where Intl does not know it. */
const localesOf = (language: string): string[] =>
  isLanguage(language) ? [languages[language].locale] : [language, languages.en.locale]

type Unit = [limitSeconds: number, unitSeconds: number, unit: Intl.RelativeTimeFormatUnit]

const STEPS: readonly Unit[] = [
  [60, 1, 'second'],
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [28 * 86_400, 86_400, 'day'],
]

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

const date = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const

function sizes(locale: string[], { base, roundingMode }: { base: number; roundingMode: 'halfExpand' | 'ceil' }) {
  const formats = SIZES.map(
    (unit) =>
      new Intl.NumberFormat(locale, {
        ...{ style: 'unit', unit, unitDisplay: unit === 'byte' ? 'long' : 'short', roundingMode },
        ...(unit === 'byte' || roundingMode === 'ceil'
          ? { maximumFractionDigits: 1 }
          : { maximumSignificantDigits: 2, minimumSignificantDigits: 1, roundingPriority: 'lessPrecision' }),
      }),
  )
  return (value: number): string => {
    const power = value === 0 ? 0 : Math.min(Math.floor(Math.log(Math.abs(value)) / Math.log(base)), SIZES.length - 1)
    const scaled = value / base ** power
    return formats[power]?.format(scaled >= 100 ? Math.round(scaled) : scaled) ?? ''
  }
}

function make(language: string): Formats {
  const locale = localesOf(language)
  const number = new Intl.NumberFormat(locale)
  const short = new Intl.NumberFormat(locale, { notation: 'compact', roundingMode: 'trunc' })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const dollars = new Intl.NumberFormat(locale, {
    ...{ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' },
    ...{ maximumFractionDigits: 6, trailingZeroDisplay: 'stripIfInteger' },
  })
  const day = new Intl.DateTimeFormat(locale, date)
  const exact = new Intl.DateTimeFormat(locale, { ...date, ...time })
  const relative = new Intl.RelativeTimeFormat(locale)
  const lists = {
    conjunction: new Intl.ListFormat(locale, { type: 'conjunction' }),
    disjunction: new Intl.ListFormat(locale, { type: 'disjunction' }),
  }
  const dayOf = (at: string) => day.format(Date.parse(at))
  return {
    number: (value) => number.format(value),
    short: (value) => short.format(value),
    dollars: (value) => dollars.format(value),
    percent: (value) => percent.format(value),
    bytes: sizes(locale, { base: 1000, roundingMode: 'halfExpand' }),
    storage: sizes(locale, { base: 1024, roundingMode: 'ceil' }),
    day: dayOf,
    exact: (at) => exact.format(Date.parse(at)),
    ago(at, now) {
      const seconds = Math.round((Date.parse(at) - now) / 1000)
      // What is past is cut; what lies ahead is rounded, so that a term of 14 days has 14 days when it begins.
      const inUnits = (unit: number) => (seconds < 0 ? Math.trunc(seconds / unit) : Math.round(seconds / unit))
      const step = STEPS.find(([limit, unit]) => Math.abs(inUnits(unit) * unit) < limit)
      return step ? relative.format(inUnits(step[1]), step[2]) : dayOf(at)
    },
    list: (parts, type = 'conjunction') => lists[type].format(parts),
  }
}

const made = new Map<string, Formats>()

/** The formats of a language, made once. */
export function formatsOf(language: string): Formats {
  const known = made.get(language)
  if (known) return known
  const formats = make(language)
  made.set(language, formats)
  return formats
}

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
