// What is decided about webhooks, without touching the world: when a delivery is tried again, and when there is no use any more.
import { after } from '../../runtime/clock.ts'

/** Of all kinds, for an account. */
export const MAX_WEBHOOKS = 20
/** Deliveries of a webhook that wait; a further one fails at once. */
export const MAX_PENDING = 1_000
/** Deliveries in the log of a webhook, beside those that wait. */
export const MAX_LOGGED = 100
/** How much of a response is read, in bytes, and kept, in characters. */
export const RESPONSE_BYTES = 4_096
export const RESPONSE_LENGTH = 1_000
/** Of one attempt (Standard Webhooks, Request timeouts). */
export const TIMEOUT_MILLISECONDS = 15_000
/** How long the previous secret signs too. */
export const OVERLAP_SECONDS = 86_400
/** How long a delivery is tried. */
export const TRY_SECONDS = 86_400
/** An address that fails for so long is disabled. */
export const FAILING_SECONDS = 3 * 86_400
/** The longest pause between two attempts. */
export const MAX_PAUSE_SECONDS = 4 * 3_600

/** In seconds, after the first attempt: most failures are over after a moment. */
const FIRST_PAUSE = 1

/** The pause after so many attempts: 1 s, 20 s, 80 s, ... at most four hours, and up to a fifth more or less. `random` is from 0 to 1. */
export function retryAfterSeconds(attempts: number, random: number): number {
  const pause = attempts === 1 ? FIRST_PAUSE : Math.min(5 * 4 ** (Math.min(attempts, 10) - 1), MAX_PAUSE_SECONDS)
  return pause * (0.8 + 0.4 * random)
}

/** How long an address rests after so many failures one after the other: only from the second one on, unless the receiver asks for it. */
export const restSeconds = (failures: number, random: number): number =>
  failures < 2 ? 0 : retryAfterSeconds(failures, random)

/** How an attempt ended. */
export interface Outcome {
  /** null when there was no response. */
  status: number | null
  error: string | null
  /** What the receiver asked for (RFC 9110, 10.2.3). */
  retryAfterSeconds: number
  /** A service of chat says so in its own way, beside the status. */
  isRefused?: boolean
  isGone?: boolean
}

export const isDelivered = ({ status, isRefused }: Outcome): boolean =>
  status !== null && status >= 200 && status < 300 && !isRefused

/** The receiver wants no more (Standard Webhooks, Delivery success and failure). */
export const isGone = ({ status, isGone: isSaid }: Outcome): boolean => status === 410 || isSaid === true

/** Whether the whole address is out of order or overloaded, so that its other deliveries wait as well. */
export const isAway = ({ status }: Outcome): boolean => status === null || [429, 502, 503, 504].includes(status)

interface AttemptFacts {
  now: string
  attempts: number
  firstAttemptAt: string
  random: number
}

/** When a failed delivery is tried again; undefined when its day is over. */
export function nextAttempt(
  outcome: Outcome,
  { now, attempts, firstAttemptAt, random }: AttemptFacts,
): string | undefined {
  const seconds = Math.max(retryAfterSeconds(attempts, random), outcome.retryAfterSeconds)
  const next = after(now, seconds)
  return next > after(firstAttemptAt, TRY_SECONDS) ? undefined : next
}

/** `Retry-After` in seconds, at most the longest pause; 0 for none. A date counts as none. */
export function retryAfterOf(header: string | undefined): number {
  return header !== undefined && /^\d{1,9}$/.test(header) ? Math.min(Number(header), MAX_PAUSE_SECONDS) : 0
}

/** What is kept of a response: text without control characters that a database refuses. */
export const keptResponse = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '').slice(0, RESPONSE_LENGTH).toWellFormed()
