// Removes the log of webhooks by age.
import { sql } from 'kysely'
import { deleteUntil } from '../../database/expiry.ts'
import type { Db } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'

const KEEP_SECONDS = 30 * 86_400

/** Removes deliveries that were settled and are older than 30 days. */
export async function deleteOldDeliveries(db: Db, now: string): Promise<void> {
  const settled = sql<boolean>`"state" <> 'pending'`
  await deleteUntil(
    db,
    { table: 'webhookDelivery', key: 'id', since: 'createdAt', where: settled },
    after(now, -KEEP_SECONDS),
  )
}
