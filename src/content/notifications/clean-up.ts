// Removes notifications by age, and events that nothing refers to.
import { sql } from 'kysely'
import { deleteUntil, inBatches } from '../../database/expiry.ts'
import type { Db } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'
import { listUnreadUntil, updateRead } from './marking-queries.ts'
import { lockInbox } from './queries.ts'
import { deleteReadUntil } from './removing-queries.ts'
import { SET_ASIDE } from './rules.ts'

/** An undelivered event is retried after this time. */
const KEEP_DONE_SECONDS = 86_400

/** In days. */
interface Retention {
  readNotifications: number
  unreadNotifications: number
}

/** Removes notifications that are as old as they are kept, and events that were delivered and that no notification is of. */
export async function deleteOldNotifications(
  db: Db,
  now: string,
  { readNotifications, unreadNotifications }: Retention,
): Promise<void> {
  const [keepRead, keepUnread] = [readNotifications * 86_400, unreadNotifications * 86_400]
  await inBatches((limit) => expire(db, after(now, -keepUnread), limit))
  await deleteReadUntil(db, after(now, -keepRead))
  const taken = { table: 'takenNotification', key: ['eventId', 'userId'], since: 'createdAt' } as const
  await deleteUntil(db, taken, after(now, -keepUnread))
  const isAside = sql`"place" like ${sql.lit(`${SET_ASIDE}%`)}`
  const unused = (where: typeof isAside, seconds: number) => {
    const done = sql<boolean>`"recipients" = 0 and "doneAt" is not null and ${where}`
    return deleteUntil(db, { table: 'event', key: 'id', since: 'doneAt', where: done }, after(now, -seconds))
  }
  await unused(sql`not ${isAside}`, KEEP_DONE_SECONDS)
  // Of what is set aside so long nothing is in an inbox when it comes back.
  await unused(isAside, keepUnread)
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
