// Removes notifications by age, and events that nothing refers to.
import { sql } from 'kysely'
import { deleteUntil } from '../../database/expiry.ts'
import type { Db } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'

/** Of what was read. What is unread stays. */
const KEEP_READ_SECONDS = 90 * 86_400
/** An event is looked at after this time when something goes wrong. */
const KEEP_DONE_SECONDS = 86_400

/** Removes notifications that are read and older than 90 days, and events that were delivered and that no notification is of. */
export async function deleteOldNotifications(db: Db, now: string): Promise<void> {
  const read = sql<boolean>`"read" = 1`
  const inOrder = { table: 'notification', key: ['userId', 'n'], since: 'createdAt', where: read } as const
  await deleteUntil(db, inOrder, after(now, -KEEP_READ_SECONDS))
  const unused = sql<boolean>`"recipients" = 0 and "doneAt" is not null`
  await deleteUntil(db, { table: 'event', key: 'id', since: 'doneAt', where: unused }, after(now, -KEEP_DONE_SECONDS))
}
