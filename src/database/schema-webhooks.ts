// The data model of webhooks and their deliveries; schema.ts has the rest, and the rules for all of it.
import type { Generated } from 'kysely'
import type { deliveryStates, StateIn } from '../contract/states.ts'
import type { WebhookFormat } from '../contract/webhook-events.ts'

/** An address that events are sent to. */
export interface WebhookTable {
  id: string
  ownerId: string
  /** The library item whose events it gets; null for those of the whole community. */
  itemId: string | null
  /** The board whose events it gets; null for those of all. Only of the community. */
  boardId: string | null
  /** The form of what is sent. It stays. */
  format: Generated<WebhookFormat>
  /** The words of its messages; null for the usual ones. Of a chat alone. */
  template: Generated<string | null>
  /** Of a chat whose addresses are secrets only the server; the address is sealed in `secret`. */
  url: string
  description: string
  /** A JSON array of names; empty for all. */
  events: string
  /** The secrets are encrypted: what signs, or the address of a chat, or the token for Matrix. The previous one signs too, until its time is over. */
  secret: string
  previousSecret: string | null
  previousSecretUntil: string | null
  createdAt: string
  updatedAt: string
  disabledAt: string | null
  disabledReason: 'owner' | 'failing' | 'gone' | null
  /** The first failure since the last success. */
  failingSince: string | null
  /** Failures of the address itself, one after the other. */
  failures: Generated<number>
  /** When the next of its deliveries is due; null for none. */
  dueAt: string | null
  /** An address that does not respond gets nothing before this moment. */
  pausedUntil: Generated<string>
  /** A process sends its deliveries until then. */
  leaseEndsAt: Generated<string>
  /** Of a subscription of an agent by MCP: what it is known by to its receiver. Such a one ends; others have none of these. */
  subscriptionId: Generated<string | null>
  clientId: Generated<string | null>
  /** No reference: it ends with the grant when that is looked at. */
  grantId: Generated<string | null>
  expiresAt: Generated<string | null>
}

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
  state: StateIn<typeof deliveryStates>
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
  /** Of a subscription: the event, by its place in the log of what was told. */
  position: Generated<number | string | null>
}

/** What was told lately, for agents that go on after a place: once for all of them. Who may hear of it is looked at when it is read. */
export interface ToldEventTable {
  /** In the order of commits. It begins with the time, in microseconds; a bigint, which is text on PostgreSQL. */
  position: number | string
  /** That of the event. */
  id: string
  event: string
  targetType: string
  targetId: string
  /** The board that it is in, or was. */
  boardId: string | null
  commentId: string | null
  actorId: string | null
  hidden: 0 | 1
  /** The event as it is sent, as JSON. */
  payload: string
  createdAt: string
}

export interface WebhooksDatabase {
  webhook: WebhookTable
  webhookDelivery: WebhookDeliveryTable
  toldEvent: ToldEventTable
}
