// Deliveries of events to webhooks; schema.ts has the rules for all of it.
import type { Generated } from 'kysely'

/** One event for one webhook. */
export interface WebhookDeliveryTable {
  id: string
  webhookId: string
  event: string
  /** What it tells of, so that it goes when that does; null for a test. */
  targetType: string | null
  targetId: string | null
  commentId: string | null
  actorId: string | null
  /** Whether only the owner of the item may know of it. */
  hidden: 0 | 1
  payload: string
  /** `taken:` is before the state of one that is left out while an account is blocked. */
  state: 'pending' | 'delivered' | 'failed' | `taken:${'pending' | 'delivered' | 'failed'}`
  createdAt: string
  /** The first attempt, or the first one since it was asked for again. */
  firstAttemptAt: string | null
  attempts: Generated<number>
  nextAttemptAt: string | null
  attemptedAt: string | null
  /** Of the last attempt: the HTTP status, how long it took, the beginning of the response, and what went wrong. */
  status: number | null
  durationMilliseconds: number | null
  response: string | null
  error: string | null
}

export interface DeliveriesDatabase {
  webhookDelivery: WebhookDeliveryTable
}
