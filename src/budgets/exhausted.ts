// Budgets that this process knows to be exhausted until a moment: a flood is refused without a query. A count never decreases within
// its window, so a cached refusal stays valid, in other processes too.
import { after, latest } from '../runtime/clock.ts'
import { type Counter, type Full, OverBudget, secondsUntil, standingOf } from './counting.ts'

const MAX_KEYS = 10_000

export class Exhausted {
  /** By counter and figure: an account that verifies its email has another figure at once. */
  readonly #until = new Map<string, string>()

  /** Throws the error for counters that are known to be full. */
  check(counters: readonly Counter[], now: string): void {
    if (this.#until.size === 0) return
    const full = counters.flatMap((counter) => {
      const until = this.#until.get(nameOf(counter))
      if (until === undefined || until <= now || until > latest(now, counter.rate.windowSeconds)) return []
      return [{ counter, count: counter.rate.count, waitSeconds: secondsUntil(until, now) }]
    })
    if (full.length > 0) throw new OverBudget(full, full.map(standingOf))
  }

  /** Remembers the counters of an error. */
  remember(full: readonly Full[], now: string): void {
    if (this.#until.size >= MAX_KEYS) this.#until.clear()
    for (const { counter, waitSeconds } of full) this.#until.set(nameOf(counter), after(now, waitSeconds))
  }
}

const nameOf = ({ key, rate }: Counter) => `${key}/${rate.count}`
