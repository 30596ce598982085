// What waits to be pushed, and the key of the server, as they are stored.
import { sql } from 'kysely'
import type { PartsOff } from '../../contract/parts.ts'
import { isAmong } from '../../database/engine.ts'
import { deleteUntil } from '../../database/expiry.ts'
import { isEventOn } from '../../database/parts-on.ts'
import { plain } from '../../database/rows.ts'
import type { Db, PushKeyTable, PushMessageTable, Transaction } from '../../database/schema.ts'
import { standing } from '../../identity/account-queries.ts'
import { after } from '../../runtime/clock.ts'
import { required } from '../../runtime/untyped.ts'
import { toldColumns } from '../notifications/mailing-queries.ts'
import { isStillShown, withOwn } from '../notifications/shown-queries.ts'
import { KEEP_SECONDS, type PushedKind, pushSettings } from './rules.ts'

export const findKey = plain.selectFrom('pushKey', 'sealedBy', ['publicKey', 'sealed'])

/** Keeps the key, unless another process was first. */
export async function insertKey(db: Db, key: PushKeyTable): Promise<void> {
  await db
    .insertInto('pushKey')
    .values(key)
    .onConflict((conflict) => conflict.column('sealedBy').doNothing())
    .execute()
}

interface Pushed {
  kind: PushedKind
  eventId: string
  createdAt: string
}

/** Has an event pushed to the browsers of accounts that were just notified of it. */
export async function insertMessages(
  db: Transaction,
  { kind, eventId, createdAt }: Pushed,
  userIds: readonly string[],
): Promise<void> {
  const chosen = sql.ref(`i.${pushSettings[kind]}`)
  await sql`insert into "pushMessage" ("subscriptionId", "eventId", "createdAt")
    select s.id, ${eventId}, ${createdAt} from "pushSubscription" s join inbox i on i."userId" = s."userId"
    where ${isAmong(db, 's.userId', JSON.stringify(userIds))} and coalesce(${chosen}, 1) = 1
    on conflict ("subscriptionId", "eventId") do nothing`.execute(db)
}

/** Browsers for which something waits and that do not rest, the longest waiting first. */
export async function listWaiting(
  db: Db,
  { now, latest, limit }: Record<'now' | 'latest', string> & { limit: number },
): Promise<{ key: string; since: string }[]> {
  const { rows } = await sql<{
    key: string
    since: string
  }>`select m."subscriptionId" as key, min(m."createdAt") as since
    from "pushMessage" m join "pushSubscription" s on s.id = m."subscriptionId"
    where s."pausedUntil" <= ${now} or s."pausedUntil" > ${latest}
    group by m."subscriptionId" order by since, key limit ${limit}`.execute(db)
  return rows
}

/** A browser with its account; undefined once its account cannot be reached there. */
export const findReached = (db: Db, id: string) =>
  db
    .selectFrom('pushSubscription')
    .innerJoin('user', 'user.id', 'pushSubscription.userId')
    .select(['pushSubscription.id', 'pushSubscription.userId', 'pushSubscription.sealed', 'user.language'])
    .select(['pushSubscription.failures', 'pushSubscription.failingSince'])
    .where('pushSubscription.id', '=', id)
    .where('user.blockedAt', 'is', null)
    .where('user.deletionAt', 'is', null)
    .where(standing('pushSubscription'))
    .executeTakeFirst()

export type Reached = NonNullable<Awaited<ReturnType<typeof findReached>>>

type MessageKey = Pick<PushMessageTable, 'subscriptionId' | 'eventId'>

/** What waits longest for a browser. */
export const findNext = (db: Db, subscriptionId: string) =>
  db
    .selectFrom('pushMessage')
    .select(['subscriptionId', 'eventId', 'createdAt'])
    .where('subscriptionId', '=', subscriptionId)
    .orderBy('createdAt')
    .orderBy('eventId')
    .limit(1)
    .executeTakeFirst()

export async function deleteMessage(db: Db, { subscriptionId, eventId }: MessageKey): Promise<void> {
  await db
    .deleteFrom('pushMessage')
    .where('subscriptionId', '=', subscriptionId)
    .where('eventId', '=', eventId)
    .execute()
}

/** Those that waited for too long. */
export const deleteOldMessages = (db: Db, now: string) =>
  deleteUntil(
    db,
    { table: 'pushMessage', key: ['subscriptionId', 'eventId'], since: 'createdAt' },
    after(now, -KEEP_SECONDS),
  )

/** An unread notification, as far as its inbox shows it to its account now. */
export function findTold(
  db: Db,
  { userId, eventId, off, boards }: { userId: string; eventId: string; off: PartsOff; boards: readonly string[] },
) {
  const isOn = isEventOn(off)
  return withOwn(db, userId, (rows) => rows.where('eventId', '=', eventId).where('read', '=', sql.lit(0)))
    .selectFrom('one')
    .innerJoin('event', 'event.id', 'one.eventId')
    .leftJoin('user as actor', 'actor.id', 'event.actorId')
    .select(toldColumns)
    .select('actor.username as actorUsername')
    .where('actor.blockedAt', 'is', null)
    .where(isStillShown(db, JSON.stringify(boards)))
    .$if(isOn !== undefined, (rows) => rows.where(required(isOn)))
    .executeTakeFirst()
}
