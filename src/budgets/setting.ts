// BUDGETS: an operator's own figures, such as `topics: 60/hour 400/day, 10/hour; bytes: 10GB, 100MB; votes: off, 200/hour`. Each part
// names a budget and gives its columns in the order of the table in docs/settings.md; other budgets keep their defaults.
import { required } from '../runtime/untyped.ts'
import { type Budgets, DAY, defaultBudgets, HOUR, type Rate } from './rules.ts'

const SECONDS: Readonly<Record<string, number>> = { minute: 60, hour: HOUR, day: DAY }
const UNITS: Readonly<Record<string, number>> = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 }

const OF_BYTES: ReadonlySet<string> = new Set<keyof Budgets>(['bytes', 'newcomers', 'staged'])

/** The syntax, for the error message of an invalid value. */
export const BUDGETS_EXPECTED =
  'parts such as topics: 60/hour 400/day, 10/hour; bytes: 10GB, 100MB; mails: 10/hour, 40/hour, off; young: 1 day'

/** Undefined for an invalid value. */
export function parseBudgets(value: string): Budgets | undefined {
  const budgets: Budgets = { ...defaultBudgets }
  for (const part of value.split(';').filter((text) => text.trim() !== '')) {
    const [, name, given] = part.match(/^\s*([a-z]+)\s*:\s*(.+?)\s*$/) ?? []
    if (name === undefined || given === undefined) return undefined
    const parsed = parsePart(name, given)
    if (parsed === undefined) return undefined
    Object.assign(budgets, parsed)
  }
  return budgets
}

function parsePart(name: string, given: string): Record<string, unknown> | undefined {
  if (name === 'young') {
    const [, count, unit] = given.match(/^(\d{1,4}) ?(hour|day)s?$/) ?? []
    return unit === undefined ? undefined : { youngSeconds: Number(count) * required(SECONDS[unit]) }
  }
  const columns = Object.entries(defaultBudgets).find(([budget]) => budget === name)?.[1]
  if (typeof columns !== 'object') return undefined
  const names = Object.keys(columns)
  const values = given.split(',').map((text) => (OF_BYTES.has(name) ? parseBytes : parseRates)(text.trim()))
  if (values.length !== names.length || values.includes(undefined)) return undefined
  return { [name]: Object.fromEntries(names.map((column, index) => [column, values[index]])) }
}

function parseRates(text: string): Rate[] | undefined {
  if (text === 'off') return []
  const rates = text.split(/\s+/).map((one): Rate | undefined => {
    const [, count, unit] = one.match(/^(\d{1,9})\/(minute|hour|day)$/) ?? []
    return unit === undefined ? undefined : { count: Number(count), windowSeconds: required(SECONDS[unit]) }
  })
  return rates.every((rate) => rate !== undefined) ? rates : undefined
}

function parseBytes(text: string): number | undefined {
  if (text === 'off') return Number.POSITIVE_INFINITY
  const [, count, unit] = text.match(/^(\d{1,6}) ?(KB|MB|GB|TB)$/i) ?? []
  return unit === undefined ? undefined : Number(count) * required(UNITS[unit.toUpperCase()])
}
