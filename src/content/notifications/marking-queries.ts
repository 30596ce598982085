// What is read and unread in inboxes, as it is stored. The counter of an inbox changes with its rows, under the lock of the inbox.
import { sql } from 'kysely'
import { countChanged } from '../../database/engine.ts'
import type { Db, Transaction } from '../../database/schema.ts'

/** The unread rows of an inbox about one thing. */
export async function listPositionsOf(
  db: Transaction,
  { userId, type, id }: { userId: string; type: string; id: string },
): Promise<number[]> {
  const about = db.selectFrom('event').select('id').where('targetId', '=', id)
  const rows = await db
    .selectFrom('notification')
    .select('position')
    .where('userId', '=', userId)
    .where('read', '=', sql.lit(0))
    .where('eventId', 'in', about.where('targetType', '=', type))
    .execute()
  return rows.map(({ position }) => Number(position))
}

/** Which rows of an inbox: those of these numbers and all up to one; all of them where both are left out; of one thing. */
export interface Marked {
  ids?: readonly number[] | undefined
  through?: number | undefined
  target?: string | undefined
}

/** The numbers of unread rows of an inbox. */
function unreadOf(db: Transaction, userId: string, { ids = [], through, target }: Marked) {
  return db
    .selectFrom('notification as marked')
    .select('marked.position')
    .where('marked.userId', '=', userId)
    .where('marked.read', '=', sql.lit(0))
    .$if(ids.length > 0 || through !== undefined, (rows) =>
      rows.where((row) =>
        row.or([
          row('marked.position', '<=', through ?? 0),
          ...(ids.length > 0 ? [row('marked.position', 'in', ids)] : []),
        ]),
      ),
    )
    .$if(target !== undefined, (rows) =>
      rows.where(
        'marked.eventId',
        'in',
        db
          .selectFrom('event')
          .select('id')
          .where('targetId', '=', target ?? ''),
      ),
    )
}

const countUnreadBy = (db: Transaction, userId: string, change: number) =>
  db
    .updateTable('inbox')
    .set((row) => ({ unread: row('unread', '+', change) }))
    .where('userId', '=', userId)
    .execute()

/** Marks unread rows as read, at most `limit`. Gives how many there were. */
export async function updateRead(
  db: Transaction,
  userId: string,
  { limit, ...marked }: Marked & { limit: number },
): Promise<number> {
  const unread = unreadOf(db, userId, marked).orderBy('marked.position').limit(limit)
  const count = await countChanged(
    db
      .updateTable('notification')
      .set({ read: 1, mail: null, mailAt: null })
      .where('userId', '=', userId)
      .where('position', 'in', unread),
  )
  if (count > 0) await countUnreadBy(db, userId, -count)
  return count
}

/** Marks rows that were read as unread: no mail tells of them again. Gives how many there were. */
export async function updateUnread(db: Transaction, userId: string, ids: readonly number[]): Promise<number> {
  const count = await countChanged(
    db
      .updateTable('notification')
      .set({ read: 0 })
      .where('userId', '=', userId)
      .where('read', '=', sql.lit(1))
      .where('position', 'in', ids),
  )
  if (count > 0) await countUnreadBy(db, userId, count)
  return count
}

/** Accounts with something unread from until a moment, with the last number of that, those that wait longest first. */
export async function listUnreadUntil(
  db: Db,
  until: string,
  limit: number,
): Promise<{ userId: string; through: number }[]> {
  const oldest = db
    .selectFrom('notification')
    .select(['userId', 'position'])
    .where('read', '=', sql.lit(0))
    .where('createdAt', '<=', until)
    .orderBy('createdAt')
    .limit(limit)
  const rows = await db
    .selectFrom(oldest.as('oldest'))
    .select((row) => ['oldest.userId', row.fn.max('oldest.position').as('through')])
    .groupBy('oldest.userId')
    .execute()
  return rows.map(({ userId, through }) => ({ userId, through: Number(through) }))
}
