// What reports of outcomes come to: the one place with the formula (docs/decisions/2026-11-29-outcomes.md gives the reasons). An account is one
// voice on a version, however often it reports. A network is one voice too, that of the heaviest of its accounts; where six or more report from it,
// it is a crowd, which has at most a thousandth of all voices. So nothing is gained by further accounts. Pure.
import { defaultTrust, type TrustRule } from '../../contract/trust.ts'

/** What a voice weighs, in hundredths, by the level that the age of its account gives (contract/trust.ts), or by its level where that is higher. */
export const WEIGHTS = [10, 25, 50, 100, 100] as const
/** Figures and classes of errors are shown from so many accounts on: fewer would tell what one of them reported. */
export const MIN_ACCOUNTS = 5
/** From so many accounts on a network is a crowd on a version: it has at most this share of what all networks weigh. */
export const CROWD = 6
const CROWD_SHARE = 0.001
/** The newest reports of a version that count. */
export const MAX_REPORTS = 10_000
/** Days for which a report counts and is kept. */
export const COUNTED_DAYS = 180
/** Days after a download in which the account can report. */
export const REPORTABLE_DAYS = 90
/** The normal quantiles of 95 %, on both sides and on one. */
const Z = 1.959964
const Z_ONE_SIDED = 1.644854
/** A rate that is lower by less than this, in ten-thousandths, is no regression, however sure it is. */
const MIN_DROP = 500
const DAY = 86_400_000

interface Reporter {
  createdAt: string
  verified: boolean
  trust?: number | undefined
}

/** What a report of an account weighs, in hundredths: 10 for one without a verified address. `rule` is that of the instance, if it has one. */
export function weightOf(
  { createdAt, verified, trust = 0 }: Reporter,
  rule: TrustRule | undefined,
  now: string,
): number {
  const days = (Date.parse(now) - Date.parse(createdAt)) / DAY
  const { thresholds } = rule ?? defaultTrust
  const byAge = verified ? thresholds.filter((level) => days >= level.days).length : 0
  return WEIGHTS[Math.max(byAge, rule && verified ? trust : 0)] ?? WEIGHTS[0]
}

/** The lower bound of the share of successes at 95 % (Wilson 1927), of `n` trials, which need not be whole; 0 without any. */
export function lowerBound(share: number, n: number): number {
  if (n <= 0) return 0
  const square = Z ** 2
  const middle = share + square / (2 * n)
  const spread = Z * Math.sqrt((share * (1 - share) + square / (4 * n)) / n)
  return Math.max(0, (middle - spread) / (1 + square / n))
}

/** A report as it counts. */
export interface CountedReport {
  accountId: string
  network: string
  outcome: 'worked' | 'failed'
  error: string | null
  weight: number
}

export interface ErrorClass {
  error: string
  reports: number
}

export interface Figures {
  worked: number
  failed: number
  accounts: number
  /** In hundredths. */
  weight: number
  /** In ten-thousandths. */
  rate: number
  lower: number
  /** Those that enough accounts reported, the most frequent first. */
  errors: ErrorClass[]
}

interface Voice {
  worked: number
  reports: number
  weight: number
}

const average = (voices: readonly (readonly [share: number, weight: number])[]) => {
  const all = voices.reduce((sum, [, weight]) => sum + weight, 0)
  return voices.reduce((sum, [share, weight]) => sum + share * (weight / all), 0)
}

/**
 * The figures of a version; undefined without reports. The share of an account is that of its reports that worked. The share of a network is the
 * average of its accounts, by their weights, and its weight that of the heaviest of them, or the share of a crowd. The rate is the average of
 * the networks by theirs.
 */
export function figuresOf(reports: readonly CountedReport[]): Figures | undefined {
  if (reports.length === 0) return undefined
  const networks = new Map<string, Map<string, Voice>>()
  for (const { network, accountId, outcome, weight } of reports) {
    const accounts = networks.get(network) ?? new Map<string, Voice>()
    const { worked, reports: before, weight: had } = accounts.get(accountId) ?? { worked: 0, reports: 0, weight: 0 }
    const voice = {
      worked: worked + (outcome === 'worked' ? 1 : 0),
      reports: before + 1,
      weight: Math.max(had, weight),
    }
    networks.set(network, accounts.set(accountId, voice))
  }
  const voices = [...networks.values()].map((accounts) => {
    const all = [...accounts.values()]
    const share = average(all.map((voice) => [voice.worked / voice.reports, voice.weight]))
    return { share, heaviest: Math.max(...all.map(({ weight }) => weight)), isCrowd: all.length >= CROWD }
  })
  const most = voices.reduce((sum, { heaviest }) => sum + heaviest, 0) * CROWD_SHARE
  const weighed = voices.map(
    ({ share, heaviest, isCrowd }) => [share, isCrowd ? Math.min(heaviest, most) : heaviest] as const,
  )
  const weight = weighed.reduce((sum, [, of]) => sum + of, 0)
  const rate = average(weighed)
  const worked = reports.filter(({ outcome }) => outcome === 'worked').length
  return {
    worked,
    failed: reports.length - worked,
    accounts: new Set(reports.map(({ accountId }) => accountId)).size,
    weight: Math.round(weight),
    rate: Math.round(rate * 10_000),
    lower: Math.round(lowerBound(rate, weight / 100) * 10_000),
    errors: commonErrors(reports),
  }
}

function commonErrors(reports: readonly CountedReport[]): ErrorClass[] {
  const failed = reports.filter(({ outcome, error }) => outcome === 'failed' && error !== null)
  return [...Map.groupBy(failed, ({ error }) => error ?? '')]
    .filter(([, of]) => new Set(of.map(({ accountId }) => accountId)).size >= MIN_ACCOUNTS)
    .map(([error, of]) => ({ error, reports: of.length }))
    .toSorted((a, b) => b.reports - a.reports || (a.error < b.error ? -1 : 1))
}

/** Whether figures may be shown. */
export const isShown = ({ accounts }: Pick<Figures, 'accounts'>): boolean => accounts >= MIN_ACCOUNTS

/**
 * Whether a version works less often than the one before: by the one-sided test of two proportions at 95 %, with the weights as counts, and by
 * five of a hundred at least.
 */
export function isRegression(
  before: Pick<Figures, 'rate' | 'weight'>,
  after: Pick<Figures, 'rate' | 'weight'>,
): boolean {
  if (before.rate - after.rate < MIN_DROP) return false
  const [p, q] = [before.rate / 10_000, after.rate / 10_000]
  const [n, m] = [before.weight / 100, after.weight / 100]
  const pooled = (p * n + q * m) / (n + m)
  return (p - q) / Math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m)) > Z_ONE_SIDED
}

/** Below this weight, in hundredths, an item ranks as one without reports. */
const MIN_RANKED_WEIGHT = 300
/** The lower bound without reports, in ten-thousandths: as if of one report, which worked. Above what mostly fails. */
const UNKNOWN_LOWER = Math.round(lowerBound(1, 1) * 10_000)
/** More downloads than this count for no more. */
const MAX_DOWNLOADS = 1_000

/**
 * The rank of an item, the best has the highest: the lower bound of the newest of its versions with figures, then its downloads up to a
 * thousand. Those who list items by it add what comes before, the relevance to a search, and after, the newest.
 */
export function rankOf(figures: Pick<Figures, 'lower' | 'weight' | 'accounts'> | undefined, downloads: number): number {
  const isKnown = figures !== undefined && isShown(figures) && figures.weight >= MIN_RANKED_WEIGHT
  return (isKnown ? figures.lower : UNKNOWN_LOWER) * (MAX_DOWNLOADS + 1) + Math.min(downloads, MAX_DOWNLOADS)
}

/** How well a name fits a search, both folded: 3 it is that, 2 it begins with it or a word of it does, 1 it has it, 0 another text has it. */
export function relevanceOf(q: string, { name, slug }: { name: string; slug: string }): number {
  if (q === '') return 0
  if (name === q || slug === q) return 3
  const isBegun = [name, slug].some((text) => text.startsWith(q) || text.includes(` ${q}`) || text.includes(`-${q}`))
  if (isBegun) return 2
  return name.includes(q) || slug.includes(q) ? 1 : 0
}
