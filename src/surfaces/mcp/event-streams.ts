// Streams of events (events/stream): one for a subscription, as long as its client holds it. What it says is what polls with its token give, so the rights
// of its caller are looked at for every event.
import { setTimeout as sleep } from 'node:timers/promises'
import { ProtocolError, type ServerContext, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server'
import { networkOf } from '../../budgets/network.ts'
import type { Dependencies } from '../../request/handler.ts'
import { shareOfNetwork } from '../../runtime/network-share.ts'
import type { Exchange } from './call.ts'
import { eventErrors, type Polled } from './event-schemas.ts'
import { relay } from './relay.ts'

const LOOK_MILLISECONDS = 250
/** How often is looked while nothing changes: the token may have ended. */
const CREDENTIAL_MILLISECONDS = 5_000
const HEARTBEAT_MILLISECONDS = 15_000
/** Then its client comes again, and shows its token. */
const LAST_MILLISECONDS = 3_600_000
/** A reader who leaves more messages than this has gone. */
const MAX_WAITING = 40
/** In this process: of an account, of callers without one in a network, of a network, and of all. */
const MAX_OF_ACCOUNT = 10
const MAX_OF_ANONYMOUS = 5
const MAX_STREAMS = 500
const MAX_OF_NETWORK = shareOfNetwork(MAX_STREAMS)

interface StreamOptions {
  /** Throws ProtocolError where the caller may hear of nothing; `isLooking` for a look of the server, which counts as no call. */
  poll(place: { cursor?: string; maxAgeMs?: number }, isLooking?: boolean): Promise<Polled>
  /** Whether the token that the request came with is good by now. */
  isAuthorized(): Promise<boolean>
  context: ServerContext
  exchange: Exchange
  place: { cursor?: string; maxAgeMs?: number }
}

type Looking = Pick<Dependencies, 'changes'>

export class EventStreams {
  readonly #changes: Dependencies['changes']
  /** By what they count for. */
  readonly #open = new Map<string, number>()
  readonly #closing = new AbortController()

  constructor({ changes }: Looking) {
    this.#changes = changes
  }

  /** Ends all streams, and begins no other: the server stops. */
  close(): void {
    this.#closing.abort()
  }

  /** Says what happens until the client leaves, the server stops, an hour is over, or the caller may hear no more. */
  async serve(options: StreamOptions): Promise<{ _meta: Record<string, unknown> }> {
    const keys = keysOf(options.exchange)
    if (this.#closing.signal.aborted || this.#isFull(keys)) {
      const data = { limit: 'streams' }
      throw new ProtocolError(eventErrors.resourceExhausted, 'Too many streams: end another one first', data)
    }
    for (const key of keys) this.#open.set(key, (this.#open.get(key) ?? 0) + 1)
    try {
      const { mcpReq } = options.context
      const signal = AbortSignal.any([mcpReq.signal, this.#closing.signal])
      await new Stream(options, { changes: this.#changes, signal }).run()
      return { _meta: { [SUBSCRIPTION_ID_META_KEY]: mcpReq.id } }
    } finally {
      for (const key of keys) this.#open.set(key, (this.#open.get(key) ?? 1) - 1)
      for (const key of keys) if (this.#open.get(key) === 0) this.#open.delete(key)
    }
  }

  #isFull(keys: readonly string[]): boolean {
    const most = [keys[0]?.startsWith('account ') ? MAX_OF_ACCOUNT : MAX_OF_ANONYMOUS, MAX_OF_NETWORK, MAX_STREAMS]
    return keys.some((key, at) => (this.#open.get(key) ?? 0) >= (most[at] ?? 0))
  }
}

/** What a stream counts for: its account, or that it has none; its network; all. */
function keysOf({ caller, authenticated }: Exchange): string[] {
  const network = networkOf(caller.address)
  const account = authenticated?.caller?.id
  return [account === undefined ? `anonymous ${network}` : `account ${account}`, `network ${network}`, 'all']
}

class Stream {
  readonly #options: StreamOptions
  readonly #changes: Dependencies['changes']
  readonly #signal: AbortSignal
  #published = 0
  #cursor = ''
  /** When was looked last, and what that depends on. */
  #lookedAt = 0
  #moment = 0
  #tables: ReadonlySet<string> = new Set()

  constructor(options: StreamOptions, { changes, signal }: Looking & { signal: AbortSignal }) {
    this.#options = options
    this.#changes = changes
    this.#signal = signal
  }

  async run(): Promise<void> {
    const { place } = this.#options
    const begun = performance.now()
    let polled = await this.#look(place, false)
    await this.#notify('active', { cursor: place.cursor ?? polled.cursor, truncated: polled.truncated })
    await this.#tell(polled)
    let saidAt = performance.now()
    while (performance.now() - begun < LAST_MILLISECONDS) {
      if (!polled.hasMore) await sleep(LOOK_MILLISECONDS, undefined, { signal: this.#signal }).catch(() => {})
      if (this.#signal.aborted || this.#isLeft()) return
      if (polled.hasMore || this.#isDue()) {
        const next = await this.#next()
        if (!next) return
        polled = next
        if (polled.truncated) await this.#notify('active', { cursor: polled.cursor, truncated: true })
        if (polled.events.length > 0) saidAt = performance.now()
        await this.#tell(polled)
      }
      if (performance.now() - saidAt < HEARTBEAT_MILLISECONDS) continue
      await this.#notify('heartbeat', { cursor: this.#cursor })
      saidAt = performance.now()
    }
  }

  #isDue(): boolean {
    if (performance.now() - this.#lookedAt >= CREDENTIAL_MILLISECONDS) return true
    return !this.#changes?.isCurrent(this.#moment, this.#tables)
  }

  /** What happened since; undefined where the caller may hear no more, after a message that says so. */
  async #next(): Promise<Polled | undefined> {
    try {
      const polled = await this.#look({ cursor: this.#cursor }, true)
      // After the look: nothing is said of what was read with a token that had ended.
      if (await this.#options.isAuthorized()) return polled
      await this.#notify('terminated', { error: { code: eventErrors.forbidden, message: 'Access revoked' } })
      return undefined
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      const { code, message } = error
      const isOver = code === eventErrors.forbidden || code === eventErrors.notFound
      if (isOver) await this.#notify('terminated', { error: { code, message } })
      // The server is busy: it is looked again.
      return isOver ? undefined : { events: [], cursors: [], cursor: this.#cursor, truncated: false, hasMore: false }
    }
  }

  async #look(place: StreamOptions['place'], isLooking: boolean): Promise<Polled> {
    const tables = new Set<string>()
    this.#moment = this.#changes?.moment() ?? 0
    const read = () => this.#options.poll(place, isLooking)
    const polled = await (this.#changes ? this.#changes.collecting(tables, read) : read())
    this.#tables = tables
    this.#lookedAt = performance.now()
    return polled
  }

  async #tell({ events, cursors, cursor }: Polled): Promise<void> {
    for (const [at, event] of events.entries()) await this.#notify('event', { ...event, cursor: cursors[at] })
    this.#cursor = cursor
  }

  async #notify(kind: string, params: object): Promise<void> {
    const { mcpReq } = this.#options.context
    this.#published += 1
    const _meta = { [SUBSCRIPTION_ID_META_KEY]: mcpReq.id }
    // A client that went away misses it, and goes on from its cursor.
    await mcpReq.notify({ method: `notifications/events/${kind}`, params: { ...params, _meta } }).catch(() => {})
  }

  /** Cuts off a reader who takes too little. */
  #isLeft(): boolean {
    const { relay: reader } = this.#options.exchange
    if (!reader || this.#published - reader.taken() <= MAX_WAITING) return false
    reader.cut()
    return true
  }
}

/** An answer that is a stream goes through a relay, so that its sender knows how much is taken. */
export function streamed(answer: Response, exchange: Exchange): Response {
  if (!answer.body || !answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
  exchange.relay = relay(answer.body, () => {})
  return new Response(exchange.relay.stream, answer)
}
