// Limits on tries: of one key, and ceilings of the whole, which are what all callers together may do in a while without an account. No network
// takes more than its share of a ceiling, so that none can use it up for the others. test/ceilings.test.ts goes through all of them.
import { Problem } from '../contract/problem.ts'
import type { Db } from '../database/schema.ts'
import { shareOfNetwork } from '../runtime/network-share.ts'
import { required } from '../runtime/untyped.ts'
import { boundsOf, secondsUntil } from './counting.ts'
import { networkOf } from './network.ts'
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

interface Ceiling {
  /** The key of its counter. */
  key: string
  all: Limit
}

const declared = new Map<string, Ceiling>()

/** Declares a ceiling, once for a key. */
export function ceilingOf(key: string, all: Limit): Ceiling {
  const ceiling = { key, all }
  declared.set(key, ceiling)
  return ceiling
}

export const declaredCeilings = (): readonly Ceiling[] => [...declared.values()]

/** The counters of a call: of its network, then of all. */
export function triesUnder({ key, all }: Ceiling, address: string): { key: string; limit: Limit }[] {
  const share = { ...all, tries: shareOfNetwork(all.tries) }
  return [
    { key: `${key} network ${networkOf(address)}`, limit: share },
    { key, limit: all },
  ]
}

/** Counts a call; throws `rate_limited` once there were too many of its network, or of all. */
export async function countUnder(db: Db, ceiling: Ceiling, { address, now }: { address: string; now: string }) {
  for (const one of triesUnder(ceiling, address)) await countTry(db, { ...one, now })
}
