// Streams of unread counts to open pages. One turn a second looks at the counters of all accounts that listen: they are cached until a
// commit changes them, by whichever process. Nothing else depends on a stream.
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { withHeldRole } from '../../core/authorize.ts'
import { findCaller } from '../../identity/grant-queries.ts'
import { callerOf } from '../../identity/sessions.ts'
import type { Caller, Dependencies } from '../../request/handler.ts'
import { closedBoardsOf } from '../board-access/reading.ts'
import { countUnread } from './queries.ts'

const TURN_MILLISECONDS = 1_000
/** Turns between two signs of life, and between two looks at the credential. */
const HEARTBEAT_TURNS = 20
const SESSION_TURNS = 5
/** A stream ends after ten minutes: then the credential is shown again. */
const LAST_TURNS = 600
/** Of an account and in all, in this process. */
export const MAX_STREAMS_OF_ACCOUNT = 5
const MAX_STREAMS = 1_000
/** What a browser waits before it opens the next one. */
const RETRY = 'retry: 5000\n\n'

interface OpenStream {
  caller: Caller
  /** Whether the caller may still ask for the count. */
  mayGoOn(): Promise<boolean>
  turns: number
  unread: number | undefined
  controller: ReadableStreamDefaultController<Uint8Array>
}

const encoder = new TextEncoder()

export class Streams {
  readonly #dependencies: Pick<Dependencies, 'db' | 'log' | 'config'>
  readonly #open = new Set<OpenStream>()
  #timer: NodeJS.Timeout | undefined
  #isTurning = false
  #isClosed = false

  constructor(dependencies: Pick<Dependencies, 'db' | 'log' | 'config'>) {
    this.#dependencies = dependencies
  }

  /** A new stream; throws `rate_limited` when there are too many. */
  open(caller: Caller, mayGoOn: OpenStream['mayGoOn']): ReadableStream<Uint8Array> {
    const own = [...this.#open].filter((one) => one.caller.id === caller.id).length
    if (own >= MAX_STREAMS_OF_ACCOUNT || this.#open.size >= MAX_STREAMS) {
      throw new Problem('rate_limited', 'Too many open streams', { retryAfterSeconds: 60 })
    }
    let stream: OpenStream | undefined
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(encoder.encode(RETRY))
        if (this.#isClosed) return controller.close()
        stream = {
          caller,
          mayGoOn,
          turns: 0,
          unread: undefined,
          controller,
        }
        this.#open.add(stream)
        this.#timer ??= setInterval(() => void this.#turn(), TURN_MILLISECONDS).unref()
        void this.#turn()
      },
      cancel: () => {
        if (stream) this.#forget(stream)
      },
    })
  }

  /** Ends all streams, and each new one at once: the server stops. */
  close(): void {
    this.#isClosed = true
    for (const stream of this.#open) this.#end(stream)
  }

  async #turn(): Promise<void> {
    if (this.#isTurning) return
    this.#isTurning = true
    try {
      for (const stream of [...this.#open]) await this.#serve(stream)
    } catch (error) {
      // The database is away: the counts come with the next turn that reads them.
      this.#dependencies.log.debug({ err: error }, 'unread counts could not be read')
    } finally {
      this.#isTurning = false
    }
  }

  async #serve(stream: OpenStream): Promise<void> {
    const { db, config } = this.#dependencies
    const { caller } = stream
    const isDue = stream.turns % SESSION_TURNS === 0
    const isOver = stream.turns++ >= LAST_TURNS || (isDue && !(await stream.mayGoOn()))
    if (isOver) {
      this.#end(stream)
      return
    }
    const unread = await countUnread(db, {
      userId: caller.id,
      off: partsOff(config),
      boards: () => this.#boardsOf(caller),
    })
    if (unread !== stream.unread) this.#send(stream, `event: unread\ndata: ${unread}\n\n`)
    else if (stream.turns % HEARTBEAT_TURNS === 0) this.#send(stream, ':\n\n')
    stream.unread = unread
  }

  /** The closed boards that an account reads now, with the role that its credential gives it. */
  async #boardsOf({ id, via }: Caller): Promise<readonly string[]> {
    const { db, config } = this.#dependencies
    const account = await findCaller(db, { id })
    return account ? closedBoardsOf({ db, config }, withHeldRole(config, callerOf(account, via))) : []
  }

  #send(stream: OpenStream, text: string): void {
    if (!this.#open.has(stream)) return
    // A reader who takes nothing any more is gone.
    if ((stream.controller.desiredSize ?? 0) < -8) this.#end(stream)
    else stream.controller.enqueue(encoder.encode(text))
  }

  #end(stream: OpenStream): void {
    if (this.#forget(stream)) stream.controller.close()
  }

  #forget(stream: OpenStream): boolean {
    const was = this.#open.delete(stream)
    if (this.#open.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    return was
  }
}
