// The time, handed in so that tests can move it.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds since some moment, by a clock that is never set: only differences of it count. */
  elapsed(): number
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() }

// Several requests fall into one millisecond, and writing a moment out costs as much as a query.
let last = { milliseconds: 0, text: '1970-01-01T00:00:00.000Z' }

/** ISO 8601 UTC with milliseconds: how every moment is stored and answered. */
export function timestamp(milliseconds: number): string {
  if (milliseconds !== last.milliseconds) last = { milliseconds, text: new Date(milliseconds).toISOString() }
  return last.text
}

/** By how much the clocks of processes that share a database may differ. */
const DIFFERENCE_SECONDS = 60

/**
 * The latest moment that can have been set `seconds` ahead by now. A later one was set while a clock was wrong: trusting it would
 * keep a limit closed, or a code valid, until that time.
 */
export const latest = (now: string, seconds = 0): string => after(now, seconds + DIFFERENCE_SECONDS)

/** The moment `seconds` after `moment` (before it, if negative). */
export const after = (moment: string, seconds: number): string => timestamp(Date.parse(moment) + seconds * 1000)
