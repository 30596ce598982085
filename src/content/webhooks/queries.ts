// Webhooks as they are stored, and the log of their deliveries. What sends them has its own queries (sending-queries.ts).
import { type Selectable, sql, type Updateable } from 'kysely'
import type { PartsOff } from '../../contract/parts.ts'
import { deliveryStates, type Transition } from '../../contract/states.ts'
import type { Range } from '../../database/cursor.ts'
import { among, countChanged, countRows, locking, locksRows } from '../../database/engine.ts'
import { deleteUntil } from '../../database/expiry.ts'
import { isOfPartOn } from '../../database/parts-on.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db, Transaction, WebhookDeliveryTable, WebhookTable } from '../../database/schema.ts'
import { mayStep } from '../../database/states.ts'
import { after } from '../../runtime/clock.ts'
import { required } from '../../runtime/untyped.ts'

const DAY_SECONDS = 86_400

/** What is shown of a webhook. */
const shownColumns = [
  ...['id', 'ownerId', 'itemId', 'boardId', 'format', 'template', 'url', 'description', 'events'],
  ...[
    'previousSecretUntil',
    'createdAt',
    'updatedAt',
    'disabledAt',
    'disabledReason',
    'failingSince',
    'subscriptionId',
    'expiresAt',
  ],
] as const
export type WebhookRow = Pick<Selectable<WebhookTable>, (typeof shownColumns)[number]> & { pending: number }

/** What its changes and its deliveries need of it. */
export const recordColumns = [
  ...['id', 'ownerId', 'itemId', 'boardId', 'format', 'template', 'url', 'events', 'secret', 'previousSecret'],
  ...[
    'previousSecretUntil',
    'disabledAt',
    'failingSince',
    'failures',
    'dueAt',
    'subscriptionId',
    'grantId',
    'expiresAt',
  ],
] as const
export type WebhookRecord = Pick<Selectable<WebhookTable>, (typeof recordColumns)[number]>

/** What is shown of a delivery. */
const deliveryColumns = [
  ...['id', 'event', 'payload', 'state', 'createdAt', 'attempts', 'nextAttemptAt', 'attemptedAt'],
  ...['status', 'durationMilliseconds', 'response', 'error'],
] as const
export type DeliveryRow = Pick<Selectable<WebhookDeliveryTable>, (typeof deliveryColumns)[number]> & {
  state: 'pending' | 'delivered' | 'failed'
}
export type LockedDelivery = DeliveryRow & Pick<WebhookDeliveryTable, 'firstAttemptAt'>

/** Not of an account that is blocked now. */
const isLeft = sql<boolean>`state not like 'taken:%'`

const rows = (db: Db) =>
  db
    .selectFrom('webhook')
    .select(shownColumns)
    .select((row) =>
      row
        .selectFrom('webhookDelivery as waiting')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('waiting.webhookId', '=', 'webhook.id')
        .where('waiting.state', '=', sql.lit('pending'))
        .as('pending'),
    )

/** The webhooks of the community, oldest first. */
export const listCommunityWebhooks = (db: Db, limit: number): Promise<WebhookRow[]> =>
  rows(db)
    .where('itemId', 'is', null)
    .where('subscriptionId', 'is', null)
    .orderBy('id')
    .limit(limit)
    .$castTo<WebhookRow>()
    .execute()

/** The webhooks of an account's items, or of one item, and the subscriptions of its agents, oldest first; not those of items of parts that are off. */
export function listItemWebhooks(
  db: Db,
  { ownerId, itemId, off }: { ownerId: string; itemId: string | undefined; off: PartsOff },
): Promise<WebhookRow[]> {
  const isItemOn = isOfPartOn(off, { type: 'webhook.itemId', id: 'webhook.itemId' })
  const found = rows(db)
    .where('ownerId', '=', ownerId)
    .where((e) => e.or([e('itemId', 'is not', null), e('subscriptionId', 'is not', null)]))
    .$if(isItemOn !== undefined, (some) => some.where(required(isItemOn)))
  const wanted = itemId === undefined ? found : found.where('itemId', '=', itemId)
  return wanted.orderBy('id').$castTo<WebhookRow>().execute()
}

export const findWebhook = (db: Db, id: string): Promise<WebhookRow | undefined> =>
  rows(db).where('id', '=', id).$castTo<WebhookRow>().executeTakeFirst()

/** A subscription by what its receiver knows it by. */
export const findSubscription = (db: Db, subscriptionId: string): Promise<WebhookRow | undefined> =>
  rows(db).where('subscriptionId', '=', subscriptionId).$castTo<WebhookRow>().executeTakeFirst()

/** Locks a webhook until the transaction ends; undefined when there is none. */
export const lockWebhook = inTransaction.selectForUpdate('webhook', 'id', recordColumns)

/** Makes the changes of an account's webhooks come one after the other, and gives how many it has. */
export async function countLocked(db: Transaction, ownerId: string): Promise<number> {
  await locking(db, db.selectFrom('user').select('id').where('id', '=', ownerId)).execute()
  return countRows(db.selectFrom('webhook').where('ownerId', '=', ownerId).where('subscriptionId', 'is', null))
}

export const insertWebhook = inTransaction.insertInto('webhook')
export const updateWebhook = inTransaction.updateTable('webhook', 'id')
export const deleteWebhook = inTransaction.deleteFrom('webhook', 'id')
/** All of an account, with their deliveries; returns their number. */
export const deleteAllWebhooksOf = inTransaction.deleteCounted('webhook', 'ownerId')

/** Of things of parts that are on. */
const isOn = (off: PartsOff | undefined) =>
  off && isOfPartOn(off, { type: 'webhookDelivery.targetType', id: 'webhookDelivery.targetId' })

/** The log of a webhook, newest first. */
export const listDeliveries = (
  db: Db,
  { webhookId, off }: { webhookId: string; off: PartsOff },
  { offset, limit, after }: Range,
): Promise<DeliveryRow[]> =>
  db
    .selectFrom('webhookDelivery')
    .select(deliveryColumns)
    .where('webhookId', '=', webhookId)
    .where(isLeft)
    .$if(off.kinds.size > 0, (rows) => rows.where(required(isOn(off))))
    .$if(after !== undefined, (rows) => rows.where('id', '<', String(after?.[0])))
    .$castTo<DeliveryRow>()
    .orderBy('id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()

export const insertDeliveries = inTransaction.insertInto('webhookDelivery')

export const lockDelivery = (
  db: Transaction,
  { id, webhookId, off }: { id: string; webhookId: string; off?: PartsOff },
): Promise<LockedDelivery | undefined> =>
  locking(
    db,
    db
      .selectFrom('webhookDelivery')
      .select([...deliveryColumns, 'firstAttemptAt'])
      .where('id', '=', id)
      .where('webhookId', '=', webhookId)
      .where(isLeft)
      .$if(off !== undefined && off.kinds.size > 0, (rows) => rows.where(required(isOn(off)))),
  )
    .$castTo<LockedDelivery>()
    .executeTakeFirst()

/** Takes a step with a delivery; false where it is in no state before that. */
export async function stepDelivery(
  db: Transaction,
  { id, ...step }: { id: string } & Transition<typeof deliveryStates>,
  changes: Omit<Updateable<WebhookDeliveryTable>, 'state'>,
): Promise<boolean> {
  const one = db.updateTable('webhookDelivery').where('id', '=', id).where(mayStep(deliveryStates, step))
  return (await countChanged(one.set({ ...changes, state: step.to }))) === 1
}

export const deleteDelivery = inTransaction.deleteFrom('webhookDelivery', 'id')

/** Lets a process look at the webhook at once, unless its address rests. */
export async function wake(db: Transaction, ids: readonly string[], now: string): Promise<void> {
  if (ids.length === 0) return
  const sooner = sql<string>`case when "dueAt" is null or "dueAt" > ${now} then ${now} else "dueAt" end`
  const given = among(db, JSON.stringify(ids))
  // In the order of their ids, as every transaction that locks several.
  if (locksRows(db)) {
    const all = db
      .selectFrom('webhook')
      .select('id')
      .where('id', ...given)
    await locking(db, all.orderBy('id')).execute()
  }
  await db
    .updateTable('webhook')
    .set({ dueAt: sooner })
    .where('id', ...given)
    .execute()
}

/** Notes when the next delivery of a webhook is due, as after a rest that has ended. The caller has locked the webhook in a statement before. */
export async function wakeWaiting(db: Transaction, id: string): Promise<void> {
  const next = sql<string | null>`(select min("nextAttemptAt") from "webhookDelivery" d
    where d."webhookId" = webhook.id and d.state = 'pending')`
  await db.updateTable('webhook').set({ dueAt: next }).where('id', '=', id).execute()
}

/** Ends what waits, as failed. */
export async function failPending(db: Transaction, webhookId: string, error: string): Promise<void> {
  await db
    .updateTable('webhookDelivery')
    .set({ state: 'failed', nextAttemptAt: null, error })
    .where('webhookId', '=', webhookId)
    .where(mayStep(deliveryStates, { from: 'pending', to: 'failed' }))
    .execute()
}

/** Removes some webhooks of an account; gives how many. */
export const deleteWebhooksOf = plain.deleteSome('webhook', 'ownerId')

/** Removes some deliveries that tell of acts of an account; gives how many. */
export const deleteDeliveriesBy = plain.deleteSome('webhookDelivery', 'actorId')

/** Webhooks of an account on an item that it does not own any more, with their deliveries. */
export async function deleteWebhooksOn(db: Transaction, itemId: string, ownerId: string): Promise<void> {
  await db.deleteFrom('webhook').where('itemId', '=', itemId).where('ownerId', '=', ownerId).execute()
}

/** Removes deliveries that were settled and are older than so many days. */
export async function deleteSettled(db: Db, now: string, days: number): Promise<void> {
  const where = sql<boolean>`"state" <> 'pending'`
  await deleteUntil(
    db,
    { table: 'webhookDelivery', key: 'id', since: 'createdAt', where },
    after(now, -days * DAY_SECONDS),
  )
}
