// Answers that are sent again until a commit changes what they were made of: those that all anonymous users get, and for some seconds those
// that a member got, by the very cookies of the request.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../config/config.ts'
import { isPrivate } from '../../core/readers.ts'
import type { Changes } from '../../database/commit-cache.ts'
import { CommitCache, type Keep } from '../../database/commit-cache.ts'
import type { Clock } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import type { KeepAnswer, RequestRecord } from './pipeline.ts'
import { tableIn } from './table-format.ts'

interface ReadyAnswer {
  body: Buffer | string
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[]
  /** Of one session: by the clock of the server, in milliseconds. */
  until?: number
  /** The account of that session, as the log names it. */
  account?: string | undefined
}

/** What answers to members need beside commits. */
export interface MemberAnswers {
  clock: Pick<Clock, 'now'>
  /** See `Dependencies`. */
  caughtUp?(): Promise<void> | undefined
}

/** What a member may do can depend on the time, as the end of a session does: their answers are not kept for longer. */
const MEMBER_MILLISECONDS = 10_000
/** With more cookies a request is not from a browser that knows this site alone. */
const MOST_COOKIES = 1_000

const SHARED = { name: 'answers', most: 1_000, mostWeight: 16 * 1024 * 1024 } as const
const OWN = { name: 'answers', most: 1_000, mostWeight: 4 * 1024 * 1024 } as const

export class ReadyAnswers {
  readonly #shared: CommitCache<ReadyAnswer>
  readonly #own: CommitCache<ReadyAnswer>
  readonly #members: MemberAnswers | undefined

  /** Without `members` nothing of a session is kept. */
  constructor(changes: Changes, members: MemberAnswers | undefined) {
    this.#shared = new CommitCache(changes, SHARED)
    this.#own = new CommitCache(changes, OWN)
    this.#members = members
  }

  /** What must be waited for before `find`, so that members see what they wrote; undefined where that is nothing. */
  caughtUp(incoming: IncomingMessage): Promise<void> | undefined {
    const key = this.#ownKey(incoming)
    return key !== undefined && this.#own.has(key) ? this.#members?.caughtUp?.() : undefined
  }

  /** The answer to a request, if nothing was committed since it was made that may change it. */
  find(incoming: IncomingMessage, config: Pick<Config, 'readers'>): ReadyAnswer | undefined {
    if (tableIn(incoming.headers.accept)) return undefined
    if (isAnonymous(incoming)) return isPrivate(config) ? undefined : this.#shared.find(incoming.url ?? '')
    const key = this.#ownKey(incoming)
    // A request that comes once is not counted as one that missed.
    const found = key !== undefined && this.#own.has(key) ? this.#own.find(key) : undefined
    return found && isBefore(this.#members?.clock.now(), found.until) ? found : undefined
  }

  /** Runs `answer` with a function that keeps its response to a request, where it may be kept. */
  fill<Result>(
    incoming: IncomingMessage,
    record: RequestRecord | undefined,
    answer: (keep?: KeepAnswer) => Result,
  ): Result {
    if (isAnonymous(incoming)) {
      return this.#shared.fill(incoming.url ?? '', (keep) => answer((text, named) => keepShared(keep, text, named)))
    }
    const key = this.#ownKey(incoming)
    if (key === undefined) return answer()
    return this.#own.fill(key, (keep) =>
      answer((text, named, goodUntil) => {
        if (goodUntil === undefined || !this.#members) return
        const until = Math.min(goodUntil, this.#members.clock.now() + MEMBER_MILLISECONDS)
        const headers = headersOf(named, Buffer.byteLength(text))
        keep({ body: text, headers, until, account: record?.account }, text.length + key.length)
      }),
    )
  }

  /** Every cookie counts: not only the one of the session can change an answer. */
  #ownKey({ method, url, headers }: IncomingMessage): string | undefined {
    const { cookie, authorization } = headers
    if (!this.#members || !cookie || cookie.length > MOST_COOKIES || authorization !== undefined) return undefined
    if (!isRead(method) || headers['signature-agent'] !== undefined || !url?.startsWith('/api/')) return undefined
    return `${url} ${cookie}`
  }
}

const isRead = (method: string | undefined) => method === 'GET' || method === 'HEAD'

const isBefore = (now: number | undefined, until: number | undefined) =>
  now !== undefined && until !== undefined && now < until

/** A read without credentials: every caller gets the same response. */
function isAnonymous({ method, headers }: IncomingMessage): boolean {
  return isRead(method) && headers.cookie === undefined && headers.authorization === undefined
}

function keepShared(keep: Keep<ReadyAnswer>, text: string, named: Record<string, string>): void {
  const body = Buffer.from(text)
  keep({ body, headers: headersOf(named, body.byteLength) }, body.byteLength)
}

function headersOf({ 'X-Request-Id': _own, ...named }: Record<string, string>, bytes: number): string[] {
  const all = { 'Content-Type': 'application/json; charset=utf-8', ...named, 'Content-Length': String(bytes) }
  return Object.entries(all).flat()
}

interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  record: RequestRecord | undefined
}

/** Sends an answer again, under an id of its own; returns its status. */
export function sendReady({ headers, body, account }: ReadyAnswer, { incoming, outgoing, record }: Exchange): number {
  if (record && account !== undefined) record.account = account
  outgoing.writeHead(200, [...headers, 'X-Request-Id', newId()])
  outgoing.end(incoming.method === 'HEAD' ? undefined : body)
  return 200
}
