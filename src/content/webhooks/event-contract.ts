// Subscriptions of agents to events, by the methods of MCP alone (SEP-3415): what an agent can hear of, without a webhook of an admin or an owner. Their
// list, their log and their end are with the webhooks of the account.
import { z } from 'zod'
import { BoardSlug, Id, Timestamp, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { webhookEvents } from '../../contract/webhook-events.ts'
import { open, read } from '../area.ts'
import { Target, webhookActions } from './contract.ts'
import { failures, MAX_POLLED, USUAL_POLLED } from './event-rules.ts'

/** What an event can be narrowed to: things in a board, or one item of the library. */
const narrowed = {
  board: BoardSlug.optional().meta({ description: 'Only of this board' }),
  item: Id.optional().meta({ description: 'Only of this item of the library' }),
}

const name = z.enum(webhookEvents)
const cursor = z.string().max(40).nullish()
const age = z.coerce.number().int().min(0).max(1e12).optional()

const key = z.object({ name, ...narrowed, url: Target })

export const EventOccurrence = z.object({
  eventId: Id,
  name,
  timestamp: Timestamp,
  data: z.record(z.string(), z.unknown()),
})

const Subscribed = z.object({
  id: textLike('sub_a3f1c8e2b0d49f7e'),
  refreshBefore: Timestamp,
  cursor: z.string(),
  truncated: z.boolean(),
  deliveryStatus: z
    .object({
      active: z.boolean(),
      lastDeliveryAt: Timestamp.nullable(),
      lastError: z.enum(failures).nullable(),
      failedSince: Timestamp.optional(),
    })
    .optional(),
})

export const eventSubscriptions = {
  subscribe: {
    summary: 'Have events sent to an address until a moment',
    method: 'POST',
    kind: 'votes',
    path: '/account/event-subscriptions',
    access: read,
    budget: 'webhooks',
    audit: [webhookActions.create],
    // The address is asked whether it wants them: that cannot be tried.
    guesses: true,
    input: key.extend({
      secret: z.string().max(200),
      cursor,
      maxAgeMs: age,
      ttlMs: z.number().int().min(1).max(1e12).nullish(),
    }),
    output: z.union([z.object({ failure: z.enum(failures) }), Subscribed]),
    problems: ['not_found', 'conflict', 'forbidden'],
  },
  unsubscribe: {
    summary: 'Have events sent to an address no more',
    method: 'POST',
    kind: 'votes',
    path: '/account/event-subscriptions/end',
    access: read,
    withdraws: true,
    guesses: true,
    audit: [webhookActions.delete],
    input: key,
    output: z.object({}),
    problems: ['not_found', 'forbidden'],
  },
  poll: {
    summary: 'What was told of events since a place',
    method: 'GET',
    path: '/events',
    access: open,
    input: z.object({
      name,
      ...narrowed,
      cursor: cursor,
      maxAgeMs: age,
      maxEvents: z.coerce.number().int().min(1).max(MAX_POLLED).default(USUAL_POLLED),
    }),
    output: z.object({
      events: z.array(EventOccurrence),
      // The place after each of them.
      cursors: z.array(z.string()),
      cursor: z.string(),
      truncated: z.boolean(),
      hasMore: z.boolean(),
      nextPollMs: z.int(),
    }),
    problems: ['not_found'],
  },
} satisfies Contract
