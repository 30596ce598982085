// The budget of idempotency keys: how many a caller has in a day, and how many bytes of answers are kept for them. And how many writes a
// caller may try without making them, which leave nothing to count in the database.
import { Problem } from '../contract/problem.ts'
import type { Transaction } from '../database/schema.ts'
import { shareOfNetwork } from '../runtime/network-share.ts'
import { boundsOf, secondsUntil } from './counting.ts'
import { countUp } from './queries.ts'
import { DAY } from './rules.ts'

// How many writes a caller may try without making them: counted in memory, because a try leaves nothing in the database.

/** Tries of one caller in a minute, in one process. */
export const DRY_RUNS_A_MINUTE = 120

const MINUTE_MILLISECONDS = 60_000

/** In a minute, of all and of one network. */
export const MAX_CALLERS = 10_000
const MAX_CALLERS_OF_NETWORK = shareOfNetwork(MAX_CALLERS)

/** Counts tries in memory: a try leaves nothing in the database. */
export class DryRuns {
  #counts = new Map<string, number>()
  /** How many callers there were of each network. */
  #callers = new Map<string, number>()
  #endsAt = 0

  /** Throws `rate_limited` when there were too many in this minute. */
  count({ caller, network }: { caller: string; network: string }, now: string): void {
    const moment = Date.parse(now)
    if (Math.abs(this.#endsAt - moment) > MINUTE_MILLISECONDS || moment >= this.#endsAt) this.#begin(moment)
    const count = (this.#counts.get(caller) ?? 0) + 1
    if (count > DRY_RUNS_A_MINUTE || (count === 1 && !this.#hasRoom(network))) {
      const retryAfterSeconds = Math.max(1, Math.ceil((this.#endsAt - moment) / 1000))
      throw new Problem('rate_limited', `At most ${DRY_RUNS_A_MINUTE} dry runs a minute`, { retryAfterSeconds })
    }
    if (count === 1) this.#callers.set(network, this.#callersOf(network) + 1)
    this.#counts.set(caller, count)
  }

  #callersOf(network: string): number {
    return this.#callers.get(network) ?? 0
  }

  #hasRoom(network: string): boolean {
    return this.#counts.size < MAX_CALLERS && this.#callersOf(network) < MAX_CALLERS_OF_NETWORK
  }

  #begin(moment: number): void {
    this.#counts = new Map()
    this.#callers = new Map()
    this.#endsAt = moment + MINUTE_MILLISECONDS
  }
}

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
