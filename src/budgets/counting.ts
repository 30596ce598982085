// Counting against rates: all counters of a call together, refused when one of them is full.
import type { BudgetStanding } from '../contract/budget.ts'
import { Problem } from '../contract/problem.ts'
import type { Db, RateLimitTable, Transaction } from '../database/schema.ts'
import { after, latest } from '../runtime/clock.ts'
import { required } from '../runtime/untyped.ts'
import { countUp, listCounts, type Window } from './queries.ts'
import type { Rate } from './rules.ts'

/** One count that a call adds to. */
export interface Counter {
  /** Bounded in length: a budget, a scope, an id or a network, a window. */
  key: string
  policy: string
  rate: Rate
  /** The error message of a full counter, before the time to wait. */
  sentence(): string
  shared?: true
  /** How much a call adds; 1 unless told. */
  weight?: number
}

/** What one call adds one to, at its moment. */
export interface Claim {
  counters: readonly Counter[]
  now: string
}

/** Refusals of this process by `policy|account` and `policy|shared`. */
export const refusalCounts = new Map<string, number>()

const weightOf = ({ weight = 1 }: Counter) => weight

/** Counts one call; throws `rate_limited` when a counter was full. A concurrent call waits for the row: exactly n pass. */
export async function countAll(db: Transaction, counters: readonly Counter[], now: string): Promise<BudgetStanding[]> {
  const [outcome] = await countEach(db, [{ counters, now }])
  if (outcome instanceof OverBudget) throw outcome
  return required(outcome)
}

/** Counts several calls, in their order: each has its standings, or the error of a full counter, and then it is not counted. */
export async function countEach(db: Transaction, claims: readonly Claim[]): Promise<(BudgetStanding[] | OverBudget)[]> {
  const counted = new Map<string, Pick<RateLimitTable, 'count' | 'resetsAt'>>()
  for (const { key, count, resetsAt, added } of await addToWindows(db, claims, 1)) {
    counted.set(key, { count: count - added, resetsAt })
  }
  const outcomes = claims.map(({ counters, now }) => {
    const counts = counters.map((counter) => {
      const { count, resetsAt } = required(counted.get(counter.key))
      return { counter, count, waitSeconds: secondsUntil(resetsAt, now) }
    })
    const full = counts.filter(({ counter, count }) => count + weightOf(counter) > counter.rate.count)
    if (full.length > 0) return new OverBudget(full, counts.map(standingOf))
    for (const counter of counters) required(counted.get(counter.key)).count += weightOf(counter)
    return counts.map((one) => standingOf({ ...one, count: one.count + weightOf(one.counter) }))
  })
  const refused = claims.filter((_, index) => outcomes[index] instanceof OverBudget)
  await addToWindows(db, refused, -1)
  return outcomes
}

/** Adds `step` for each claim to its counters: a statement for each length of a window, all in one order. */
async function addToWindows(db: Transaction, claims: readonly Claim[], step: 1 | -1) {
  const counters = claims.flatMap((claim) => claim.counters)
  const windows = Map.groupBy(counters, ({ rate }) => rate.windowSeconds)
  const now = claims.reduce((newest, claim) => (claim.now > newest ? claim.now : newest), '')
  const found: (RateLimitTable & { added: number })[] = []
  for (const [windowSeconds, group] of [...windows].toSorted(([a], [b]) => a - b)) {
    const added = new Map<string, number>()
    for (const counter of group) added.set(counter.key, (added.get(counter.key) ?? 0) + step * weightOf(counter))
    const additions = [...added].map(([key, count]) => ({ key, count }))
    const rows = await countUp(db, additions, boundsOf(now, windowSeconds))
    found.push(...rows.map((row) => ({ ...row, added: required(added.get(row.key)) })))
  }
  return found
}

// Many writes fall into one millisecond, and writing a moment out costs as much as a query.
let known: Window & { windowSeconds: number } = { now: '', resetsAt: '', latest: '', windowSeconds: 0 }

/** A window that opens now. */
export function boundsOf(now: string, windowSeconds: number): Window {
  if (known.now !== now || known.windowSeconds !== windowSeconds) {
    known = { now, windowSeconds, resetsAt: after(now, windowSeconds), latest: latest(now, windowSeconds) }
  }
  return known
}

/** How far the counters are used up now. */
export async function readAll(db: Db, counters: readonly Counter[], now: string): Promise<BudgetStanding[]> {
  return (await readCounts(db, counters, now)).map(standingOf)
}

/** Throws the error of `countAll`, and counts nothing. Advisory; checked again when it is counted. */
export async function assertRoom(db: Db, counters: readonly Counter[], now: string): Promise<void> {
  const counts = await readCounts(db, counters, now)
  const full = counts.filter(({ counter, count }) => count >= counter.rate.count)
  if (full.length > 0) throw new OverBudget(full, counts.map(standingOf))
}

async function readCounts(db: Db, counters: readonly Counter[], now: string): Promise<CounterState[]> {
  if (counters.length === 0) return []
  const rows = await listCounts(
    db,
    counters.map(({ key }) => key),
    now,
  )
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return counters.map((counter) => {
    const { windowSeconds } = counter.rate
    const row = byKey.get(counter.key)
    if (!row || row.resetsAt > latest(now, windowSeconds)) return { counter, count: 0, waitSeconds: windowSeconds }
    return { counter, count: row.count, waitSeconds: secondsUntil(row.resetsAt, now) }
  })
}

interface CounterState {
  counter: Counter
  count: number
  waitSeconds: number
}

export type Full = Pick<CounterState, 'counter' | 'waitSeconds'>

/** The error of a full budget: it names the counter that stays full the longest, and reveals nothing about a shared one with room. */
export class OverBudget extends Problem {
  readonly full: readonly Full[]

  constructor(full: readonly Full[], standings: readonly BudgetStanding[]) {
    const { counter, waitSeconds } = full.reduce((longest, one) =>
      one.waitSeconds > longest.waitSeconds ? one : longest,
    )
    super('rate_limited', `${counter.sentence()}; try again in ${waitInWords(waitSeconds)}`, {
      retryAfterSeconds: waitSeconds,
      standings: standings.filter(({ shared, remaining }) => !shared || remaining === 0),
    })
    this.full = full
    const key = `${counter.policy}|${counter.shared ? 'shared' : 'account'}`
    refusalCounts.set(key, (refusalCounts.get(key) ?? 0) + 1)
  }
}

export const standingOf = ({
  counter: { policy, rate, shared },
  count,
  waitSeconds: resetsInSeconds,
}: CounterState): BudgetStanding => ({
  policy,
  quota: rate.count,
  remaining: Math.max(0, rate.count - count),
  window: { seconds: rate.windowSeconds, resetsInSeconds },
  ...(shared && { shared }),
})

export const secondsUntil = (moment: string, now: string): number =>
  Math.max(1, Math.ceil((Date.parse(moment) - Date.parse(now)) / 1000))

function waitInWords(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}

const MAX_KEYS = 10_000

/**
 * Budgets that this process knows to be exhausted until a moment: a flood is refused without a query. A count never decreases within its
 * window, so a cached refusal stays valid, in other processes too.
 */
export class ExhaustedBudgets {
  /** By counter and figure: an account that verifies its email has another figure at once. */
  readonly #until = new Map<string, string>()

  /** Throws the error for counters that are known to be full. */
  check(counters: readonly Counter[], now: string): void {
    if (this.#until.size === 0) return
    const full = counters.flatMap((counter) => {
      const until = this.#until.get(nameOf(counter))
      if (until === undefined || until <= now || until > latest(now, counter.rate.windowSeconds)) return []
      return [{ counter, count: counter.rate.count, waitSeconds: secondsUntil(until, now) }]
    })
    if (full.length > 0) throw new OverBudget(full, full.map(standingOf))
  }

  /** Remembers the counters of an error. */
  remember(full: readonly Full[], now: string): void {
    if (this.#until.size >= MAX_KEYS) this.#until.clear()
    for (const { counter, waitSeconds } of full) this.#until.set(nameOf(counter), after(now, waitSeconds))
  }
}

const nameOf = ({ key, rate }: Counter) => `${key}/${rate.count}`
