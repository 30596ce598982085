// Subscriptions of 2026-07-28 (subscriptions/listen): a stream that tells when a resource changes for its subscriber. One turn looks at what is
// due of all streams of this process, and takes at most a part of its time. Nothing is remembered between streams.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createMcpHandler, InMemoryServerEventBus, type McpServerFactory } from '@modelcontextprotocol/server'
import { networkOf } from '../../budgets/network.ts'
import type { Dependencies } from '../../request/handler.ts'
import { shareOfNetwork } from '../../runtime/network-share.ts'
import { type Relay, relay } from './relay.ts'
import { WatchedResource, type WatchOptions } from './watched.ts'

const TURN_MILLISECONDS = 250
/** A turn looks at no more than it can in this time; the next one goes on. */
const SPENT_MILLISECONDS = 80
/** How often the credential is looked at while nothing changes. */
const CREDENTIAL_MILLISECONDS = 5_000
/** Then the credential is shown again. */
const LAST_MILLISECONDS = 3_600_000
/** A reader who leaves more events than this has gone. */
const MAX_WAITING = 40
/** Of one stream. */
export const MAX_URIS = 20
/** Streams in this process: of an account, of callers without one in a network, and of all in it. */
export const MAX_OF_ACCOUNT = 5
export const MAX_OF_ANONYMOUS = 5
const MAX_STREAMS = 500
const MAX_OF_NETWORK = shareOfNetwork(MAX_STREAMS)
/** What they watch, of all and of a network. */
const MAX_WATCHED = 2_000
const MAX_WATCHED_OF_NETWORK = shareOfNetwork(MAX_WATCHED)

/** A stream that is asked for. */
export interface StreamRequest {
  request: Request
  message: unknown
  uris: readonly string[]
  /** The account; undefined for an anonymous caller. */
  accountId: string | undefined
  address: string
  /** Whether the credential that the request came with is good by now. */
  isAuthorized(): Promise<boolean>
  serverFor: McpServerFactory
  watching: Omit<WatchOptions, 'changes'>
}

interface Stream extends Pick<StreamRequest, 'isAuthorized'> {
  /** What it counts for. */
  keys: string[]
  watched: WatchedResource[]
  published: number
  bus: InMemoryServerEventBus
  openedAt: number
  authorizedAt: number
  relay?: Relay
  close(): Promise<void>
}

export class Subscriptions {
  readonly #dependencies: Pick<Dependencies, 'changes' | 'log'>
  /** What runs in the background must not run for the request that happened to begin it. */
  readonly #outside: ReturnType<typeof AsyncLocalStorage.snapshot>
  /** In the order of their turns. */
  #open: Stream[] = []
  #timer: NodeJS.Timeout | undefined
  #isTurning = false
  #isClosed = false

  constructor(dependencies: Pick<Dependencies, 'changes' | 'log'>, outside = AsyncLocalStorage.snapshot()) {
    this.#dependencies = dependencies
    this.#outside = outside
  }

  /** The stream, or a text that says why there is none. */
  async open(subscribing: StreamRequest): Promise<Response | string> {
    const { accountId, address, uris, isAuthorized } = subscribing
    const network = networkOf(address)
    const keys = [accountId === undefined ? `anonymous ${network}` : `account ${accountId}`, `network ${network}`]
    if (this.#isClosed) return 'The server stops'
    if (this.#isFull(keys, uris.length)) return 'Subscription limit reached: end another one, or try again later'
    const watching = { ...subscribing.watching, changes: this.#dependencies.changes }
    const now = performance.now()
    const bus = new InMemoryServerEventBus()
    const handler = createMcpHandler(subscribing.serverFor, { legacy: 'reject', bus, maxSubscriptions: 1 })
    const stream: Stream = {
      ...{ keys, isAuthorized, bus, published: 1, openedAt: now, authorizedAt: now, close: handler.close },
      watched: uris.map((uri) => new WatchedResource(uri, watching)),
    }
    // It counts from here on, so that many at once are not more than may be.
    this.#open.push(stream)
    try {
      for (const one of stream.watched) await one.look(performance.now())
      const answer = await handler.fetch(subscribing.request, { parsedBody: subscribing.message })
      if (!answer.body || !answer.headers.get('content-type')?.startsWith('text/event-stream')) {
        this.#forget(stream)
        return answer
      }
      stream.relay = relay(answer.body, () => this.#forget(stream))
      this.#timer ??= this.#outside(() => setInterval(() => void this.#turn(), TURN_MILLISECONDS).unref())
      return new Response(stream.relay.stream, answer)
    } catch (error) {
      this.#forget(stream)
      throw error
    }
  }

  /** Ends all streams, and begins no other: the server stops. */
  close(): void {
    this.#isClosed = true
    for (const stream of this.#open) void stream.close()
  }

  #isFull(keys: readonly string[], uris: number): boolean {
    const [own = '', network = ''] = keys
    const of = (key: string) => this.#open.filter((stream) => stream.keys.includes(key)).length
    const most = own.startsWith('account ') ? MAX_OF_ACCOUNT : MAX_OF_ANONYMOUS
    const watchedBy = (streams: readonly Stream[]) => streams.reduce((sum, stream) => sum + stream.watched.length, uris)
    const near = this.#open.filter((stream) => stream.keys.includes(network))
    if (of(own) >= most || near.length >= MAX_OF_NETWORK || this.#open.length >= MAX_STREAMS) return true
    return watchedBy(near) > MAX_WATCHED_OF_NETWORK || watchedBy(this.#open) > MAX_WATCHED
  }

  async #turn(): Promise<void> {
    if (this.#isTurning) return
    this.#isTurning = true
    const until = performance.now() + SPENT_MILLISECONDS
    try {
      for (let left = this.#open.length; left > 0 && performance.now() < until; left--) {
        const stream = this.#open[0]
        if (!stream) break
        await this.#serve(stream)
        // The next turn begins with the one that waited longest.
        const at = this.#open.indexOf(stream)
        if (at >= 0) this.#open.push(...this.#open.splice(at, 1))
      }
    } catch (error) {
      // The database is away: what has changed is found when it is back.
      this.#dependencies.log.debug({ err: error }, 'subscriptions could not be served')
    } finally {
      this.#isTurning = false
    }
  }

  async #serve(stream: Stream): Promise<void> {
    const now = performance.now()
    if (!stream.relay) return
    if (now - stream.openedAt > LAST_MILLISECONDS) return stream.close()
    if (stream.published - stream.relay.taken() > MAX_WAITING) return stream.relay.cut()
    const due = stream.watched.filter((one) => one.isDue(now))
    if (due.length === 0 && now - stream.authorizedAt < CREDENTIAL_MILLISECONDS) return
    const changed: WatchedResource[] = []
    for (const one of due) if (await one.look(now)) changed.push(one)
    // After the look: nothing is said of what was read with a credential that had ended.
    if (!(await stream.isAuthorized())) return stream.close()
    stream.authorizedAt = now
    stream.published += changed.length
    for (const { uri } of changed) stream.bus.publish({ kind: 'resource_updated', uri })
  }

  #forget(stream: Stream): void {
    this.#open = this.#open.filter((one) => one !== stream)
    if (this.#open.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
