// How many writes a caller may try without making them: counted in memory, because a try leaves nothing in the database.
import { Problem } from '../contract/problem.ts'
import { shareOfNetwork } from '../runtime/network-share.ts'

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
