// A fair queue for work: those who go first are served before the others, and owners take turns, so that one member's forty images do not delay another's. It is bounded, per owner, per
// network and in total: a refused caller gets a time to retry.

import { Problem } from '../contract/problem.ts'
import { workNow } from '../runtime/counts.ts'
import { shareOfNetwork } from '../runtime/network-share.ts'
import { required } from '../runtime/untyped.ts'
import { isUnwanted } from '../runtime/wanted.ts'

export interface QueueLimits {
  /** How much is done at a time. */
  concurrent: number
  /** How much may wait, in all and of one owner. A network has a tenth of all. */
  maxWaiting: number
  maxWaitingOfOne: number
}

/** For whom work is done. */
export interface QueueOwner {
  /** An account, or a network. */
  owner: string
  /** The network that has a share of the queue; undefined for this machine. */
  network?: string | undefined
  /** Whether it is served before those who are not; it is unless told otherwise. */
  isFirst?: boolean
}

interface WaitingWork {
  begin(): void
  network: string | undefined
}

const RETRY_AFTER_SECONDS = 5

export class FairQueue {
  readonly #limits: QueueLimits
  /** Waiting work by owner, of those who go first and of the others. The first of a map is next, and moves to its end when one of its jobs starts. */
  readonly #first = new Map<string, WaitingWork[]>()
  readonly #others = new Map<string, WaitingWork[]>()
  /** How much waits, by network. */
  readonly #ofNetworks = new Map<string, number>()
  #waitingInAll = 0
  #running = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /**
   * Runs `work` when it is its turn.
   *
   * @throws Problem unavailable when the queue is full, for all or for its owner or network, or when the client of the work has gone while it waited
   */
  async run<T>(by: QueueOwner, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.concurrent) {
      this.#running++
      workNow.running++
    } else await this.#turn(by, (by.isFirst ?? true) ? this.#first : this.#others)
    try {
      if (isUnwanted()) throw new Problem('unavailable', 'The client has gone')
      return await work()
    } finally {
      this.#next()
    }
  }

  #turn({ owner, network }: QueueOwner, waiting: Map<string, WaitingWork[]>): Promise<void> {
    const theirs = waiting.get(owner) ?? []
    const { maxWaiting, maxWaitingOfOne } = this.#limits
    const isNetworkFull = network !== undefined && this.#waitingOf(network) >= shareOfNetwork(maxWaiting)
    if (this.#waitingInAll >= maxWaiting || theirs.length >= maxWaitingOfOne || isNetworkFull) {
      const message = 'Too much is waiting to be read; try again in a few seconds'
      throw new Problem('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
    }
    this.#countWaiting(network, 1)
    return new Promise((begin) => {
      theirs.push({ begin, network })
      waiting.set(owner, theirs)
    })
  }

  #waitingOf(network: string): number {
    return this.#ofNetworks.get(network) ?? 0
  }

  #countWaiting(network: string | undefined, change: 1 | -1): void {
    this.#waitingInAll += change
    workNow.waiting += change
    if (network === undefined) return
    const waiting = this.#waitingOf(network) + change
    if (waiting > 0) this.#ofNetworks.set(network, waiting)
    else this.#ofNetworks.delete(network)
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
    const { begin, network } = required(theirs.shift())
    waiting.delete(by)
    if (theirs.length > 0) waiting.set(by, theirs)
    this.#countWaiting(network, -1)
    begin()
  }
}
