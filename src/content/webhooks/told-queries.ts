// The log of what was told lately, as it is stored; and subscriptions by what they are.
import { type RawBuilder, sql } from 'kysely'
import { countRows, lockName } from '../../database/engine.ts'
import { deleteUntil } from '../../database/expiry.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db, ToldEventTable, Transaction } from '../../database/schema.ts'
import { after } from '../../runtime/clock.ts'
import { required } from '../../runtime/untyped.ts'
import { KEPT_SECONDS, LATE_SECONDS, placeAt } from './event-rules.ts'
import { recordColumns } from './queries.ts'
import { boardOf, owns } from './sending-queries.ts'

export interface ToldEvent extends Omit<ToldEventTable, 'position'> {
  position: number
}

const toldColumns = [
  ...['position', 'id', 'event', 'targetType', 'targetId', 'boardId', 'commentId', 'actorId', 'hidden', 'payload'],
  'createdAt',
] as const

const shown = (row: ToldEventTable): ToldEvent => ({ ...row, position: Number(row.position) })

/** The last place of the log; where it is empty, one before all that come: what has happened already may still be on its way into it. */
export async function findHead(db: Db, now: string): Promise<number> {
  const found = await db
    .selectFrom('toldEvent')
    .select(({ fn }) => fn.max('position').as('last'))
    .executeTakeFirst()
  return Number(found?.last ?? 0) || placeAt(after(now, -LATE_SECONDS))
}

type NewEvent = Omit<ToldEvent, 'position' | 'boardId'> & { board: string | null }

/**
 * Makes transactions that add to the log, or begin to hear from a place in it, come one after the other: what is committed later has a later place. It
 * comes before every row that they lock: the one that holds it waits for events, webhooks and accounts.
 */
export const lockTold = (db: Transaction): Promise<void> => lockName(db, 'toldEvent')

/** Adds an event at the end of the log, which the caller holds (`lockTold`), and gives its place; undefined where it is there already. */
export async function appendTold(db: Transaction, { board, ...event }: NewEvent): Promise<number | undefined> {
  const { rows } = await sql<{ position: number | string }>`insert into "toldEvent"
      ("position", id, event, "targetType", "targetId", "boardId", "commentId", "actorId", hidden, payload, "createdAt")
    select case when l.last >= ${placeAt(event.createdAt)} then l.last + 1 else ${placeAt(event.createdAt)} end, ${event.id}, ${event.event},
      ${event.targetType}, ${event.targetId}, ${board === null ? boardOf(event) : sql`cast(${board} as text)`}, cast(${event.commentId} as text),
      cast(${event.actorId} as text), ${event.hidden}, ${event.payload}, ${event.createdAt}
    from (select coalesce(max("position"), 0) as last from "toldEvent") l where 1 = 1
    on conflict (id) do nothing returning "position"`.execute(db)
  return rows[0] && Number(rows[0].position)
}

export async function findTold(db: Db, position: number): Promise<ToldEvent | undefined> {
  const row = await db.selectFrom('toldEvent').select(toldColumns).where('position', '=', position).executeTakeFirst()
  return row && shown(row)
}

interface ToldQuery {
  event: string
  boardId: string | undefined
  itemId: string | undefined
  after: number
  through: number
  limit: number
}

const between = (db: Db, { event, boardId, itemId, after, through, limit }: ToldQuery) =>
  db
    .selectFrom('toldEvent')
    .select(toldColumns)
    .where('event', '=', event)
    .where('position', '>', after)
    .where('position', '<=', through)
    .$if(boardId !== undefined, (some) => some.where('boardId', '=', required(boardId)))
    .$if(itemId !== undefined, (some) => some.where('targetId', '=', required(itemId)))
    .limit(limit)

/** What was told of an event between two places, the oldest first. */
export const listTold = async (db: Db, query: ToldQuery): Promise<ToldEvent[]> =>
  (await between(db, query).orderBy('position').execute()).map(shown)

/** The last of it, in the same order. */
export const listLastTold = async (db: Db, query: ToldQuery): Promise<ToldEvent[]> =>
  (await between(db, query).orderBy('position', 'desc').execute()).map(shown).toReversed()

/** Takes out what was told of a thing or a comment that is gone. */
export async function deleteToldOf(
  db: Transaction,
  { targetId, commentId }: Pick<ToldEvent, 'targetId' | 'commentId'>,
): Promise<void> {
  const told = db.deleteFrom('toldEvent').where('event', 'not like', '%.deleted').where('targetId', '=', targetId)
  await (commentId === null ? told : told.where('commentId', '=', commentId)).execute()
}

/** Forgets what was told of a thing whose texts are erased, in the log of events and in those of webhooks; `event` like `%.merged` for some alone. */
export async function forgetTold(db: Transaction, targetId: string, event = '%'): Promise<void> {
  for (const table of ['toldEvent', 'webhookDelivery'] as const)
    await db.deleteFrom(table).where('targetId', '=', targetId).where('event', 'like', event).execute()
}

/** Takes out some of what tells of acts of an account; gives how much. */
export const deleteToldBy = plain.deleteSome('toldEvent', 'actorId')

/** Locks a subscription until the transaction ends. */
export const lockSubscription = inTransaction.selectForUpdate('webhook', 'subscriptionId', recordColumns)

export const deleteSubscription = inTransaction.deleteFrom('webhook', 'subscriptionId')

/** How many subscriptions of an account have not ended. */
export const countSubscriptions = (db: Db, ownerId: string, now: string): Promise<number> =>
  countRows(db.selectFrom('webhook').where('ownerId', '=', ownerId).where('expiresAt', '>', now))

/** Whether an agent has shown before that an address wants its events: one of its subscriptions goes there, and has not ended. */
export async function isKnownTo(
  db: Db,
  { ownerId, clientId, url, now }: { ownerId: string; clientId: string; url: string; now: string },
): Promise<boolean> {
  const own = db.selectFrom('webhook').select('id').where('ownerId', '=', ownerId).where('clientId', '=', clientId)
  const live = own.where('url', '=', url).where('expiresAt', '>', now)
  return (await live.limit(1).executeTakeFirst()) !== undefined
}

/** Whether everybody sees an item, or the account owns it. */
export async function isItemSeen(db: Db, itemId: string, accountId: string | undefined): Promise<boolean> {
  const isOwn: RawBuilder<unknown> = accountId === undefined ? sql`1 = 0` : owns('i', sql`${accountId}`)
  const { rows } =
    await sql`select 1 from "libraryItem" i where i.id = ${itemId} and (i.listed = 1 or ${isOwn})`.execute(db)
  return rows.length > 0
}

/** The place of the first delivery of a subscription that still waits, before another. */
export async function firstWaiting(db: Db, webhookId: string, before: number): Promise<number | undefined> {
  const { first } = await db
    .selectFrom('webhookDelivery')
    .select(({ fn }) => fn.min('position').as('first'))
    .where('webhookId', '=', webhookId)
    .where('state', '=', sql.lit('pending'))
    .where('position', '<', before)
    .executeTakeFirstOrThrow()
  return first === null ? undefined : Number(first)
}

/** How the deliveries of a subscription went: the last that arrived, and the last attempt. */
export async function findAttempts(db: Db, webhookId: string) {
  const all = db.selectFrom('webhookDelivery').where('webhookId', '=', webhookId).where('attemptedAt', 'is not', null)
  const last = all.select(['status', 'error']).orderBy('attemptedAt', 'desc').limit(1)
  const arrived = all.where('state', '=', sql.lit('delivered')).select(({ fn }) => fn.max('attemptedAt').as('at'))
  const [attempt, delivered] = [await last.executeTakeFirst(), await arrived.executeTakeFirst()]
  return { last: attempt, deliveredAt: delivered?.at ?? null }
}

/** Removes subscriptions that have ended, with their log, and events that no agent can go on from any more. */
export async function deleteOldTold(db: Db, now: string): Promise<void> {
  const ends = sql<boolean>`"expiresAt" is not null`
  await deleteUntil(db, { table: 'webhook', key: 'id', since: 'expiresAt', where: ends }, now)
  await deleteUntil(db, { table: 'toldEvent', key: 'id', since: 'createdAt' }, after(now, -KEPT_SECONDS))
}
