// A fair queue for work: those who go first are served before the others, and owners take turns, so that one member's forty images do not delay another's. It is bounded, per owner and in
// total: a refused caller gets a time to retry.
import { Problem } from '../contract/problem.ts'
import { workNow } from '../runtime/counts.ts'
import { required } from '../runtime/untyped.ts'
import { isUnwanted } from '../runtime/wanted.ts'

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
  /** Waiting work by owner, of those who go first and of the others. The first of a map is next, and moves to its end when one of its jobs starts. */
  readonly #first = new Map<string, (() => void)[]>()
  readonly #others = new Map<string, (() => void)[]>()
  #waitingInAll = 0
  #running = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /**
   * Runs `work` when it is its turn.
   *
   * @param by the owner of the work: an account, or a network
   * @param isFirst whether it is served before those who are not
   * @throws Problem unavailable when the queue is full, or when the client of the work has gone while it waited
   */
  async run<T>(by: string, work: () => Promise<T>, isFirst = true): Promise<T> {
    if (this.#running < this.#limits.concurrent) {
      this.#running++
      workNow.running++
    } else await this.#turn(by, isFirst ? this.#first : this.#others)
    try {
      if (isUnwanted()) throw new Problem('unavailable', 'The client has gone')
      return await work()
    } finally {
      this.#next()
    }
  }

  #turn(by: string, waiting: Map<string, (() => void)[]>): Promise<void> {
    const theirs = waiting.get(by) ?? []
    const { maxWaiting, maxWaitingOfOne } = this.#limits
    if (this.#waitingInAll >= maxWaiting || theirs.length >= maxWaitingOfOne) {
      const message = 'Too much is waiting to be read; try again in a few seconds'
      throw new Problem('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    this.#waitingInAll++
    workNow.waiting++
    return new Promise((begin) => {
      theirs.push(begin)
      waiting.set(by, theirs)
    })
  }

  /** Gives the free slot to the next owner. */
  #next(): void {
    const waiting = this.#first.size > 0 ? this.#first : this.#others
    const [first] = waiting
    if (!first) {
      this.#running--
      workNow.running--
      return
    }
    const [by, theirs] = first
    const begin = required(theirs.shift())
    waiting.delete(by)
    if (theirs.length > 0) waiting.set(by, theirs)
    this.#waitingInAll--
    workNow.waiting--
    begin()
  }
}
