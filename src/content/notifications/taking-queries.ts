// What a block or a hiding takes out of inboxes, and brings back when it is undone. An event that is set aside keeps its place behind a mark,
// as deliveries of webhooks keep their state (webhooks/aside-queries.ts); its notifications wait in `takenNotification`, and so do those for a node
// of the database that is away.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { isAmong, locksRows } from '../../database/engine.ts'
import { inTransaction } from '../../database/rows.ts'
import type { Db, EventTable, NotificationTable, TakenNotificationTable, Transaction } from '../../database/schema.ts'
import { lockInboxes } from './event-queries.ts'
import { countGone } from './removing-queries.ts'
import { DONE, isSetAside, ownPlaceOf, RETURNING, SET_ASIDE } from './rules.ts'

type TakenRow = Selectable<NotificationTable>
type MarkedEvent = Pick<EventTable, 'id' | 'place' | 'doneAt'>

const ownPlace = ({ place, doneAt }: Omit<MarkedEvent, 'id'>): string =>
  place === '' && doneAt !== null ? DONE : ownPlaceOf({ place })

/** Marks an event as set aside, wherever its delivery stands; it goes on there when it comes back. */
export async function setAside(db: Transaction, event: MarkedEvent, now: string): Promise<void> {
  if (isSetAside(event)) return
  const place = `${SET_ASIDE}${ownPlace(event)}`
  await db.updateTable('event').set({ place, doneAt: now }).where('id', '=', event.id).execute()
}

/** Notes that no inbox has anything of an event that is locked. */
export async function clearRecipients(db: Transaction, id: string): Promise<void> {
  await db.updateTable('event').set({ recipients: 0 }).where('id', '=', id).execute()
}

/** Waits for deliveries of these events that are under way, so that none of them is set aside after this statement. */
async function lockPending(db: Transaction, those: RawBuilder<boolean>): Promise<void> {
  if (!locksRows(db)) return
  await sql`select 1 from event where ${those} and "doneAt" is null order by id for update`.execute(db)
}

/** Lets what was set aside of these events come back, `limit` of them at most; gives whether there may be more. */
async function startReturn(db: Transaction, those: RawBuilder<boolean>, limit?: number): Promise<boolean> {
  await lockPending(db, those)
  const some = sql`select id from event where ${those} and place like ${sql.lit(`${SET_ASIDE}%`)} order by id
    ${limit === undefined ? sql`` : sql`limit ${limit}`} ${locksRows(db) ? sql`for update` : sql``}`
  const { rows } = await sql<{ id: string }>`${some}`.execute(db)
  if (rows.length === 0) return false
  const found = isAmong(db, 'id', JSON.stringify(rows.map(({ id }) => id)))
  await sql`update event set place = ${sql.lit(RETURNING)} || substr(place, ${sql.lit(SET_ASIDE.length + 1)}), "doneAt" = null
    where ${found}`.execute(db)
  return rows.length === limit
}

/** Lets what was set aside of an account come back, in the transaction that unblocks it. */
export async function bringBackEvents(db: Transaction, userId: string): Promise<void> {
  await startReturn(db, sql<boolean>`"actorId" = ${userId}`)
}

/** The same of a thing, or of a comment, that shows again: some events at a time. */
export const bringBackEventsOn = (
  db: Transaction,
  { id, targetId, commentId }: Pick<EventTable, 'id' | 'targetId' | 'commentId'>,
  limit: number,
): Promise<boolean> =>
  startReturn(
    db,
    commentId === null
      ? sql<boolean>`"targetId" = ${targetId} and id <> ${id}`
      : sql<boolean>`"commentId" = ${commentId} and id <> ${id}`,
    limit,
  )

/** Whether everybody sees a comment. */
export async function isCommentShown(db: Db, id: string): Promise<boolean> {
  const comment = db.selectFrom('comment').leftJoin('user as author', 'author.id', 'comment.authorId')
  const shown = comment.select('comment.id').where('comment.id', '=', id).where('comment.hidden', '=', 0)
  return (await shown.where('author.blockedAt', 'is', null).executeTakeFirst()) !== undefined
}

/** Takes some notifications of an event that is locked out of inboxes, with their share of the counters; gives none where there are none left. */
export async function takeOut(db: Transaction, eventId: string, limit: number): Promise<'none' | TakenRow[]> {
  const some = await db
    .selectFrom('notification')
    .select('userId')
    .where('eventId', '=', eventId)
    .limit(limit)
    .execute()
  if (some.length === 0) return 'none'
  const userIds = some.map(({ userId }) => userId)
  await lockInboxes(db, userIds)
  const given = isAmong(db, 'userId', JSON.stringify(userIds))
  const { rows } = await sql<TakenRow>`delete from notification where "eventId" = ${eventId} and ${given}
    returning "userId", "position", "eventId", kind, read, "createdAt", mail, "mailAt"`.execute(db)
  await countGone(db, rows)
  const unread = rows.filter(({ read }) => read === 0).map(({ userId }) => userId)
  const theirs = isAmong(db, 'userId', JSON.stringify(unread))
  if (unread.length > 0) await sql`update inbox set unread = unread - 1 where ${theirs}`.execute(db)
  return rows
}

/** Keeps what was taken out of inboxes, until it comes back. What waits for one of them already is of the same event. */
export async function keepTaken(db: Transaction, taken: readonly TakenNotificationTable[]): Promise<void> {
  if (taken.length === 0) return
  const rows = db.insertInto('takenNotification').values(taken)
  await rows.onConflict((conflict) => conflict.columns(['eventId', 'userId']).doNothing()).execute()
}

/** What was taken of an event, or is kept for a node that is away, in the order of accounts. */
export const listTaken = (db: Db, eventId: string, { after, limit }: { after: string; limit: number }) =>
  db
    .selectFrom('takenNotification')
    .select(['userId', 'kind', 'position'])
    .where('eventId', '=', eventId)
    .where('userId', '>', after)
    .orderBy('userId')
    .limit(limit)
    .execute()

export type TakenOne = Awaited<ReturnType<typeof listTaken>>[number]

/** Those of these accounts for which something of an event waits. */
export async function listWaitingFor(
  db: Db,
  eventId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const waiting = db.selectFrom('takenNotification').select('userId').where('eventId', '=', eventId)
  return new Set((await waiting.where('userId', 'in', userIds).execute()).map(({ userId }) => userId))
}

/** Puts notifications of an event into the inboxes of these accounts, which are locked; gives the accounts that had none of it. */
export async function putBack(db: Transaction, eventId: string, userIds: readonly string[]): Promise<string[]> {
  const ids = JSON.stringify(userIds)
  // What was not read gets a new number, so that a reader who goes on after a number misses none.
  const { rows } = await sql<{ userId: string; read: number }>`
    insert into notification ("userId", "position", "eventId", kind, read, "createdAt", mail, "mailAt")
    select t."userId", case t.read when 0 then i.last + 1 else t."position" end, t."eventId", t.kind, t.read, t."createdAt", t.mail, t."mailAt"
    from "takenNotification" t join inbox i on i."userId" = t."userId" where t."eventId" = ${eventId} and ${isAmong(db, 't.userId', ids)}
    on conflict ("eventId", "userId") do nothing returning "userId", read`.execute(db)
  await deleteTakenOf(db, eventId, userIds)
  const unread = rows.filter(({ read }) => read === 0).map(({ userId }) => userId)
  const theirs = isAmong(db, 'userId', JSON.stringify(unread))
  if (unread.length > 0) {
    await sql`update inbox set last = last + 1, unread = unread + 1 where ${theirs}`.execute(db)
  }
  return rows.map(({ userId }) => userId)
}

/** Forgets what waits of an event for these accounts. */
export async function deleteTakenOf(db: Transaction, eventId: string, userIds: readonly string[]): Promise<void> {
  const given = isAmong(db, 'userId', JSON.stringify(userIds))
  await sql`delete from "takenNotification" where "eventId" = ${eventId} and ${given}`.execute(db)
}

/** Deletes some of what was taken of an event that is gone; gives how many there were. */
export async function deleteTaken(db: Transaction, eventId: string, limit: number): Promise<number> {
  const some = sql`select "userId" from "takenNotification" where "eventId" = ${eventId} limit ${limit}`
  const { numAffectedRows } =
    await sql`delete from "takenNotification" where "eventId" = ${eventId} and "userId" in (${some})`.execute(db)
  return Number(numAffectedRows)
}

export const deleteEvent = inTransaction.deleteFrom('event', 'id')
