// How many writes a caller may try without making them: counted in memory, because a try leaves nothing in the database.
import { Problem } from '../contract/problem.ts'

/** Tries of one caller in a minute, in one process. */
export const DRY_RUNS_A_MINUTE = 120

const MINUTE_MILLISECONDS = 60_000

const MAX_CALLERS = 10_000

/** Counts tries in memory: a try leaves nothing in the database. */
export class DryRuns {
  #counts = new Map<string, number>()
  #endsAt = 0

  /** Throws `rate_limited` when there were too many in this minute. */
  count(caller: string, now: string): void {
    const moment = Date.parse(now)
    if (Math.abs(this.#endsAt - moment) > MINUTE_MILLISECONDS || moment >= this.#endsAt) this.#begin(moment)
    const count = (this.#counts.get(caller) ?? 0) + 1
    if (count > DRY_RUNS_A_MINUTE || (count === 1 && this.#counts.size >= MAX_CALLERS)) {
      const retryAfterSeconds = Math.max(1, Math.ceil((this.#endsAt - moment) / 1000))
      throw new Problem('rate_limited', `At most ${DRY_RUNS_A_MINUTE} dry runs a minute`, { retryAfterSeconds })
    }
    this.#counts.set(caller, count)
  }

  #begin(moment: number): void {
    this.#counts = new Map()
    this.#endsAt = moment + MINUTE_MILLISECONDS
  }
}
