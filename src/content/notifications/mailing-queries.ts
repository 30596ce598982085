// Notifications that are still to be mailed.
import { sql } from 'kysely'
import type { PartsOff } from '../../contract/parts.ts'
import { countRows, isNodeAway, locksRows } from '../../database/engine.ts'
import { isEventOn } from '../../database/parts-on.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { latest } from '../../runtime/clock.ts'
import { parseJson, required } from '../../runtime/untyped.ts'
import type { MailFrequency } from './letters.ts'
import { LONGEST_WAIT_SECONDS } from './rules.ts'
import { isStillShown, withOwn } from './shown-queries.ts'

export interface DueMail {
  userId: string
  mailing: MailFrequency
}

export interface DueTime {
  now: string
  /** A later moment was set by a clock that was wrong. */
  latest: string
}

/** Accounts with a mail that is due, longest waiting first. Where a node of a cluster is away, those whose inbox is on another one. */
export async function listWaiting(db: Db, due: DueTime, limit: number): Promise<DueMail[]> {
  const { now, latest } = due
  try {
    const { rows } = await sql<DueMail>`select "userId", mail as mailing from notification
    where "mailAt" is not null and ("mailAt" <= ${now} or "mailAt" > ${latest})
    group by "userId", mail order by min("mailAt"), "userId" limit ${limit}`.execute(db)
    return rows
  } catch (error) {
    if (!isNodeAway(error)) throw error
    return listWaitingThere(db, due, limit)
  }
}

/** The same, asked of each shard by itself. */
async function listWaitingThere(db: Db, { now, latest }: DueTime, limit: number): Promise<DueMail[]> {
  const ofShard = sql.lit(`select coalesce(json_agg(due), '[]') from (
    select "userId", mail as mailing, min("mailAt") as since from %%s
    where "mailAt" is not null and ("mailAt" <= %1$L or "mailAt" > %2$L)
    group by "userId", mail order by since, "userId" limit %3$s) due`)
  const { rows } = await sql<{ result: string }>`select result from run_command_on_placements('notification',
    format(${ofShard}, cast(${now} as text), cast(${latest} as text), cast(${limit} as integer))) where success`.execute(
    db,
  )
  const due = rows.flatMap(({ result }) => parseJson<(DueMail & { since: string })[]>(result))
  const sorted = due.toSorted((a, b) => (a.since < b.since || (a.since === b.since && a.userId < b.userId) ? -1 : 1))
  return sorted.slice(0, limit).map(({ userId, mailing }) => ({ userId, mailing }))
}

/** Locks an inbox, unless another process has it. */
export async function takeInbox(db: Transaction, userId: string): Promise<boolean> {
  const one = db.selectFrom('inbox').select('userId').where('userId', '=', userId)
  return (await (locksRows(db) ? one.forUpdate().skipLocked() : one).executeTakeFirst()) !== undefined
}

/** What a mail, and what is pushed, tells of. */
export const toldColumns = [
  'event.id as eventId',
  'event.targetType',
  'one.kind',
  'event.targetId',
  'event.number',
  'event.title',
  'event.url',
  'event.excerpt',
  'event.detail',
] as const

const isDue = ({ now, latest }: DueTime) => sql<boolean>`("mailAt" <= ${now} or "mailAt" > ${latest})`

/** Due and unread notifications that the inbox shows to its account now, oldest first, and their number. */
export async function findDue(
  db: Transaction,
  waiting: DueMail,
  { limit, off, boards, ...when }: DueTime & { limit: number; off: PartsOff; boards: readonly string[] },
) {
  const isOn = isEventOn(off)
  const { userId, mailing } = waiting
  const due = withOwn(db, userId, (rows) =>
    rows.where('mail', '=', mailing).where(isDue(when)).where('read', '=', sql.lit(0)),
  )
  const unread = due
    .selectFrom('one')
    .innerJoin('event', 'event.id', 'one.eventId')
    .leftJoin('user as actor', 'actor.id', 'event.actorId')
    .where('actor.blockedAt', 'is', null)
    .where(isStillShown(db, JSON.stringify(boards)))
    .$if(isOn !== undefined, (rows) => rows.where(required(isOn)))
  const told = await unread
    .select(toldColumns)
    .select('actor.username as actorUsername')
    .orderBy('one.position')
    .limit(limit)
    .execute()
  return { told, total: await countRows(unread) }
}

const until = { mail: 'mailAfter', daily: 'dailyUntil', weekly: 'weeklyUntil' } as const

/** Stores that a mail was sent: the next of its kind comes after this moment. */
export async function updateMailed(db: Transaction, { userId, mailing }: DueMail, moment: string): Promise<void> {
  await db
    .updateTable('inbox')
    .set({ [until[mailing]]: moment })
    .where('userId', '=', userId)
    .execute()
}

/** Clears what is due for a mail of this kind; without `when`, everything for it. */
export async function clearMailing(db: Transaction, { userId, mailing }: DueMail, when?: DueTime): Promise<void> {
  const rows = db.updateTable('notification').set({ mail: null, mailAt: null }).where('userId', '=', userId)
  const waiting = rows.where('mail', '=', mailing)
  await (when === undefined ? waiting.where('mailAt', 'is not', null) : waiting.where(isDue(when))).execute()
}

/** What is due at a moment. */
export const dueAt = (now: string): DueTime => ({ now, latest: latest(now, LONGEST_WAIT_SECONDS) })

/** Whether a mail is due. */
export const isMailDue = async (db: Db, now: string): Promise<boolean> =>
  (await listWaiting(db, dueAt(now), 1)).length > 0
