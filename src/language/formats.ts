// Numbers, dates, sizes and lists as a language writes them, by Intl. Times are in UTC: the server does not know the reader's zone.
import { isLanguage, languages } from '../contract/languages.ts'

export interface Formats {
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
export const localesOf = (language: string): string[] =>
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
