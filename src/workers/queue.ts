// Work that waits for its turn, fairly: whose work is asked for takes turns with everybody else's, so that one member's forty
// pictures do not make another's wait. It is bounded, for each and in all: who comes too late is told when to try again.
import { Problem } from '../contract/problem.ts'

export interface QueueLimits {
  /** How much is done at a time. */
  concurrent: number
  /** How much may wait, in all and of one. */
  maxWaiting: number
  maxWaitingOfOne: number
}

const RETRY_AFTER_SECONDS = 5

export class FairQueue {
  readonly #limits: QueueLimits
  /** What waits, by whose it is. The first of the map is next, and goes to its end when one of theirs began. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #waitingInAll = 0
  #running = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /**
   * Does `work` when it is its turn.
   *
   * @param by whose work it is: an account, or a network
   * @throws Problem unavailable when too much waits already
   */
  async run<T>(by: string, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.concurrent) this.#running++
    else await this.#turn(by)
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #turn(by: string): Promise<void> {
    const theirs = this.#waiting.get(by) ?? []
    const { maxWaiting, maxWaitingOfOne } = this.#limits
    if (this.#waitingInAll >= maxWaiting || theirs.length >= maxWaitingOfOne) {
      const message = 'Too much is waiting to be read; try again in a few seconds'
      throw new Problem('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    this.#waitingInAll++
    return new Promise((begin) => {
      theirs.push(begin)
      this.#waiting.set(by, theirs)
    })
  }

  /** Hands the place that became free to whose turn it is. */
  #next(): void {
    const [first] = this.#waiting
    if (!first) {
      this.#running--
      return
    }
    const [by, theirs] = first
    const begin = theirs.shift()!
    this.#waiting.delete(by)
    if (theirs.length > 0) this.#waiting.set(by, theirs)
    this.#waitingInAll--
    begin()
  }
}
