// The budget of idempotency keys: how many a caller has in a day, and how many bytes of answers are kept for them. And how many writes a
// caller may try without making them, which leave nothing to count in the database.
import { Problem } from '../contract/problem.ts'
import type { Transaction } from '../database/schema.ts'
import { boundsOf, secondsUntil } from './counting.ts'
import { countUp } from './queries.ts'
import { DAY } from './rules.ts'

/** A day, for an account and one client of it, or for a network. */
export const KEY_LIMITS = { keys: 5_000, bytes: 33_554_432 }

interface KeyUse {
  /** Whose key it is, as a hash. */
  owner: string
  bytes: number
  now: string
}

/** Counts a key and its answer, last in the transaction of the write. Throws `rate_limited`; then nothing is written. */
export async function countKey(db: Transaction, { owner, bytes, now }: KeyUse): Promise<void> {
  const additions = [
    { key: `keys:bytes:${owner}`, count: bytes },
    { key: `keys:count:${owner}`, count: 1 },
  ]
  for (const { key, count, resetsAt } of await countUp(db, additions, boundsOf(now, DAY))) {
    const [, what] = key.split(':')
    if (count <= (what === 'bytes' ? KEY_LIMITS.bytes : KEY_LIMITS.keys)) continue
    const retryAfterSeconds = secondsUntil(resetsAt, now)
    throw new Problem('rate_limited', 'Too many idempotency keys in a day; send fewer writes with one', {
      retryAfterSeconds,
    })
  }
}
