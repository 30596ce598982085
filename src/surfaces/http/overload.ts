// Sheds load: while requests wait longer than a caller should, new ones are refused at once with 503. A refusal costs a small part of
// a response, so the requests that are accepted are still answered in time (`npm run bench -- overload`).
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { isLoopback, networkOf, sharingNetworkOf } from '../../budgets/network.ts'
import { shareOfNetwork } from '../../runtime/network-share.ts'

const TICK_MILLISECONDS = 100
/** A late event loop counts as overload only with many requests: a slow machine alone does not. */
const LAG_MILLISECONDS = 250
/** How long a request may wait for those before it. */
const WAIT_SECONDS = 0.4
/** Fewer concurrent requests than this are never overload. */
const FEW = 256
/** The most concurrent requests; of one network a tenth of it. */
const MAX_IN_FLIGHT = 1_000
/** Share of the newest tick in the rate of responses. */
const NEWEST = 0.3
/** Open connections of one network: a browser has six, a proxy in front of an office some hundred. */
const CONNECTIONS_PER_NETWORK = 2_000

/** How long a connection rests after a refusal, which is less than its `Retry-After`. */
const REST_MILLISECONDS = 600

/** How late a request is refused: `never` is for health, `late` for sign-in, at twice the wait. */
export type ShedPolicy = 'never' | 'late' | 'early'

const HEALTH = /^\/(healthz|readyz|metrics)$/
const SIGN_IN = /^\/(api\/auth\/|sign-in|oauth\/)/

/** By the path of a request. */
export function sheddingOf(path: string): ShedPolicy {
  if (HEALTH.test(path)) return 'never'
  return SIGN_IN.test(path) ? 'late' : 'early'
}

/** A larger body takes as long as its client: it does not count as waiting, and its number has a budget. */
const SMALL_BODY_BYTES = 64 * 1024

export const hasSmallBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= SMALL_BODY_BYTES

export class Overload {
  readonly #now: () => number
  #tickAt: number
  #inFlight = 0
  #answered = 0
  /** Requests that were accepted since the last tick. */
  #accepted = 0
  /** Responses a second. */
  #rate = 0
  /** The fewest requests in flight during this tick, and during the one before. */
  #fewest = 0
  #fewestBefore = 0
  /** Requests in flight by network. */
  readonly #ofNetworks = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  /** `now` is in milliseconds, from any moment. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#tickAt = now()
  }

  /** Measures from now on. */
  start(): void {
    this.#tickAt = this.#now()
    this.#timer ??= setInterval(() => this.tick(), TICK_MILLISECONDS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Ends a measurement, each tenth of a second. */
  tick(): void {
    const now = this.#now()
    const seconds = Math.max(now - this.#tickAt, 1) / 1_000
    this.#rate += NEWEST * (this.#answered / seconds - this.#rate)
    this.#answered = 0
    this.#accepted = 0
    this.#fewestBefore = this.#fewest
    this.#fewest = this.#inFlight
    this.#tickAt = now
  }

  /** Whether a request from this address is refused now. */
  refuses(shedding: ShedPolicy, address: string): boolean {
    if (shedding === 'never') return false
    const patience = shedding === 'late' ? 2 : 1
    const most = MAX_IN_FLIGHT * patience
    const network = sharingNetworkOf(address)
    const isNetworkFull = network !== undefined && this.#inFlightOf(network) >= shareOfNetwork(most)
    if (this.#inFlight >= most || isNetworkFull) return true
    const isLate = this.#now() - this.#tickAt > TICK_MILLISECONDS + LAG_MILLISECONDS * patience
    if (isLate && this.#accepted >= FEW) return true
    // A burst passes; requests that stay indicate waiting.
    const isStanding = Math.min(this.#fewest, this.#fewestBefore) >= FEW
    return isStanding && this.#inFlight > Math.max(FEW, this.#rate * WAIT_SECONDS * patience)
  }

  /** Counts a request from this address as long as `answer` takes. */
  async count<Answer>(address: string, answer: () => Answer | Promise<Answer>): Promise<Answer> {
    this.#change(address, 1)
    this.#accepted++
    try {
      return await answer()
    } finally {
      this.#change(address, -1)
      this.#answered++
      this.#fewest = Math.min(this.#fewest, this.#inFlight)
    }
  }

  #inFlightOf(network: string): number {
    return this.#ofNetworks.get(network) ?? 0
  }

  #change(address: string, change: 1 | -1): void {
    this.#inFlight += change
    const network = sharingNetworkOf(address)
    if (network === undefined) return
    const inFlight = this.#inFlightOf(network) + change
    if (inFlight > 0) this.#ofNetworks.set(network, inFlight)
    else this.#ofNetworks.delete(network)
  }
}

/**
 * Stops reading a connection for a moment: a client that comes back sooner than it was told waits in the buffers of the system. To read
 * and refuse a request costs a third of a response, so refusals alone would take most of the time at three times the capacity.
 */
export function rest(socket: Socket): void {
  if (socket.destroyed) return
  socket.pause()
  setTimeout(() => socket.resume(), REST_MILLISECONDS).unref()
}

/** Open connections by network, so that one network cannot have them all. */
export class Connections {
  readonly #byNetwork = new Map<string, number>()

  /** Whether a connection from `address` exceeds the limit; otherwise it is counted until `close`. */
  open(address: string): { close(): void } | undefined {
    // A proxy on this machine connects for everyone.
    if (isLoopback(address)) return { close() {} }
    const network = networkOf(address)
    const open = this.#byNetwork.get(network) ?? 0
    if (open >= CONNECTIONS_PER_NETWORK) return undefined
    this.#byNetwork.set(network, open + 1)
    return {
      close: () => {
        const left = (this.#byNetwork.get(network) ?? 1) - 1
        if (left > 0) this.#byNetwork.set(network, left)
        else this.#byNetwork.delete(network)
      },
    }
  }
}
