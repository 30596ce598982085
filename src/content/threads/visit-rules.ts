// When a visit of a list ends. It is written now and then, so that opening pages costs no write each time.

/** How long it is known that an account saw a thing or a list. */
export const VISIT_DAYS = 180
/** A list that was not opened for so long is visited again. */
export const VISIT_GAP_MINUTES = 30
/** Within a visit it is written so often at most. */
export const VISIT_STEP_MINUTES = 5

const MINUTE_MS = 60_000

interface ListVisit {
  seenAt: string
  /** When the visit before ended; null where this is the first. */
  beforeAt: string | null
}

/** What is stored when an account opens a list now; undefined where what is stored may stay. */
export function visitAfter(stored: ListVisit | undefined, now: string): ListVisit | undefined {
  if (!stored) return { seenAt: now, beforeAt: null }
  const minutes = (Date.parse(now) - Date.parse(stored.seenAt)) / MINUTE_MS
  if (minutes < VISIT_STEP_MINUTES) return undefined
  return { seenAt: now, beforeAt: minutes < VISIT_GAP_MINUTES ? stored.beforeAt : stored.seenAt }
}
