// Lists as CSV and as JSON lines. The calls are those that a client would make for the pages of the list, one after the other: with its access, its
// filters, and what each call uses up. All of a table is read before any of it is sent, so its status is that of the whole, and `Link` says where
// the rest begins.
import { z } from 'zod'
import { readerAt, sharingNetworkOf } from '../../budgets/network.ts'
import { entriesOf, type Operation, pagingOf } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { BoundOperation } from '../../core/bind.ts'
import { call } from '../../core/call.ts'
import type { Authenticators, CallRequest, CallResult, Core } from '../../core/call-request.ts'
import { CSV_START, CSV_TYPE, csvLine } from '../../formats/csv.ts'
import { shareOfNetwork } from '../../runtime/network-share.ts'
import { required } from '../../runtime/untyped.ts'
import { FairQueue } from '../../workers/queue.ts'
import { cellOf, columnsOf } from './table-columns.ts'
import type { TableFormat } from './table-format.ts'

// Tables on their way to clients. A large one is held until it is sent, and a client may read as slowly as it likes: all of them together, and those of
// one network, have a limit.

/** Of the tables that are being sent. A network has a tenth of it: one of the largest tables, and many others. */
export const MAX_SENT_BYTES = 256 * 1024 * 1024
/** As large as a page of JSON may be; what is smaller is always sent. */
const SMALL_BYTES = 1024 * 1024
const PIECE_BYTES = 64 * 1024
const RETRY_AFTER_SECONDS = 10

export class TablesSent {
  #bytes = 0
  readonly #ofNetworks = new Map<string, number>()

  /** Throws `unavailable` while no further large table may be read for an address. */
  requireRoom(address: string): void {
    const network = sharingNetworkOf(address)
    const isFull = this.#bytes >= MAX_SENT_BYTES
    const isNetworkFull = network !== undefined && this.#of(network) >= shareOfNetwork(MAX_SENT_BYTES)
    if (!isFull && !isNetworkFull) return
    const message = 'Too many large tables are being sent; try again in a few seconds'
    throw new Problem('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }

  /** The bytes of a table as the body of a response, which counts until it was read or given up. */
  bodyOf(bytes: Uint8Array<ArrayBuffer>, address: string): BodyInit {
    if (bytes.byteLength <= SMALL_BYTES) return bytes
    const network = sharingNetworkOf(address)
    this.#count(network, bytes.byteLength)
    let isCounted = true
    // A client may hang up between the last piece and its end: both report that.
    const release = () => {
      if (isCounted) this.#count(network, -bytes.byteLength)
      isCounted = false
    }
    let sent = 0
    return new ReadableStream({
      pull(controller) {
        controller.enqueue(bytes.subarray(sent, sent + PIECE_BYTES))
        sent += PIECE_BYTES
        if (sent < bytes.byteLength) return
        controller.close()
        release()
      },
      cancel: release,
    })
  }

  #of(network: string): number {
    return this.#ofNetworks.get(network) ?? 0
  }

  #count(network: string | undefined, change: number): void {
    this.#bytes += change
    if (network === undefined) return
    const bytes = this.#of(network) + change
    if (bytes > 0) this.#ofNetworks.set(network, bytes)
    else this.#ofNetworks.delete(network)
  }
}

/** What one table has at most. The page that reaches the characters is its last one. */
export const MAX_ROWS = 10_000
export const MAX_CHARACTERS = 8_000_000

/** So many tables of several pages are read at a time, by networks in turn. */
const LIMITS = { concurrent: 2, maxWaiting: 100, maxWaitingOfOne: 10 }

/** What all tables of a server share. */
export class Tables {
  readonly queue: FairQueue = new FairQueue(LIMITS)
  readonly sent: TablesSent = new TablesSent()
}

const typeOf: Record<TableFormat, string> = { csv: CSV_TYPE, jsonl: 'application/jsonl; charset=utf-8' }

export interface Table {
  text: string
  headers: Record<string, string>
  /** Of the calls: the cookie of a renewed session, and what is left of budgets. */
  reply: Headers
}

export interface TableRequest {
  core: Core
  bound: BoundOperation
  /** The call of the list, as it was asked for. */
  request: CallRequest
  format: TableFormat
  tables: Tables
}

type Answer = Readonly<Record<string, unknown>>

/** The table of a list. Throws as its call does. */
export async function tableOf(asked: TableRequest): Promise<Table> {
  const { bound, request, format } = asked
  const reading = new TableReading(asked)
  await reading.begin()
  if (reading.isOpen) {
    asked.tables.sent.requireRoom(request.address)
    await asked.tables.queue.run(readerAt(request.address), () => reading.goOn())
  }
  const { operation, name } = bound
  const next = reading.next && addressWith(request, { core: asked.core, ...reading.next })
  return {
    text:
      (format === 'csv' ? CSV_START + csvLine(columnsOf(operation).map((column) => column.name)) : '') + reading.text,
    headers: {
      'Content-Type': typeOf[format],
      'Content-Disposition': `attachment; filename="${name.replace(/\.list$/, '').replace('.', '-')}.${format}"`,
      ...(next && { Link: `<${next}>; rel="next"` }),
    },
    reply: reading.reply,
  }
}

/** Where the rest of a table is, by the name and the value of what asks for it. */
interface Rest {
  name: string
  value: string
}

class TableReading {
  readonly reply = new Headers()
  text = ''
  /** Where the rest begins; undefined when all was read. */
  next: Rest | undefined
  readonly #asked: TableRequest
  readonly #core: Core
  readonly #entries: string
  /** Whether the pages are followed: not where the caller asks for one of them. */
  readonly #isWhole: boolean
  #rows = 0

  constructor(asked: TableRequest) {
    const { bound, core, request } = asked
    const { operation } = bound
    this.#asked = asked
    // A proof of a key is good for one request (RFC 9449, 11.1), which this is.
    this.#core = { ...core, authenticators: onceOnly(core.authenticators) }
    this.#entries = required(entriesOf(operation))
    this.#isWhole = pagingOf(operation)?.by === 'cursor' && !asksForPage(request.query())
  }

  get isOpen(): boolean {
    return this.#isWhole && this.next !== undefined && this.#rows < MAX_ROWS && this.text.length < MAX_CHARACTERS
  }

  async begin(): Promise<void> {
    this.#take(await this.#call(this.#asked.request.query()['cursor'] ?? ''))
  }

  /** Reads further pages, until the end or a limit. What is over a budget then is left for another request. */
  async goOn(): Promise<void> {
    while (this.isOpen) {
      try {
        this.#take(await this.#call(required(this.next).value))
      } catch (error) {
        if (error instanceof Problem && error.code === 'rate_limited') return
        throw error
      }
    }
  }

  #call(cursor: unknown): Promise<CallResult> {
    const { bound, request } = this.#asked
    const { format: _format, ...given } = request.query()
    const query = this.#isWhole ? { ...given, cursor, per_page: String(pageSizeOf(bound.operation)) } : given
    return call(this.#core, bound, { ...request, query: () => query as ReturnType<CallRequest['query']> })
  }

  #take({ output, reply }: CallResult): void {
    const answer = output as Answer
    const entries = answer[this.#entries] as readonly unknown[]
    this.text += linesOf(this.#asked, entries)
    this.#rows += entries.length
    this.next = restOf(this.#asked.bound.operation, answer, this.#asked.request.query())
    for (const [name, value] of reply) this.reply.set(name, value)
  }
}

function linesOf({ format, bound }: TableRequest, entries: readonly unknown[]): string {
  if (format === 'jsonl') return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
  const columns = columnsOf(bound.operation)
  return entries.map((entry) => csvLine(columns.map((column) => cellOf(entry, column)))).join('')
}

/** Whether a request names the page that it wants, which it then gets as a table. */
const asksForPage = (query: Readonly<Record<string, unknown>>) =>
  ['page', 'per_page', 'before', 'after'].some((name) => query[name] !== undefined)

/** The largest page that a list has. */
function pageSizeOf({ input }: Pick<Operation, 'input'>): number {
  const size = z.toJSONSchema(required(input.shape['per_page'] as z.ZodType | undefined), { unrepresentable: 'any' })
  return required(size.maximum)
}

/** What asks for the page after an answer, as its list is paged. */
function restOf(operation: Operation, answer: Answer, query: Readonly<Record<string, unknown>>): Rest | undefined {
  const { nextCursor, next, hasMore } = answer
  const { shape } = operation.input
  if (typeof nextCursor === 'string') return { name: 'cursor', value: nextCursor }
  const paged = pagingOf(operation)
  if (paged?.by === 'after') {
    const isEnd = (answer[paged.entries] as readonly unknown[]).length === 0
    return isEnd ? undefined : { name: 'after', value: String(next) }
  }
  if (hasMore !== true) return undefined
  if (typeof next === 'string') return { name: query['after'] === undefined ? 'before' : 'after', value: next }
  if (!('page' in shape) || query['cursor'] !== undefined) return undefined
  return { name: 'page', value: String((Number(query['page']) || 0) + 1) }
}

function addressWith({ sender }: CallRequest, { core, name, value }: Rest & { core: Core }): string {
  const { pathname, search } = new URL(sender.url)
  const query = new URLSearchParams(search)
  query.set(name, value)
  return `${core.dependencies.config.baseUrl}${pathname}?${query}`
}

/** The same, but what a token says is asked for once. */
function onceOnly(authenticators: Authenticators): Authenticators {
  let found: ReturnType<Authenticators['bearer']> | undefined
  return {
    ...authenticators,
    bearer(credential, now) {
      found ??= authenticators.bearer(credential, now)
      return found
    },
  }
}
