// What waits to be done in the background: how much of it, and since when. For /metrics and `npm run admin -- stats`.
import { sql } from 'kysely'
import { recordOf } from '../contract/records.ts'
import { required } from '../runtime/untyped.ts'
import type { Db } from './schema.ts'

/** One queue: its rows, and when the oldest was written; null when it is empty. */
export interface QueueState {
  count: number
  oldestAt: string | null
}

export const queueNames = ['mail', 'events', 'webhooks', 'erasures'] as const
export type QueueName = (typeof queueNames)[number]

/** Mail to send, events to notify of, deliveries of webhooks, and accounts whose erasure is due at `now`. Each is an index scan. */
export async function listWaiting(db: Db, now: string): Promise<Record<QueueName, QueueState>> {
  const { rows } = await sql<{ name: QueueName; count: number | string; oldestAt: string | null }>`
    select 'mail' as name, count(*) as count, min("createdAt") as "oldestAt" from outbox where "sentAt" is null
    union all select 'events', count(*), min("createdAt") from event where "doneAt" is null
    union all select 'webhooks', count(*), min("createdAt") from "webhookDelivery" where state = 'pending'
    union all select 'erasures', count(*), min("eraseAt") from "accountDeletion" where "eraseAt" <= ${now}`.execute(db)
  return recordOf(queueNames, (queue) => {
    const { count, oldestAt } = required(rows.find(({ name }) => name === queue))
    return { count: Number(count), oldestAt }
  })
}
