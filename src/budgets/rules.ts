// The limits of each budget (behaviour.md, section 7), and how an operator's own figures apply. No input or output.
import type { BudgetName, BudgetStanding, WriteBudget } from '../contract/budget.ts'
import { withCommas } from '../contract/explain.ts'
import { keysOf } from '../contract/records.ts'
import { required } from '../runtime/untyped.ts'

/** How many in how long. */
export interface Rate {
  count: number
  windowSeconds: number
}

/** The limits of an account. An empty list means no limit. */
export interface WriteRates {
  verified: readonly Rate[]
  unverified: readonly Rate[]
}

export interface Budgets extends Record<WriteBudget, WriteRates> {
  /** Stored in all, in bytes. */
  bytes: { verified: number; unverified: number }
  /** Stored by accounts without a verified address together, in bytes: by those of a network, and of an IPv6 /64. */
  newcomers: { network: number; subnet: number }
  /** Sign-ups with a password: from a network, an IPv4 address, and an IPv6 /64. */
  signups: { network: readonly Rate[]; address: readonly Rate[]; subnet: readonly Rate[] }
  /** Of uploads that are being read, in bytes, in a process. */
  staged: { all: number }
  /** Seconds of CPU time of threads that read and scan files. */
  work: WriteRates
  registrations: { network: readonly Rate[]; all: readonly Rate[] }
  cosignatures: { network: readonly Rate[] }
  mails: { address: readonly Rate[]; network: readonly Rate[]; all: readonly Rate[] }
  /** An account younger than this has the figures of an unverified one, also when its email is verified. */
  youngSeconds: number
}

export const HOUR = 3600
export const DAY = 86_400
const MEGABYTE = 1_048_576

const hourly = (count: number): Rate => ({ count, windowSeconds: HOUR })
const daily = (count: number): Rate => ({ count, windowSeconds: DAY })

export const defaultBudgets: Budgets = {
  topics: { verified: [hourly(30), daily(200)], unverified: [hourly(5)] },
  comments: { verified: [hourly(120), daily(1000)], unverified: [hourly(20)] },
  votes: { verified: [hourly(600)], unverified: [hourly(100)] },
  orgs: { verified: [hourly(20)], unverified: [hourly(3)] },
  runs: { verified: [hourly(60)], unverified: [hourly(5)] },
  images: { verified: [hourly(60)], unverified: [hourly(5)] },
  webhooks: { verified: [hourly(60)], unverified: [hourly(10)] },
  reports: { verified: [hourly(30), daily(100)], unverified: [hourly(5)] },
  checks: { verified: [hourly(60)], unverified: [hourly(10)] },
  owners: { verified: [hourly(60)], unverified: [hourly(10)] },
  keys: { verified: [hourly(60)], unverified: [hourly(10)] },
  teams: { verified: [hourly(5), daily(10)], unverified: [hourly(2)] },
  drafts: { verified: [hourly(1000)], unverified: [hourly(300)] },
  machines: { verified: [hourly(20), daily(60)], unverified: [hourly(3)] },
  bytes: { verified: 2048 * MEGABYTE, unverified: 20 * MEGABYTE },
  newcomers: { network: 200 * MEGABYTE, subnet: 20 * MEGABYTE },
  signups: { network: [hourly(50)], address: [hourly(20)], subnet: [hourly(5)] },
  staged: { all: 2048 * MEGABYTE },
  work: { verified: [hourly(600)], unverified: [hourly(120)] },
  registrations: { network: [hourly(500)], all: [hourly(5000)] },
  cosignatures: { network: [hourly(1000)] },
  mails: { address: [hourly(5)], network: [hourly(20)], all: [hourly(2000)] },
  youngSeconds: 0,
}

/** Whether the data of a budget counts towards the bytes of the account. */
export const storesBytes: Partial<Record<BudgetName, true>> = {
  orgs: true,
  runs: true,
  images: true,
  uploads: true,
  owners: true,
}

/** The noun of a budget in a sentence. */
export const wordsOf: Readonly<Record<WriteBudget | 'registrations' | 'cosignatures' | 'mails' | 'signups', string>> = {
  topics: 'bugs, feature requests and posts',
  comments: 'comments',
  votes: 'votes',
  orgs: 'org uploads',
  runs: 'run uploads',
  images: 'images',
  webhooks: 'changes and tests of webhooks',
  reports: 'reports and appeals',
  checks: 'checks of files',
  owners: 'changes of owners and invitations',
  keys: 'revocations of signing keys',
  teams: 'new teams',
  drafts: 'changes of drafts',
  machines: 'questions to the machine',
  registrations: 'client registrations',
  cosignatures: 'cosignatures of the log',
  mails: 'mails',
  signups: 'sign-ups',
}

export const windowWord = (seconds: number): string =>
  ({ [HOUR]: 'hour', [DAY]: 'day', 60: 'minute' })[seconds] ?? `${seconds}s`

/** "30 an hour, 200 a day" */
export const ratesInWords = (rates: readonly Rate[]): string =>
  rates
    .map(
      ({ count, windowSeconds }) =>
        `${withCommas(count)} ${windowSeconds === HOUR ? 'an' : 'a'} ${windowWord(windowSeconds)}`,
    )
    .join(', ') || 'no limit'

/** "2 GB" */
export function bytesInWords(bytes: number): string {
  if (bytes === Number.POSITIVE_INFINITY) return 'no limit'
  const unit = bytes >= 1024 * MEGABYTE ? 1024 * MEGABYTE : bytes >= MEGABYTE ? MEGABYTE : 1024
  const name = unit === 1024 ? 'KB' : unit === MEGABYTE ? 'MB' : 'GB'
  return `${withCommas(Math.floor((bytes / unit) * 10) / 10)} ${name}`
}

/** A budget that is missing here would be declared and never counted: the type asks for each. */
const counted: Record<WriteBudget, true> = {
  ...{ topics: true, comments: true, votes: true, orgs: true, runs: true, images: true, webhooks: true, reports: true },
  ...{ checks: true, owners: true, keys: true, teams: true, drafts: true, machines: true },
}

export const writeBudgets = keysOf(counted)

export const isWrite = (name: BudgetName): name is WriteBudget => Object.hasOwn(counted, name)

/** The limits of a budget in words, for the reference. The figures are the defaults. */
export function budgetInWords(name: BudgetName): string {
  if (name === 'uploads') return '30 uploads an hour'
  if (name === 'mails') {
    const { address, network, all } = defaultBudgets.mails
    return `${ratesInWords(address)} to one address, ${ratesInWords(network)} caused by one network, ${ratesInWords(all)} in all`
  }
  if (name === 'registrations') {
    const { network, all } = defaultBudgets.registrations
    return `${ratesInWords(network)} by one network, ${ratesInWords(all)} in all`
  }
  if (name === 'cosignatures') return `${ratesInWords(defaultBudgets.cosignatures.network)} by one network`
  const { verified, unverified } = defaultBudgets[name]
  return `${ratesInWords(verified)}; ${ratesInWords(unverified)} until the email is verified (${wordsOf[name]})`
}

/** Structured fields (RFC 9651) of draft-ietf-httpapi-ratelimit-headers-11: lists of strings with parameters. */
export function rateLimitHeaders(standings: readonly BudgetStanding[]): Record<string, string> {
  if (standings.length === 0) return {}
  return {
    'RateLimit-Policy': standings.map(policyItem).join(', '),
    RateLimit: standings.map(limitItem).join(', '),
  }
}

const policyItem = ({ policy, quota, window, unit }: BudgetStanding) =>
  `"${policy}";q=${quota}${unit ? `;qu="${unit}"` : ''}${window ? `;w=${window.seconds}` : ''}`

const limitItem = ({ policy, remaining, window }: BudgetStanding) =>
  `"${policy}";r=${remaining}${window ? `;t=${window.resetsInSeconds}` : ''}`

// BUDGETS: an operator's own figures, such as `topics: 60/hour 400/day, 10/hour; bytes: 10GB, 100MB; votes: off, 200/hour`. Each part
// names a budget and gives its columns in the order of the table in docs/settings.md; other budgets keep their defaults.

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
