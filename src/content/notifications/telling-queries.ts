// Notifications as they are made: in an inbox, or kept for one that is on a node of the database that is away.
import { type RawBuilder, sql } from 'kysely'
import { type AnyNotificationKind, type Channel, NOTICE } from '../../contract/kinds.ts'
import { isAmong } from '../../database/engine.ts'
import type { EventTable, Transaction } from '../../database/schema.ts'

export interface Delivery {
  event: Pick<EventTable, 'id' | 'targetId' | 'actorId' | 'createdAt'>
  kind: AnyNotificationKind
  /** Whether it is about something in a closed board. */
  isOfClosed: boolean
  byDefault: Channel
  /** `latest` is the latest moment that mail at once waits for; the ends of the current day and week of digests, and of those after them. */
  due: { now: string; latest: string; daily: [string, string]; weekly: [string, string] }
}

/** The channel of an inbox, without mail for addresses that are not verified. */
const mailOf = (channel: RawBuilder<unknown>) =>
  sql`case when u."emailVerifiedAt" is not null and ${channel} in ('mail', 'daily', 'weekly') then ${channel} end`

const columns = sql`"userId", "position", "eventId", kind, read, "createdAt", mail, "mailAt"`

/** What and whom these accounts muted. */
const mutedBy = (db: Transaction, { targetId, actorId }: Delivery['event'], ids: string) =>
  sql<{ userId: string }>`select "userId" from follow where "targetId" in (${targetId}, ${actorId ?? ''})
        and state = 'muted' and ${isAmong(db, 'userId', ids)}`

interface Chosen {
  /** A JSON array of accounts. */
  ids: string
  position: RawBuilder<unknown>
  /** Accounts that get none. */
  muted: RawBuilder<unknown>
}

/** A row for each of these accounts that did not turn it off. */
function rowsFor(
  db: Transaction,
  { event, kind, byDefault, due }: Delivery,
  { ids, position, muted }: Chosen,
): RawBuilder<unknown> {
  const isNotice = kind === NOTICE
  const channel = isNotice ? sql.lit(byDefault) : sql`coalesce(i.${sql.ref(kind)}, ${sql.lit(byDefault)})`
  const wanted = sql`u."blockedAt" is null and ${channel} <> 'off' and ${muted}`
  const mail = mailOf(channel)
  const [daily, weekly] = [due.daily, due.weekly]
  return sql`select i."userId", ${position}, ${event.id}, ${sql.lit(kind)}, 0, ${event.createdAt}, ${mail},
      case ${mail} when 'mail' then case when i."mailAfter" > ${due.now} and i."mailAfter" <= ${due.latest} then i."mailAfter" else ${due.now} end
        when 'daily' then case when i."dailyUntil" >= ${daily[0]} then ${daily[1]} else ${daily[0]} end
        when 'weekly' then case when i."weeklyUntil" >= ${weekly[0]} then ${weekly[1]} else ${weekly[0]} end end
    from inbox i join "user" u on u.id = i."userId"
    where ${isAmong(db, 'i.userId', ids)} and i."userId" <> ${event.actorId ?? ''} and ${isNotice ? sql`1 = 1` : wanted}
    order by i."userId"`
}

/**
 * Makes the notifications of these accounts, whose inboxes are locked. An account gets one of an event, and none of its own, of what and
 * whom it muted, and of what it turned off; a notice comes always. Gives the accounts that got one.
 */
export async function insertNotifications(
  db: Transaction,
  delivery: Delivery,
  userIds: readonly string[],
): Promise<string[]> {
  const ids = JSON.stringify(userIds)
  const muted = sql`i."userId" not in (${mutedBy(db, delivery.event, ids)})`
  const { rows } = await sql<{ userId: string }>`
    insert into notification (${columns}) ${rowsFor(db, delivery, { ids, position: sql`i.last + 1`, muted })}
    on conflict ("eventId", "userId") do nothing returning "userId"`.execute(db)
  if (rows.length === 0) return []
  const told = isAmong(db, 'userId', JSON.stringify(rows.map(({ userId }) => userId)))
  const isClosed = delivery.isOfClosed ? sql`, "ofClosed" = 1` : sql``
  await sql`update inbox set last = last + 1, unread = unread + 1 ${isClosed} where ${told}`.execute(db)
  return rows.map(({ userId }) => userId)
}

/** The position of what was never in an inbox: it gets one when it comes there. */
export const NEVER_TOLD = 0

/** Keeps the notifications of accounts whose node is away, until it is back: they are put into inboxes as what was taken out is put back. */
export async function keepNotifications(
  db: Transaction,
  delivery: Delivery,
  userIds: readonly string[],
): Promise<void> {
  const { rows: muted } = await mutedBy(db, delivery.event, JSON.stringify(userIds)).execute(db)
  const without = new Set(delivery.kind === NOTICE ? [] : muted.map(({ userId }) => userId))
  const ids = JSON.stringify(userIds.filter((id) => !without.has(id)))
  const rows = rowsFor(db, delivery, { ids, position: sql.lit(NEVER_TOLD), muted: sql`1 = 1` })
  await sql`insert into "takenNotification" (${columns}) ${rows} on conflict ("eventId", "userId") do nothing`.execute(
    db,
  )
  if (!delivery.isOfClosed) return
  await sql`update inbox set "ofClosed" = 1 where ${isAmong(db, 'userId', ids)}`.execute(db)
}
