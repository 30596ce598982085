// Counting against rates: all counters of a call together, refused when one of them is full.
import type { Standing } from '../contract/budget.ts'
import { Problem } from '../contract/problem.ts'
import type { Db } from '../database/schema.ts'
import { after, latest } from '../runtime/clock.ts'
import { required } from '../runtime/untyped.ts'
import { countUp, listCounts } from './queries.ts'
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
}

/**
 * Increments all counters; throws `rate_limited` when one was full. In a transaction the error rolls the count back, and a concurrent
 * call waits for the row: exactly n pass.
 */
export async function countAll(db: Db, counters: readonly Counter[], now: string): Promise<Standing[]> {
  const counts: Counted[] = []
  for (const [windowSeconds, group] of Map.groupBy(counters, ({ rate }) => rate.windowSeconds)) {
    const rows = await countUp(
      db,
      group.map(({ key }) => key),
      boundsOf(now, windowSeconds),
    )
    const byKey = new Map(rows.map((row) => [row.key, row]))
    for (const counter of group) {
      const { count, resetsAt } = required(byKey.get(counter.key))
      counts.push({ counter, count, waitSeconds: secondsUntil(resetsAt, now) })
    }
  }
  const full = counts.filter(({ counter, count }) => count > counter.rate.count)
  if (full.length === 0) return counts.map(standingOf)
  // A refused call is not counted.
  throw new OverBudget(
    full,
    counts.map(({ count, ...rest }) => standingOf({ ...rest, count: count - 1 })),
  )
}

interface Bounds {
  now: string
  resetsAt: string
  latest: string
}

// Many writes fall into one millisecond, and writing a moment out costs as much as a query.
let known: Bounds & { windowSeconds: number } = { now: '', resetsAt: '', latest: '', windowSeconds: 0 }

/** A window that opens now. */
function boundsOf(now: string, windowSeconds: number): Bounds {
  if (known.now !== now || known.windowSeconds !== windowSeconds) {
    known = { now, windowSeconds, resetsAt: after(now, windowSeconds), latest: latest(now, windowSeconds) }
  }
  const { resetsAt, latest: last } = known
  return { now, resetsAt, latest: last }
}

/** How far the counters are used up now. */
export async function readAll(db: Db, counters: readonly Counter[], now: string): Promise<Standing[]> {
  return (await readCounts(db, counters, now)).map(standingOf)
}

/** Throws the error of `countAll`, and counts nothing. Advisory; checked again when it is counted. */
export async function assertRoom(db: Db, counters: readonly Counter[], now: string): Promise<void> {
  const counts = await readCounts(db, counters, now)
  const full = counts.filter(({ counter, count }) => count >= counter.rate.count)
  if (full.length > 0) throw new OverBudget(full, counts.map(standingOf))
}

async function readCounts(db: Db, counters: readonly Counter[], now: string): Promise<Counted[]> {
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

interface Counted {
  counter: Counter
  count: number
  waitSeconds: number
}

export type Full = Pick<Counted, 'counter' | 'waitSeconds'>

/** The error of a full budget: it names the counter that stays full the longest, and reveals nothing about a shared one with room. */
export class OverBudget extends Problem {
  readonly full: readonly Full[]

  constructor(full: readonly Full[], standings: readonly Standing[]) {
    const { counter, waitSeconds } = full.reduce((longest, one) =>
      one.waitSeconds > longest.waitSeconds ? one : longest,
    )
    super('rate_limited', `${counter.sentence()}; try again in ${waitInWords(waitSeconds)}`, {
      retryAfterSeconds: waitSeconds,
      standings: standings.filter(({ shared, remaining }) => !shared || remaining === 0),
    })
    this.full = full
  }
}

const standingOf = ({ counter: { policy, rate, shared }, count, waitSeconds: resetsInSeconds }: Counted): Standing => ({
  policy,
  quota: rate.count,
  remaining: Math.max(0, rate.count - count),
  window: { seconds: rate.windowSeconds, resetsInSeconds },
  ...(shared && { shared }),
})

const secondsUntil = (moment: string, now: string): number =>
  Math.max(1, Math.ceil((Date.parse(moment) - Date.parse(now)) / 1000))

function waitInWords(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`
}
