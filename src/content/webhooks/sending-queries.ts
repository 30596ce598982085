// What webhooks get of an event, and what is due to be sent.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { isDeletion, type WebhookEvent } from '../../contract/webhook-events.ts'
import { locksRows } from '../../database/engine.ts'
import { prepared } from '../../database/prepared.ts'
import type { Db, EventTable, Transaction, WebhookDeliveryTable } from '../../database/schema.ts'
import { type Boarded, boarded } from '../board-access/contract.ts'
import { FIRST_BOARD } from '../board-access/rules.ts'
import { hiddenBy } from '../hiding/rules.ts'
import { lockWebhook, recordColumns, type WebhookRecord, wakeWaiting } from './queries.ts'
import type { Turns } from './turns.ts'

/** A webhook that an event may be for, and how many of its deliveries wait. */
export interface WebhookMatch {
  id: string
  ownerId: string
  subscriptionId: string | null
  grantId: string | null
  pending: number
}

/** Whether an account is an owner of an item, by itself or in the team that holds it; `item` as SQL names it. */
export function owns(item: string, account: RawBuilder<unknown>): RawBuilder<unknown> {
  const of = sql.raw(item)
  return sql`(case when ${of}."teamId" is null then ${of}."ownerId" = ${account} or exists (select 1 from membership m
      where m."itemId" = ${of}.id and m."accountId" = ${account} and m.role = 'owner')
    else exists (select 1 from "teamMember" m
      where m."teamId" = ${of}."teamId" and m."accountId" = ${account} and m.role = 'owner') end)`
}

const isBoarded = (type: string | null): type is Boarded => boarded.some((one) => one === type)

/** The board of a thing; of what everybody does not see only a closed one. null for what is in none, or gone. */
export const boardOf = ({
  targetType,
  targetId,
  hidden,
}: Pick<WebhookDeliveryTable, 'targetType' | 'targetId' | 'hidden'>) =>
  isBoarded(targetType)
    ? sql`(select coalesce(t."boardId", ${sql.lit(FIRST_BOARD)}) from ${sql.table(targetType)} t where t.id = ${targetId}
        ${hidden ? sql`and t.hidden = ${sql.lit(hiddenBy.board)}` : sql``})`
    : sql`cast(null as text)`

/** The same as it is stored; undefined for what is in no board, or gone, and for what was told to everybody and is in a closed board by now. */
export async function findBoardId(db: Db, told: Parameters<typeof boardOf>[0]): Promise<string | undefined> {
  const { targetType, targetId, hidden } = told
  const isClosedBy = sql`(t.hidden & ${sql.lit(hiddenBy.board)}) <> 0`
  const isClosed =
    isBoarded(targetType) && !hidden
      ? sql`exists (select 1 from ${sql.table(targetType)} t where t.id = ${targetId} and ${isClosedBy})`
      : sql`1 = 0`
  const { rows } = await sql<{
    id: string | null
  }>`select case when ${isClosed} then null else ${boardOf(told)} end as id`.execute(db)
  return rows[0]?.id ?? undefined
}

/** Whether a webhook names an event, or names none: then it gets all. For the owner of an item that is private now, it is there. */
const wants = (name: WebhookEvent) =>
  sql`(w.events like ${`%"${name.replaceAll('_', '\\_')}"%`} escape '\\' or (w.events = '[]' and ${
    name === 'item.deleted' ? sql`w."itemId" is null` : sql`1 = 1`
  }))`

/**
 * The webhooks that get an event on a thing: those of admins unless it is hidden, and those of the item's owners. One of a board gets those of
 * the board alone; admins read every board. `board` is where it was that is gone. Of subscriptions those that have not ended: whether their agents may
 * hear of it is asked apart (told.ts).
 */
export async function listMatching(
  db: Db,
  event: Pick<EventTable, 'targetType' | 'targetId' | 'hidden' | 'createdAt'> & {
    name: WebhookEvent
    board: string | null
  },
): Promise<WebhookMatch[]> {
  const { name, targetId, hidden, board } = event
  const isOfBoard = sql`w."boardId" = ${board === null ? boardOf(event) : sql`cast(${board} as text)`}`
  const { rows } = await sql<WebhookMatch>`select w.id, w."ownerId", w."subscriptionId", w."grantId",
      (select count(*) from "webhookDelivery" d where d."webhookId" = w.id and d.state = 'pending') as pending
    from webhook w join "user" u on u.id = w."ownerId" left join "libraryItem" i on i.id = w."itemId"
    where (w."itemId" = ${targetId} or w."itemId" is null) and ${wants(name)} and w."disabledAt" is null and u."blockedAt" is null
      and (w."boardId" is null or ${isOfBoard})
      and case when w."expiresAt" is not null then w."expiresAt" > ${event.createdAt} when w."itemId" is null then u.role = 'admin' and (${hidden} = 0 or w."boardId" is not null) else ${owns('i', sql.raw('w."ownerId"'))} end
    order by w.id`.execute(db)
  return rows.map((row) => ({ ...row, pending: Number(row.pending) }))
}

export const findUsername = async (db: Db, id: string): Promise<string | null> =>
  (await db.selectFrom('user').select('username').where('id', '=', id).executeTakeFirst())?.username ?? null

/** What kind of item this is; undefined for one that is gone. */
export const findItemKind = async (db: Db, id: string): Promise<string | undefined> =>
  (await db.selectFrom('libraryItem').select('kind').where('id', '=', id).executeTakeFirst())?.kind

export interface DueTime {
  now: string
  /** A later moment was set by a clock that was wrong. */
  latest: string
}

/** Of accounts that may still have webhooks. */
const due = (db: Db, { now, latest }: DueTime) =>
  db
    .selectFrom('webhook')
    .innerJoin('user as owner', 'owner.id', 'webhook.ownerId')
    .leftJoin('libraryItem as item', 'item.id', 'webhook.itemId')
    .where('webhook.dueAt', 'is not', null)
    .where('webhook.disabledAt', 'is', null)
    .where('owner.blockedAt', 'is', null)
    .where(
      sql<boolean>`case when webhook."expiresAt" is not null then webhook."expiresAt" > ${now} when webhook."itemId" is null then owner.role = 'admin' else ${owns('item', sql.raw('owner.id'))} end`,
    )
    .where((e) => e.and(pastColumns.map((name) => e.or([e(name, '<=', now), e(name, '>', latest)]))))

const pastColumns = ['webhook.dueAt', 'webhook.pausedUntil', 'webhook.leaseEndsAt'] as const

const anyDue = prepared((db) => db.selectFrom('webhook').select('id').where('dueAt', 'is not', null).limit(1))
/** Whether any delivery waits at all. */
export const isWaiting = async (db: Db): Promise<boolean> => (await anyDue(db, {})).rows.length > 0

/** So many webhooks are looked at; the first ones of all accounts come before the second ones. */
const MAX_CANDIDATES = 1_000

/** Leases a webhook with deliveries that are due: the first by `turns` that no other process takes. An account has at most `atOnce` at a time. */
export async function takeDue(
  db: Db,
  given: DueTime & { atOnce: number; turns: Pick<Turns, 'orderOf' | 'begin'> },
  leaseEndsAt: string,
): Promise<WebhookRecord | undefined> {
  return db.transaction().execute(async (transaction) => {
    const busy = sql<number>`(select count(*) from webhook b where b."ownerId" = webhook."ownerId"
      and b."leaseEndsAt" > ${given.now} and b."leaseEndsAt" <= ${given.latest})`
    const free = due(transaction, given).where(busy, '<', given.atOnce)
    const place = sql<number>`row_number() over (partition by webhook."ownerId" order by webhook."dueAt")`
    const candidates = await free
      .select(['webhook.id', 'webhook.ownerId', 'webhook.url', 'webhook.dueAt', place.as('place')])
      .orderBy('place')
      .orderBy('webhook.dueAt')
      .limit(MAX_CANDIDATES)
      .execute()
    for (const candidate of given.turns.orderOf(candidates)) {
      const one = free
        .select(recordColumns.map((name) => `webhook.${name}` as const))
        .where('webhook.id', '=', candidate.id)
      const webhook = await (locksRows(transaction) ? one.forUpdate('webhook').skipLocked() : one).executeTakeFirst()
      if (!webhook || !given.turns.begin(webhook)) continue
      await transaction.updateTable('webhook').set({ leaseEndsAt }).where('id', '=', webhook.id).execute()
      return webhook
    }
    return undefined
  })
}

/** The oldest delivery of a webhook that is due. */
export const findDueDelivery = (db: Db, webhookId: string, { now, latest }: DueTime) =>
  db
    .selectFrom('webhookDelivery')
    .select(['id', 'payload', 'event', 'targetType', 'targetId', 'commentId', 'actorId', 'hidden', 'position'])
    .where('webhookId', '=', webhookId)
    .where('state', '=', sql.lit('pending'))
    .where((e) => e.or([e('nextAttemptAt', '<=', now), e('nextAttemptAt', '>', latest)]))
    .orderBy('nextAttemptAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

type DeliveryEvent = Pick<
  Selectable<WebhookDeliveryTable>,
  'event' | 'targetType' | 'targetId' | 'commentId' | 'actorId' | 'hidden'
>

/** Whether what a delivery tells of is still there for the owner of its webhook: not deleted, not hidden, and of no blocked account. */
export async function isStillShown(
  db: Db,
  { ownerId, boardId }: Pick<WebhookRecord, 'ownerId' | 'boardId'>,
  told: DeliveryEvent,
): Promise<boolean> {
  const { event, targetType, targetId, commentId, actorId, hidden } = told
  if (targetId === null || isDeletion(event)) return true
  const isBlocked = (author: string) =>
    sql`exists (select 1 from "user" where id = ${sql.raw(author)} and "blockedAt" is not null)`
  const thing =
    targetType === 'blogPost'
      ? sql`1 = 1`
      : hidden && isBoarded(targetType)
        ? sql`exists (select 1 from ${sql.table(targetType)} t where t.id = ${targetId} and t."boardId" = ${boardId}
            and t.hidden = ${sql.lit(hiddenBy.board)} and not ${isBlocked('t."authorId"')})`
        : hidden
          ? sql`exists (select 1 from "libraryItem" i where i.id = ${targetId} and ${owns('i', sql`${ownerId}`)})`
          : sql`(exists (select 1 from "feedEntry" f where f.id = ${targetId} and not ${isBlocked('f."authorId"')}) or exists
            (select 1 from "libraryItem" i where i.id = ${targetId} and i.listed = 1 and not ${isBlocked('i."ownerId"')}))`
  const comment =
    commentId === null
      ? sql`1 = 1`
      : sql`exists (select 1 from comment c where c.id = ${commentId} and c.hidden = 0 and not ${isBlocked('c."authorId"')})`
  const actor = sql`not exists (select 1 from "user" where id = ${actorId} and "blockedAt" is not null)`
  const { rows } = await sql<{ shown: number }>`select 1 as shown where ${thing} and ${comment} and ${actor}`.execute(
    db,
  )
  return rows.length > 0
}

/** Keeps the newest settled deliveries of a webhook. */
export async function deleteOldDeliveries(db: Transaction, webhookId: string, kept: number): Promise<void> {
  const settled = db
    .selectFrom('webhookDelivery')
    .select('id')
    .where('webhookId', '=', webhookId)
    .where('state', '<>', sql.lit('pending'))
    .orderBy('id', 'desc')
    .offset(kept)
    .limit(1_000)
  await db.deleteFrom('webhookDelivery').where('id', 'in', settled).execute()
}

/** Ends a lease, and notes when the next delivery of the webhook is due. */
export async function release(db: Transaction, id: string, leaseEndsAt: string): Promise<void> {
  // The transaction that queues a delivery holds the webhook: a statement that began before its end would not see the delivery.
  const webhook = await lockWebhook(db, id)
  if (!webhook) return
  await wakeWaiting(db, id)
  await db
    .updateTable('webhook')
    .set({ leaseEndsAt: '' })
    .where('id', '=', id)
    .where('leaseEndsAt', '=', leaseEndsAt)
    .execute()
}
