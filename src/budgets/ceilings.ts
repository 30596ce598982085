// Ceilings of the whole: what all callers together may do in a while, without an account. No network takes more than its share of one, so
// that none can use it up for the others. test/ceilings.test.ts goes through all of them.
import type { Db } from '../database/schema.ts'
import { shareOfNetwork } from '../runtime/network-share.ts'
import { countTry, type Limit } from './budgets.ts'
import { networkOf } from './network.ts'

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
