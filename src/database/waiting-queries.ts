// What waits to be done in the background: how much of it, and since when. For /metrics and `npm run admin -- stats`.
import { sql } from 'kysely'
import type { Db } from './schema.ts'

/** One queue: its rows, and when the oldest was written; null when it is empty. */
export interface Waiting {
  count: number
  oldestAt: string | null
}

export const queueNames = ['mail', 'events', 'webhooks', 'erasures'] as const
export type QueueName = (typeof queueNames)[number]

/** Mail to send, events to notify of, deliveries of webhooks, and accounts whose erasure is due at `now`. Each is an index scan. */
export async function listWaiting(db: Db, now: string): Promise<Record<QueueName, Waiting>> {
  const { rows } = await sql<{ name: QueueName; count: number | string; oldestAt: string | null }>`
    select 'mail' as name, count(*) as count, min("createdAt") as "oldestAt" from outbox where "sentAt" is null
    union all select 'events', count(*), min("createdAt") from event where "doneAt" is null
    union all select 'webhooks', count(*), min("createdAt") from "webhookDelivery" where state = 'pending'
    union all select 'erasures', count(*), min("eraseAt") from "accountDeletion" where "eraseAt" <= ${now}`.execute(db)
  const found = rows.map(({ name, count, oldestAt }) => [name, { count: Number(count), oldestAt }] as const)
  return Object.fromEntries(found) as Record<QueueName, Waiting>
}
