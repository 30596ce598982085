// What is decided about subscriptions to events without touching the world: how long one lasts, what its receiver must be, and places in the log.
import { after } from '../../runtime/clock.ts'

/** Of one agent of an account, and of all of its agents. */
export const MAX_SUBSCRIPTIONS = 50
/** In seconds: what a subscription lasts unless told, and at least and at most. */
const USUAL_SECONDS = 3_600
export const LEAST_SECONDS = 60
export const MOST_SECONDS = 86_400
/** How long what was told can be read again: longer than a delivery is tried. */
export const KEPT_SECONDS = 2 * 86_400
/** How long after it happened an event may come into an empty log. */
export const LATE_SECONDS = 3_600
/** Of one delivery, in bytes (SEP-3415, Delivery profile). */
export const MAX_BODY_BYTES = 262_144
/** How long the previous secret signs too, after the receiver got another. */
export const ROTATION_SECONDS = 600
/** Of the answer to a challenge. */
export const CHALLENGE_MILLISECONDS = 5_000
/** Events that a new subscription is sent again at most: the last ones, and its agent hears that it missed others. */
export const MAX_REPLAYED = 500
/** Events of one poll at most, and unless told. */
export const MAX_POLLED = 100
export const USUAL_POLLED = 50
/** How long a client should wait between two polls. */
export const POLL_MILLISECONDS = 5_000

/** When a subscription ends: what its client wishes, within bounds. `null` asks for one without an end, which there is not. */
export function endOf(now: string, ttlMs: number | null | undefined): string {
  const wished = ttlMs === undefined ? USUAL_SECONDS : ttlMs === null ? MOST_SECONDS : ttlMs / 1_000
  return after(now, Math.min(Math.max(wished, LEAST_SECONDS), MOST_SECONDS))
}

const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/** Whether a text is the secret of a receiver: 24 to 64 bytes in base64 with a prefix (Standard Webhooks). */
export function isSecret(text: string): boolean {
  const [, base64] = SECRET.exec(text) ?? []
  const bytes = base64 === undefined ? 0 : Buffer.from(base64, 'base64').length
  return bytes >= 24 && bytes <= 64
}

/** The first place in the log that a moment can have. */
export const placeAt = (moment: string): number => Date.parse(moment) * 1_000

/** A place as clients keep it. */
export const cursorAt = (position: number): string => position.toString(36)

/** The place that a cursor says; undefined for what is none. */
export function placeIn(cursor: string): number | undefined {
  const position = /^[0-9a-z]{1,11}$/.test(cursor) ? Number.parseInt(cursor, 36) : Number.NaN
  return Number.isSafeInteger(position) ? position : undefined
}

/** Where a client goes on that was at `position`: later where what was told since is not kept, or is older than it wishes. */
export function startOf(
  position: number,
  now: string,
  maxAgeMs: number | undefined,
): { from: number; truncated: boolean } {
  const seconds = Math.min(KEPT_SECONDS, maxAgeMs === undefined ? KEPT_SECONDS : maxAgeMs / 1_000)
  const from = Math.max(position, placeAt(after(now, -seconds)))
  return { from, truncated: from > position }
}

/** Why a receiver was not found to be one (SEP-3415, Webhook delivery status). */
export const failures = [
  'connection_refused',
  'timeout',
  'tls_error',
  'http_4xx',
  'http_5xx',
  'challenge_failed',
] as const
export type Failure = (typeof failures)[number]

/** What a status says that is no success; undefined for a success. A redirect is not followed, and proves nothing. */
export function failureOf(status: number): Failure | undefined {
  if (status >= 500) return 'http_5xx'
  if (status >= 400) return 'http_4xx'
  return status >= 200 && status < 300 ? undefined : 'challenge_failed'
}

/** The same of what the log of deliveries has where there was no answer. */
export const failureOfText = (error: string | null): Failure => {
  if (error?.startsWith('No answer within')) return 'timeout'
  return failureOfError({ name: '', code: (error ?? '').toUpperCase() })
}

/** What went wrong where there was no answer. Where a name leads is not told: an address that must not be reached is one that refuses. */
export function failureOfError({ name, code }: { name: string; code: string }): Failure {
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout'
  return /TLS|SSL|CERT|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code) ? 'tls_error' : 'connection_refused'
}
