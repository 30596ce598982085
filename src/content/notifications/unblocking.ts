// An account is unblocked: what its block kept from webhooks, and from those whom it is for, goes out.
import type { Transaction } from '../../database/schema.ts'
import { wake } from '../webhooks/queries.ts'
import { bringBackDeliveries } from '../webhooks/sending-queries.ts'
import { bringBackEvents } from './taking-queries.ts'

/** What was set aside of an account comes back, in the transaction that lets it in. */
export async function bringBack(db: Transaction, userId: string, now: string): Promise<void> {
  await bringBackEvents(db, userId)
  await wake(db, await bringBackDeliveries(db, userId), now)
}
