// Questions to a service, by the guarded request: bounded, without redirects, and only at the address that the operator set.
import { reachOf, sendGuarded } from '../../outgoing/guarded-request.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'

const TIMEOUT_MILLISECONDS = 10_000
/** A page has 30 entries, and a text there at most 65,536 characters. */
const MAX_BYTES = 8 * 1024 * 1024
/** Where a service says no time. */
const REST_SECONDS = 60
const LONGEST_REST_SECONDS = 7_200

export const MAX_PAGES = 34

export type Asking = Pick<Dependencies, 'config' | 'clock' | 'reach'>
type Headers = Record<string, string | string[] | undefined>

/** The other side asks to wait. */
export class Rest extends Error {
  readonly until: string

  constructor(until: string, why: string) {
    super(why)
    this.until = until
  }
}

/** Someone's budget here is used up: what they did there waits, and nothing else. */
export class Wait extends Rest {}

/** An answer that is no success; `status` is that of HTTP. */
export class Refusal extends Error {
  readonly status: number

  constructor(service: string, status: number, message: string) {
    super(`${service} answered ${status}: ${message}`)
    this.status = status
  }
}

/** An answer that is longer than what is read. */
export class TooLong extends Refusal {
  constructor(service: string, status: number) {
    super(service, status, 'more than can be read')
  }
}

export const header = (value: string | string[] | undefined): string => [value ?? ''].flat()[0] ?? ''

/** How a service says that there were too many requests. */
export interface Limits {
  isSpent(answer: { status: number; headers: Headers; json: unknown }): boolean
  /** The header with the second, since 1970, of the next request. */
  reset: string
  /** Whether that is in milliseconds. */
  isMilliseconds?: boolean
}

export interface Question {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: object | undefined
}

export interface Answer {
  status: number
  json: unknown
  headers: Headers
}

/** When to go on. */
function restUntil({ headers }: Answer, { reset, isMilliseconds = false }: Limits, now: number): string {
  const moment = timestamp(now)
  const retryAfter = header(headers['retry-after'])
  if (/^\d{1,6}$/.test(retryAfter)) return after(moment, Number(retryAfter))
  const said = header(headers[reset])
  const at = Math.ceil(Number(said) / (isMilliseconds ? 1_000 : 1))
  const seconds = /^\d{1,15}$/.test(said) ? at - Math.floor(now / 1_000) : REST_SECONDS
  return after(moment, Math.min(Math.max(seconds, 1), LONGEST_REST_SECONDS))
}

const messageIn = (json: unknown): string => {
  if (typeof json !== 'object' || json === null) return 'no message'
  const { message, error, errors } = json as Record<string, unknown>
  const first: unknown = Array.isArray(errors) ? (errors[0] as { message?: unknown } | undefined)?.message : undefined
  const said = [message, error, first].find((one) => typeof one === 'string')
  return typeof said === 'string' ? said.slice(0, 200) : 'no message'
}

/** JSON of an answer; undefined where it is none. */
function jsonIn(bytes: Buffer): unknown {
  try {
    return bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : undefined
  } catch {
    return undefined
  }
}

/** Asks a service; throws what it refuses, and when it asks to wait. */
export async function ask(
  { config, clock, reach }: Asking,
  { service, limits }: { service: string; limits: Limits },
  { method, url: address, headers, body }: Question,
): Promise<Answer> {
  const url = new URL(address)
  const answer = await sendGuarded(
    url,
    {
      ...{ method, timeoutMilliseconds: TIMEOUT_MILLISECONDS, maxBytes: MAX_BYTES },
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    },
    reachOf(url, config.privateServices, reach),
  )
  const { status } = answer
  const read: Answer = { status, headers: answer.headers, json: answer.isCut ? undefined : jsonIn(answer.body) }
  if (limits.isSpent(read)) {
    const until = restUntil(read, limits, clock.now())
    throw new Rest(until, `${service} answered ${status}, and asks to wait until ${until}`)
  }
  if (answer.isCut) throw new TooLong(service, status)
  if (status >= 400 || (status >= 300 && status !== 304)) throw new Refusal(service, status, messageIn(read.json))
  return read
}

/** What was asked for; undefined where it is gone. */
export async function orGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Refusal && [301, 404, 410].includes(error.status)) return undefined
    throw error
  }
}

/** The number of the last of many pages. */
export const lastPageIn = ({ headers }: Answer): number =>
  Number(/[?&]page=(\d{1,6})[^>]*>; rel="last"/.exec(header(headers['link']))?.[1] ?? 1)

/** Whether an answer of one of many pages has another one after it. */
export const hasNext = ({ headers }: Answer): boolean => /rel="next"/.test(header(headers['link']))
