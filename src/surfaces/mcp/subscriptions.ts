// Subscriptions of 2026-07-28 (subscriptions/listen): a stream that tells when a resource changes for its subscriber. Nothing is remembered between
// streams.
import { createMcpHandler, InMemoryServerEventBus, type McpServerFactory } from '@modelcontextprotocol/server'
import type { Changes } from '../../database/commit-cache.ts'
import type { Dependencies } from '../../request/handler.ts'
import { sha256 } from '../../runtime/hash.ts'
import { type Caller, callOperation } from './call.ts'
import { type Relay, relay } from './relay.ts'
import { candidatesOf, type ResourceOptions } from './resources.ts'
import {
  CREDENTIAL_MILLISECONDS,
  type Holder,
  LAST_MILLISECONDS,
  MAX_WAITING,
  type StreamTurns,
  type TurningStream,
} from './stream-turns.ts'

// A resource that a subscriber waits for: read as the subscriber reads it, and only when a commit may have changed it. So it tells nothing
// that its subscriber could not read at that moment.

/** Two looks are so far apart at least. */
const REST_MILLISECONDS = 400

/** What the subscriber reads when there is nothing, or nothing for it. */
const ABSENT = 'absent'

interface WatchOptions extends ResourceOptions {
  caller: Caller
  /** Without it, every look reads. */
  changes: Changes | undefined
}

class WatchedResource {
  readonly uri: string
  readonly #watching: WatchOptions
  /** A hash of what was read. */
  #seen: string | undefined
  #moment = 0
  #tables: ReadonlySet<string> = new Set()
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(uri: string, watching: WatchOptions) {
    this.uri = uri
    this.#watching = watching
  }

  /** Whether it may have changed; `at` is in milliseconds from any moment. */
  isDue(at: number): boolean {
    if (at - this.#lookedAt < REST_MILLISECONDS) return false
    return !this.#watching.changes?.isCurrent(this.#moment, this.#tables)
  }

  /** Reads it. True when it reads differently than the last time. */
  async look(at: number): Promise<boolean> {
    const { changes } = this.#watching
    const tables = new Set<string>()
    const moment = changes?.moment() ?? 0
    const seen = await (changes ? changes.collecting(tables, () => this.#read()) : this.#read())
    this.#lookedAt = at
    // The server is busy: it is due again.
    if (seen === undefined) return false
    const isOther = this.#seen !== undefined && this.#seen !== seen
    this.#seen = seen
    this.#moment = moment
    this.#tables = tables
    return isOther
  }

  /** Undefined where an error of the server says nothing of the resource. */
  async #read(): Promise<string | undefined> {
    const { caller, core, resources } = this.#watching
    const { baseUrl } = core.dependencies.config
    // The first time it is a call of the agent, and counts as one.
    const looking = this.#seen === undefined ? {} : ({ isLooking: true } as const)
    for (const { bound, input } of candidatesOf(this.uri, { resources, baseUrl })) {
      const outcome = await callOperation({ bound, input }, { core, caller, ...looking })
      if ('result' in outcome) return sha256(outcome.result.text)
      const status = 'refused' in outcome ? outcome.refused.status : 400
      if (status >= 500 || status === 429) return undefined
    }
    return ABSENT
  }
}

/** Of one stream. */
export const MAX_URIS = 20
/** Streams of an account, in this process. */
export const MAX_OF_ACCOUNT = 5

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

export class Subscriptions {
  readonly #changes: Dependencies['changes']
  readonly #turns: StreamTurns

  constructor({ changes }: Pick<Dependencies, 'changes'>, turns: StreamTurns) {
    this.#changes = changes
    this.#turns = turns
  }

  /** The stream, or a text that says why there is none. */
  async open(subscribing: StreamRequest): Promise<Response | string> {
    const stream = new ResourceStream(subscribing, this.#changes)
    const refused = this.#turns.begin(stream)
    if (refused === 'closed') return 'The server stops'
    if (refused) return 'Subscription limit reached: end another one, or try again later'
    const onEnd = () => this.#turns.end(stream)
    try {
      return await stream.open(subscribing, onEnd)
    } catch (error) {
      onEnd()
      throw error
    }
  }
}

class ResourceStream implements TurningStream {
  readonly holder: Holder
  readonly #watched: readonly WatchedResource[]
  readonly #isAuthorized: StreamRequest['isAuthorized']
  readonly #bus = new InMemoryServerEventBus()
  readonly #handler: ReturnType<typeof createMcpHandler>
  readonly #openedAt = performance.now()
  #authorizedAt = this.#openedAt
  /** The first one says that it is acknowledged. */
  #published = 1
  #relay: Relay | undefined

  constructor({ accountId, address, uris, ...given }: StreamRequest, changes: Dependencies['changes']) {
    this.holder = { kind: 'resources', accountId, address, mostOfAccount: MAX_OF_ACCOUNT }
    this.#isAuthorized = given.isAuthorized
    this.#watched = uris.map((uri) => new WatchedResource(uri, { ...given.watching, changes }))
    this.#handler = createMcpHandler(given.serverFor, { legacy: 'reject', bus: this.#bus, maxSubscriptions: 1 })
  }

  get watches(): number {
    return this.#watched.length
  }

  async open({ request, message }: StreamRequest, onEnd: () => void): Promise<Response> {
    for (const one of this.#watched) await one.look(performance.now())
    const answer = await this.#handler.fetch(request, { parsedBody: message })
    if (!answer.body || !answer.headers.get('content-type')?.startsWith('text/event-stream')) {
      onEnd()
      return answer
    }
    this.#relay = relay(answer.body, onEnd)
    return new Response(this.#relay.stream, answer)
  }

  close(): void {
    void this.#handler.close()
  }

  async serve(now: number): Promise<boolean> {
    if (this.#relay) await this.#look(now, this.#relay)
    return false
  }

  async #look(now: number, reader: Relay): Promise<void> {
    if (now - this.#openedAt > LAST_MILLISECONDS) return this.close()
    // A reader who leaves more than this has gone.
    if (this.#published - reader.taken() > MAX_WAITING) return reader.cut()
    const due = this.#watched.filter((one) => one.isDue(now))
    if (due.length === 0 && now - this.#authorizedAt < CREDENTIAL_MILLISECONDS) return
    const changed: WatchedResource[] = []
    for (const one of due) if (await one.look(now)) changed.push(one)
    // After the look: nothing is said of what was read with a credential that had ended.
    if (!(await this.#isAuthorized())) return this.close()
    this.#authorizedAt = now
    this.#published += changed.length
    for (const { uri } of changed) this.#bus.publish({ kind: 'resource_updated', uri })
  }
}
