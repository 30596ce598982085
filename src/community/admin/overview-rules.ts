// What the overview shows: its weeks, the ages of bugs, and the median of answers.

const DAY_MILLISECONDS = 86_400_000
const WEEK_MILLISECONDS = 7 * DAY_MILLISECONDS
export const WEEKS = 12
/** No more rows are counted for one figure: then it is "at least so many". */
export const MOST_COUNTED = 10_000
/** The answers of so many of the newest bugs are looked at. */
export const LOOKED_AT = 200

/** The Monday (UTC) of the week of a moment, as a date. */
export function weekOf(now: string): string {
  const at = Date.parse(now)
  const sinceMonday = (new Date(at).getUTCDay() + 6) % 7
  return dayOf(at - sinceMonday * DAY_MILLISECONDS)
}

const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

/** The Mondays of the last weeks, the oldest first. */
export function weeksUntil(now: string): string[] {
  const last = Date.parse(weekOf(now))
  return Array.from({ length: WEEKS }, (_, n) => dayOf(last - (WEEKS - 1 - n) * WEEK_MILLISECONDS))
}

/** The moments of a week, from its Monday to the next one. */
export const momentsOf = (week: string): { from: string; until: string } => ({
  from: new Date(Date.parse(week)).toISOString(),
  until: new Date(Date.parse(week) + WEEK_MILLISECONDS).toISOString(),
})

export const ages = ['day', 'week', 'month', 'quarter', 'older'] as const
export type Age = (typeof ages)[number]

const days: Record<Age, number> = { day: 1, week: 7, month: 30, quarter: 90, older: Number.POSITIVE_INFINITY }

/** Between which moments a bug of each age was made; the last one has no beginning. */
export function spansOf(now: string): { age: Age; from: string; until: string }[] {
  const before = (count: number) =>
    Number.isFinite(count) ? new Date(Date.parse(now) - count * DAY_MILLISECONDS).toISOString() : ''
  return ages.map((age, n) => {
    const newer = ages[n - 1]
    // The newest has no end: a clock of another process may be ahead.
    return { age, from: before(days[age]), until: newer === undefined ? '9' : before(days[newer]) }
  })
}

/** The middle one; null for none. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2)
}
