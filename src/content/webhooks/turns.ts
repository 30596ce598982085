// Whose webhook is sent next by a process, and in how many slots: accounts take turns, an address that is slow has one slot, and slow ones
// do not take the slots of others.

/** Slots for addresses that respond at once, and all slots: so many slow addresses wait at the same time. */
const SLOTS = 8
const MAX_SLOTS = 64
/** An attempt that takes longer is slow. */
export const SLOW_MILLISECONDS = 1_000
/** So many accounts and addresses are remembered; the oldest are forgotten. */
const MAX_REMEMBERED = 10_000

/** A webhook that may be sent next. */
export interface Candidate {
  id: string
  ownerId: string
  url: string
  dueAt: string | null
}

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? url

export class Turns {
  /** When an account had its last turn, by a count of turns. */
  readonly #lastTurns = new Map<string, number>()
  readonly #slowHosts = new Set<string>()
  readonly #busyHosts = new Map<string, number>()
  #turns = 0
  #slow = 0

  /** Whether a process with so many workers may start another. */
  hasSlot(workers: number): boolean {
    return workers < MAX_SLOTS && workers - this.#slow < SLOTS
  }

  /** The webhooks in the order in which they may be sent: accounts by their last turn, without addresses that are slow and busy. */
  orderOf<One extends Candidate>(candidates: readonly One[]): One[] {
    const lastTurn = ({ ownerId }: Candidate) => this.#lastTurns.get(ownerId) ?? 0
    return candidates
      .filter((one) => this.#hasSlotFor(one))
      .toSorted((a, b) => lastTurn(a) - lastTurn(b) || (a.dueAt ?? '').localeCompare(b.dueAt ?? ''))
  }

  #hasSlotFor({ url }: Candidate): boolean {
    return !(this.#slowHosts.has(hostOf(url)) && this.#busyHosts.has(hostOf(url)))
  }

  /** Begins the turn of a webhook; false where another one of its slow address began since. `end` ends it. */
  begin(webhook: Candidate): boolean {
    if (!this.#hasSlotFor(webhook)) return false
    const host = hostOf(webhook.url)
    this.#turns += 1
    remember(this.#lastTurns, webhook.ownerId, this.#turns)
    this.#busyHosts.set(host, (this.#busyHosts.get(host) ?? 0) + 1)
    return true
  }

  end({ url }: Candidate): void {
    const left = (this.#busyHosts.get(hostOf(url)) ?? 1) - 1
    if (left === 0) this.#busyHosts.delete(hostOf(url))
    else this.#busyHosts.set(hostOf(url), left)
  }

  /**
   * Runs an attempt; gives whether it was slow. One that is slow leaves its slot to others while it lasts.
   *
   * @param onSlow is called when it gets slow
   */
  async attempt(url: string, work: () => Promise<unknown>, onSlow: () => void): Promise<boolean> {
    let isSlow = false
    const timer = setTimeout(() => {
      isSlow = true
      this.#slow += 1
      this.#slowHosts.add(hostOf(url))
      const [oldest] = this.#slowHosts
      if (this.#slowHosts.size > MAX_REMEMBERED && oldest !== undefined) this.#slowHosts.delete(oldest)
      onSlow()
    }, SLOW_MILLISECONDS)
    try {
      await work()
    } finally {
      clearTimeout(timer)
      if (isSlow) this.#slow -= 1
      else this.#slowHosts.delete(hostOf(url))
    }
    return isSlow
  }
}

function remember(turns: Map<string, number>, account: string, turn: number): void {
  turns.delete(account)
  turns.set(account, turn)
  const [oldest] = turns.keys()
  if (turns.size > MAX_REMEMBERED && oldest !== undefined) turns.delete(oldest)
}
