// Budgets: rate and storage limits, and limits on tries of secrets. The one place that counts and refuses.
import { Problem } from '../contract/problem.ts'
import type { Db } from '../database/schema.ts'
import { required } from '../runtime/untyped.ts'
import { boundsOf, secondsUntil } from './counting.ts'
import { countDown, countUp } from './queries.ts'

export { addressKey, networkOf } from './network.ts'

export interface Limit {
  tries: number
  windowSeconds: number
}

/** Counts a try; throws `rate_limited` with the seconds to wait once there were more than `limit.tries` in the window. */
export async function countTry(db: Db, { key, limit, now }: { key: string; limit: Limit; now: string }): Promise<void> {
  const [row] = await countUp(db, [{ key, count: 1 }], boundsOf(now, limit.windowSeconds))
  const { count, resetsAt } = required(row)
  if (count <= limit.tries) return
  const retryAfterSeconds = secondsUntil(resetsAt, now)
  throw new Problem('rate_limited', 'Too many tries; wait a little and try again', { retryAfterSeconds })
}

/** Undoes a counted try: for limits that count failures only, after a success. */
export const uncountTry = (db: Db, key: string): Promise<void> => countDown(db, key)
