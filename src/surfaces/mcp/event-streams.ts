// Streams of events (events/stream): one for a subscription, as long as its client holds it. What it says is what polls with its token give, so the rights
// of its caller are looked at for every event.
import { ProtocolError, type ServerContext, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server'
import type { Dependencies } from '../../request/handler.ts'
import type { Exchange } from './call.ts'
import { eventErrors, type Polled } from './event-schemas.ts'
import { relay } from './relay.ts'
import {
  CREDENTIAL_MILLISECONDS,
  type Holder,
  LAST_MILLISECONDS,
  MAX_WAITING,
  type StreamTurns,
  type TurningStream,
} from './stream-turns.ts'

const HEARTBEAT_MILLISECONDS = 15_000
/** What is read of the log at once; with what says that the stream stands, it is less than a reader may leave. */
const PAGE = 30
/** A reader gets no more than it takes. One who leaves something, and takes nothing for so long, has gone. */
const GONE_MILLISECONDS = 30_000
/** Streams of an account, in this process. */
const MAX_OF_ACCOUNT = 10
/** There was no look, or the server was too busy for it. */
const NOTHING = 'nothing'

interface StreamOptions {
  /** Throws ProtocolError where the caller may hear of nothing; `isLooking` for a look of the server, which counts as no call. */
  poll(place: Place & { maxEvents: number }, isLooking?: boolean): Promise<Polled>
  /** Whether the token that the request came with is good by now. */
  isAuthorized(): Promise<boolean>
  context: ServerContext
  exchange: Exchange
  place: Place
}

interface Place {
  cursor?: string
  maxAgeMs?: number
}

export class EventStreams {
  readonly #changes: Dependencies['changes']
  readonly #turns: StreamTurns

  constructor({ changes }: Pick<Dependencies, 'changes'>, turns: StreamTurns) {
    this.#changes = changes
    this.#turns = turns
  }

  /** Says what happens until the client leaves, the server stops, an hour is over, or the caller may hear no more. */
  async serve(options: StreamOptions): Promise<{ _meta: Record<string, unknown> }> {
    const stream = new EventStream(options, this.#changes)
    if (this.#turns.begin(stream)) {
      const data = { limit: 'streams' }
      throw new ProtocolError(eventErrors.resourceExhausted, 'Too many streams: end another one first', data)
    }
    const { id, signal } = options.context.mcpReq
    const leave = () => stream.close()
    signal.addEventListener('abort', leave)
    try {
      await stream.begin()
      if (signal.aborted) leave()
      await stream.ended
      return { _meta: { [SUBSCRIPTION_ID_META_KEY]: id } }
    } finally {
      signal.removeEventListener('abort', leave)
      this.#turns.end(stream)
    }
  }
}

class EventStream implements TurningStream {
  readonly holder: Holder
  readonly watches = 1
  readonly #options: StreamOptions
  readonly #changes: Dependencies['changes']
  readonly #end = Promise.withResolvers<void>()
  readonly #openedAt = performance.now()
  #hasBegun = false
  #isOver = false
  #cursor = ''
  #hasMore = false
  /** When was looked last, and what that depends on. */
  #lookedAt = 0
  #moment = 0
  #tables: ReadonlySet<string> = new Set()
  #authorizedAt = this.#openedAt
  #saidAt = this.#openedAt
  #published = 0
  /** How much its reader has taken, and since when it is no more. */
  #taken = { count: 0, at: this.#openedAt }

  constructor(options: StreamOptions, changes: Dependencies['changes']) {
    const { caller, authenticated } = options.exchange
    const accountId = authenticated?.caller?.id
    this.holder = { kind: 'events', accountId, address: caller.address, mostOfAccount: MAX_OF_ACCOUNT }
    this.#options = options
    this.#changes = changes
  }

  /** Resolves when nothing more is said. */
  get ended(): Promise<void> {
    return this.#end.promise
  }

  close(): void {
    this.#isOver = true
    this.#end.resolve()
  }

  /** Says what has happened since its place, which is a call of its client. */
  async begin(): Promise<void> {
    const { place } = this.#options
    const { cursor, truncated, ...polled } = await this.#look(place, false)
    await this.#notify('active', { cursor: place.cursor ?? cursor, truncated })
    await this.#tell({ ...polled, cursor })
    this.#hasBegun = true
  }

  async serve(now: number): Promise<boolean> {
    if (!this.#hasBegun || this.#isOver) return false
    try {
      return await this.#goOn(now)
    } catch (error) {
      this.#isOver = true
      this.#end.reject(error)
      return false
    }
  }

  async #goOn(now: number): Promise<boolean> {
    if (now - this.#openedAt > LAST_MILLISECONDS || this.#hasLeft(now)) {
      this.close()
      return false
    }
    const isDue = this.#hasRoom() && this.#isDue(now)
    let isTold = false
    if (isDue || now - this.#authorizedAt >= CREDENTIAL_MILLISECONDS) {
      const polled = isDue ? await this.#next() : NOTHING
      // After the look: nothing is said of what was read with a token that had ended.
      if (polled && !(await this.#options.isAuthorized()))
        await this.#terminate(eventErrors.forbidden, 'Access revoked')
      else if (polled) isTold = await this.#say(polled, now)
    }
    if (!this.#isOver && now - this.#saidAt >= HEARTBEAT_MILLISECONDS) {
      await this.#notify('heartbeat', { cursor: this.#cursor })
      this.#saidAt = now
    }
    return isTold && this.#hasMore && this.#hasRoom()
  }

  /** Says what was found; false where nothing was looked for. */
  async #say(polled: Polled | typeof NOTHING, now: number): Promise<boolean> {
    this.#authorizedAt = now
    if (polled === NOTHING) return false
    if (polled.truncated) await this.#notify('active', { cursor: polled.cursor, truncated: true })
    if (polled.events.length > 0) this.#saidAt = now
    await this.#tell(polled)
    return true
  }

  #isDue(now: number): boolean {
    if (this.#hasMore || now - this.#lookedAt >= CREDENTIAL_MILLISECONDS) return true
    return !this.#changes?.isCurrent(this.#moment, this.#tables)
  }

  /** What happened since; undefined where the caller may hear no more, after a message that says so. */
  async #next(): Promise<Polled | typeof NOTHING | undefined> {
    try {
      return await this.#look({ cursor: this.#cursor }, true)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      const { code, message } = error
      // The server is busy: it is looked again.
      if (code !== eventErrors.forbidden && code !== eventErrors.notFound) return NOTHING
      await this.#terminate(code, message)
      return undefined
    }
  }

  async #terminate(code: number, message: string): Promise<void> {
    await this.#notify('terminated', { error: { code, message } })
    this.close()
  }

  async #look(place: Place, isLooking: boolean): Promise<Polled> {
    const tables = new Set<string>()
    this.#moment = this.#changes?.moment() ?? 0
    const read = () => this.#options.poll({ ...place, maxEvents: PAGE }, isLooking)
    const polled = await (this.#changes ? this.#changes.collecting(tables, read) : read())
    this.#tables = tables
    this.#lookedAt = performance.now()
    return polled
  }

  async #tell({ events, cursors, cursor, hasMore }: Omit<Polled, 'truncated'>): Promise<void> {
    for (const [at, event] of events.entries()) await this.#notify('event', { ...event, cursor: cursors[at] })
    this.#cursor = cursor
    this.#hasMore = hasMore
  }

  async #notify(kind: string, params: object): Promise<void> {
    const { mcpReq } = this.#options.context
    this.#published += 1
    const _meta = { [SUBSCRIPTION_ID_META_KEY]: mcpReq.id }
    // A client that went away misses it, and goes on from its cursor.
    await mcpReq.notify({ method: `notifications/events/${kind}`, params: { ...params, _meta } }).catch(() => {})
  }

  #hasRoom(): boolean {
    const { relay: reader } = this.#options.exchange
    return !reader || this.#published - reader.taken() + PAGE <= MAX_WAITING
  }

  /** Cuts off a reader who takes nothing. */
  #hasLeft(now: number): boolean {
    const { relay: reader } = this.#options.exchange
    if (!reader) return false
    const count = reader.taken()
    if (count !== this.#taken.count || count >= this.#published) this.#taken = { count, at: now }
    if (now - this.#taken.at < GONE_MILLISECONDS) return false
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
