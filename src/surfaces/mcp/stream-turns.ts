// The streams of this process that tell of changes: subscriptions to resources, and those of events. They share how many there may be, and the turns in
// which they are looked at: one turn looks at what is due of all of them, and takes at most a part of the time of the process.
import { AsyncLocalStorage } from 'node:async_hooks'
import { networkOf } from '../../budgets/network.ts'
import type { Dependencies } from '../../request/handler.ts'
import { shareOfNetwork } from '../../runtime/network-share.ts'

const TURN_MILLISECONDS = 250
/** A turn looks at no more than it can in this time; the next one goes on. */
const SPENT_MILLISECONDS = 80
/** How often the credential is looked at while nothing changes. */
export const CREDENTIAL_MILLISECONDS = 5_000
/** Then the credential is shown again. */
export const LAST_MILLISECONDS = 3_600_000
/** What a reader may leave. */
export const MAX_WAITING = 40
/** Of one kind, of callers without an account in a network. */
export const MAX_OF_ANONYMOUS = 5
/** Streams in this process, of all and of a network. */
const MAX_STREAMS = 500
const MAX_OF_NETWORK = shareOfNetwork(MAX_STREAMS)
/** What they watch, of all and of a network. */
const MAX_WATCHED = 2_000
const MAX_WATCHED_OF_NETWORK = shareOfNetwork(MAX_WATCHED)

/** Whose a stream is. */
export interface Holder {
  kind: 'resources' | 'events'
  /** The account; undefined for an anonymous caller. */
  accountId: string | undefined
  address: string
  /** Streams of this kind that one account may have. */
  mostOfAccount: number
}

export interface TurningStream {
  holder: Holder
  /** How many things it watches. */
  watches: number
  /** Looks at what is due; gives whether it would go on at once. */
  serve(now: number): Promise<boolean>
  /** Ends it in good order. */
  close(): void
}

const ownerOf = ({ kind, accountId, address }: Holder) =>
  accountId === undefined ? `${kind} anonymous ${networkOf(address)}` : `${kind} account ${accountId}`

export class StreamTurns {
  readonly #log: Dependencies['log']
  /** What runs in the background must not run for the request that happened to begin it. */
  readonly #outside: ReturnType<typeof AsyncLocalStorage.snapshot>
  /** In the order of their turns. */
  #open: TurningStream[] = []
  #timer: NodeJS.Timeout | undefined
  #isTurning = false
  #isClosed = false

  constructor({ log }: Pick<Dependencies, 'log'>, outside = AsyncLocalStorage.snapshot()) {
    this.#log = log
    this.#outside = outside
  }

  /** Counts a stream from here on, so that many at once are not more than may be; gives why there is none. `end` ends it. */
  begin(stream: TurningStream): 'closed' | 'full' | undefined {
    if (this.#isClosed) return 'closed'
    if (this.#isFull(stream)) return 'full'
    this.#open.push(stream)
    this.#timer ??= this.#outside(() => setInterval(() => void this.#turn(), TURN_MILLISECONDS).unref())
    return undefined
  }

  end(stream: TurningStream): void {
    this.#open = this.#open.filter((one) => one !== stream)
    if (this.#open.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Ends all streams, and begins no other: the server stops. */
  close(): void {
    this.#isClosed = true
    for (const stream of this.#open) stream.close()
  }

  #isFull({ holder, watches }: TurningStream): boolean {
    const [owner, network] = [ownerOf(holder), networkOf(holder.address)]
    const own = this.#open.filter((stream) => ownerOf(stream.holder) === owner)
    const near = this.#open.filter((stream) => networkOf(stream.holder.address) === network)
    const most = holder.accountId === undefined ? MAX_OF_ANONYMOUS : holder.mostOfAccount
    if (own.length >= most || near.length >= MAX_OF_NETWORK || this.#open.length >= MAX_STREAMS) return true
    const watchedBy = (streams: readonly TurningStream[]) => streams.reduce((sum, one) => sum + one.watches, watches)
    return watchedBy(near) > MAX_WATCHED_OF_NETWORK || watchedBy(this.#open) > MAX_WATCHED
  }

  async #turn(): Promise<void> {
    if (this.#isTurning) return
    this.#isTurning = true
    const until = performance.now() + SPENT_MILLISECONDS
    try {
      const waiting = [...this.#open]
      for (let stream = waiting.shift(); stream && performance.now() < until; stream = waiting.shift()) {
        const at = this.#open.indexOf(stream)
        if (at < 0) continue
        // The next turn begins with the one that waited longest, also where this one fails.
        this.#open.push(...this.#open.splice(at, 1))
        if (await stream.serve(performance.now())) waiting.push(stream)
      }
    } catch (error) {
      // The database is away: what has changed is found when it is back.
      this.#log.debug({ err: error }, 'streams could not be served')
    } finally {
      this.#isTurning = false
    }
  }
}
