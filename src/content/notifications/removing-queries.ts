// Rows that leave inboxes. Their events are locked before them, as by a delivery, and count what is left of them (`event.recipients`): a trigger does
// that, or, where a cluster allows none, these statements do.
import { sql } from 'kysely'
import { engineOf, isAmong, locksRows, recordsIn } from '../../database/engine.ts'
import { inBatches } from '../../database/expiry.ts'
import type { Db, NotificationTable, Transaction } from '../../database/schema.ts'

type Place = Pick<NotificationTable, 'userId' | 'position' | 'eventId'>

const idsOf = (rows: readonly Pick<Place, 'eventId'>[]) => JSON.stringify(rows.map(({ eventId }) => eventId))

async function lockEventsOf(db: Transaction, rows: readonly Place[]): Promise<void> {
  if (!locksRows(db) || rows.length === 0) return
  await sql`select 1 from event where ${isAmong(db, 'id', idsOf(rows))} order by id for update`.execute(db)
}

/** Counts what has left inboxes, where no trigger does: none comes or goes while the transaction that deleted the rows is open. */
export async function countGone(db: Transaction, gone: readonly Pick<Place, 'eventId'>[]): Promise<void> {
  if (engineOf(db) !== 'postgres' || gone.length === 0) return
  await sql`update event set recipients = recipients - gone.n
    from (select id, count(*) as n from json_array_elements_text(${idsOf(gone)}::json) as given(id) group by id) gone
    where event.id = gone.id and not exists (select from pg_trigger where tgname = 'event_recipients')`.execute(db)
}

/** Removes what was read and is not after a moment, oldest first. What is unread again by then stays. */
export const deleteReadUntil = (db: Db, until: string): Promise<void> =>
  inBatches((limit) => db.transaction().execute((transaction) => deleteRead(transaction, until, limit)))

async function deleteRead(db: Transaction, until: string, limit: number): Promise<number> {
  const old = await db
    .selectFrom('notification')
    .select(['userId', 'position', 'eventId'])
    .where('read', '=', sql.lit(1))
    .where('createdAt', '<=', until)
    .orderBy('createdAt')
    .limit(limit)
    .execute()
  if (old.length === 0) return 0
  await lockEventsOf(db, old)
  const given = recordsIn<Place>(db, JSON.stringify(old), { userId: 'text', position: 'integer', eventId: 'text' })
  const { rows } = await sql<Pick<Place, 'eventId'>>`delete from notification
    where ("userId", "position") in (select given."userId", given."position" from ${given}) and "read" = 1 and "createdAt" <= ${until}
    returning "eventId"`.execute(db)
  await countGone(db, rows)
  return rows.length
}

/** Removes some of what an account was told; gives how many there were. */
export const deleteNotificationsTo = (db: Db, userId: string, limit: number): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const some = await transaction
      .selectFrom('notification')
      .select(['userId', 'position', 'eventId'])
      .where('userId', '=', userId)
      .orderBy('position')
      .limit(limit)
      .execute()
    if (some.length === 0) return 0
    await lockEventsOf(transaction, some)
    const positions = some.map(({ position }) => position)
    const deletion = transaction.deleteFrom('notification').where('userId', '=', userId)
    await countGone(transaction, await deletion.where('position', 'in', positions).returning('eventId').execute())
    return some.length
  })
