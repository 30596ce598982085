// Removes notifications by age, and events that nothing refers to.
import { sql } from 'kysely'
import { deleteUntil, inBatches } from '../../database/expiry.ts'
import type { Db } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'
import { listUnreadUntil, lockInbox, updateRead } from './queries.ts'
import { SET_ASIDE } from './rules.ts'

/** Of what was read. */
const KEEP_READ_SECONDS = 90 * 86_400
/** Unread notifications older than this are removed too. */
const KEEP_UNREAD_SECONDS = 365 * 86_400
/** An undelivered event is retried after this time. */
const KEEP_DONE_SECONDS = 86_400

/** Removes notifications that are read and older than 90 days, unread ones after a year, and events that were delivered and that no notification is of. */
export async function deleteOldNotifications(db: Db, now: string): Promise<void> {
  await inBatches((limit) => expire(db, after(now, -KEEP_UNREAD_SECONDS), limit))
  const read = sql<boolean>`"read" = 1`
  const inOrder = { table: 'notification', key: ['userId', 'position'], since: 'createdAt', where: read } as const
  await deleteUntil(db, inOrder, after(now, -KEEP_READ_SECONDS))
  const taken = { table: 'takenNotification', key: ['eventId', 'userId'], since: 'createdAt' } as const
  await deleteUntil(db, taken, after(now, -KEEP_UNREAD_SECONDS))
  const isAside = sql`"place" like ${sql.lit(`${SET_ASIDE}%`)}`
  const unused = (where: typeof isAside, seconds: number) => {
    const done = sql<boolean>`"recipients" = 0 and "doneAt" is not null and ${where}`
    return deleteUntil(db, { table: 'event', key: 'id', since: 'doneAt', where: done }, after(now, -seconds))
  }
  await unused(sql`not ${isAside}`, KEEP_DONE_SECONDS)
  // Of what is set aside so long nothing is in an inbox when it comes back.
  await unused(isAside, KEEP_UNREAD_SECONDS)
}

/** Marks old notifications as read, under the lock of their inbox. Gives how many there were. */
async function expire(db: Db, until: string, limit: number): Promise<number> {
  let count = 0
  for (const { userId, through } of await listUnreadUntil(db, until, limit)) {
    count += await db.transaction().execute(async (transaction) => {
      await lockInbox(transaction, userId)
      return updateRead(transaction, userId, { through, limit })
    })
  }
  return count
}
