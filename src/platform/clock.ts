// The time, handed in so that tests can move it.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** ISO 8601 UTC with milliseconds: how every moment is stored and answered. */
export const timestamp = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** The moment `seconds` after `moment` (before it, if negative). */
export const after = (moment: string, seconds: number): string => timestamp(Date.parse(moment) + seconds * 1000)
