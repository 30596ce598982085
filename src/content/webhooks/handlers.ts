// What is done with a webhook. Who may do it is decided by `isMine`, which each domain gives; everybody else finds none.
import type { Selectable } from 'kysely'
import { type PartsOff, partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { WebhookEvent, WebhookFormat } from '../../contract/webhook-events.ts'
import { type PageRequest, pageOfRows } from '../../database/cursor.ts'
import type { Transaction, WebhookTable } from '../../database/schema.ts'
import { lockHolder } from '../../identity/sessions.ts'
import type { Caller } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import { seal } from '../../runtime/seal.ts'
import { parseJson, required } from '../../runtime/untyped.ts'
import { assertTarget, audited, type CallContext, type Changes, change, chosenEvents } from './changing.ts'
import { shownAddress } from './chat-formats.ts'
import { webhookActions } from './contract.ts'
import { assertFormat, exampleOf, type Formatted } from './formatting.ts'
import * as queries from './queries.ts'
import { queueTest } from './queue.ts'
import { MAX_PENDING, MAX_WEBHOOKS, OVERLAP_SECONDS } from './rules.ts'
import { newSecret } from './signing.ts'

type OwnershipCheck = (
  caller: Caller,
  webhook: Pick<Selectable<WebhookTable>, 'ownerId' | 'itemId' | 'subscriptionId'>,
) => boolean

const noSuchWebhook = () => new Problem('not_found', 'No such webhook')

/** A webhook as its owner sees it. */
export function shownWebhook(row: queries.WebhookRow, off: PartsOff) {
  const {
    id,
    itemId,
    boardId,
    format,
    template,
    url,
    description,
    disabledAt,
    disabledReason,
    failingSince,
    createdAt,
    updatedAt,
  } = row
  return {
    ...{ id, itemId, boardId, format, template, url, description, disabledReason, failingSince, createdAt, updatedAt },
    expiresAt: row.expiresAt,
    events: eventsOn(parseJson<WebhookEvent[]>(row.events), off),
    enabled: disabledAt === null,
    previousSecretUntil: row.previousSecretUntil,
    pending: Number(row.pending),
    createdBy: row.ownerId,
  }
}

/** Those of parts that are on. Where none is left they all stay: an empty list would mean every event. */
function eventsOn(events: WebhookEvent[], { hasEvent }: PartsOff): WebhookEvent[] {
  const on = events.filter((event) => !hasEvent(event))
  return on.length > 0 ? on : events
}

const shownDelivery = ({ event, ...shown }: queries.DeliveryRow) => ({ ...shown, event: event as WebhookEvent })

/** The same of one that is locked. */
function shownLocked({ firstAttemptAt: _, ...delivery }: queries.LockedDelivery) {
  return shownDelivery(delivery)
}

interface NewWebhook extends Formatted {
  format: WebhookFormat
  url: string
  description: string
  events: readonly WebhookEvent[]
  itemId: string | null
  /** Of the community: the board whose events it gets. */
  boardId?: string | null
}

/** Adds a webhook of the caller; `check` decides under the locks whether they may. */
export async function addWebhook(
  context: CallContext,
  { events, boardId = null, token, template = null, ...given }: NewWebhook,
  check: (db: Transaction) => Promise<void> = async () => {},
) {
  const { db, caller, now, budget, secretFor } = context
  const { format, url } = given
  assertTarget(context, url)
  assertFormat({ format, url, template, token }, { isNew: true })
  const off = partsOff(context.config)
  chosenEvents(events, [], off)
  const id = newId()
  const secret = format === 'guildhall' ? newSecret() : null
  const sealed = seal(await secretFor('webhooks'), secret ?? token ?? url)
  const shown = shownAddress(format, url)
  return db.transaction().execute(async (transaction) => {
    await lockHolder(context, transaction)
    if ((await queries.countLocked(transaction, caller.id)) >= MAX_WEBHOOKS) {
      throw new Problem('conflict', `An account has at most ${MAX_WEBHOOKS} webhooks`)
    }
    await check(transaction)
    await budget.spend(transaction)
    await queries.insertWebhook(transaction, {
      ...{
        ...given,
        url: shown,
        template,
        id,
        boardId,
        ownerId: caller.id,
        events: JSON.stringify(events),
        secret: sealed,
        createdAt: now,
        updatedAt: now,
      },
      ...{ previousSecret: null, previousSecretUntil: null, disabledAt: null, disabledReason: null },
      ...{ failingSince: null, dueAt: null },
    })
    const detail = { url: shown, itemId: given.itemId, ...(boardId !== null && { boardId }) }
    await audited(transaction, context, { action: webhookActions.create, id, detail })
    return { ...shownWebhook(required(await queries.findWebhook(transaction, id)), off), secret }
  })
}

/** The webhook under its lock; for everyone else there is none. */
async function lockMine(
  db: Transaction,
  { caller }: CallContext,
  { id, isMine }: { id: string; isMine: OwnershipCheck },
): Promise<queries.WebhookRecord> {
  const webhook = await queries.lockWebhook(db, id)
  if (!webhook || !isMine(caller, webhook)) throw noSuchWebhook()
  return webhook
}

/** An agent has made what it subscribes to: its owner can end that, and changes nothing of it. */
function assertChangeable({ subscriptionId }: queries.WebhookRecord): void {
  if (subscriptionId !== null) throw new Problem('conflict', 'This is a subscription of an agent: remove it instead')
}

async function rotate(context: CallContext, db: Transaction, webhook: queries.WebhookRecord): Promise<string> {
  const secret = newSecret()
  const sealed = seal(await context.secretFor('webhooks'), secret)
  await queries.updateWebhook(db, webhook.id, {
    ...{ secret: sealed, previousSecret: webhook.secret, previousSecretUntil: after(context.now, OVERLAP_SECONDS) },
    updatedAt: context.now,
  })
  await audited(db, context, { action: webhookActions.rotate, id: webhook.id })
  return secret
}

const shownOf = async (db: Transaction, id: string, config: CallContext['config']) =>
  shownWebhook(required(await queries.findWebhook(db, id)), partsOff(config))

/** Whether one more delivery may wait. */
async function assertRoom(
  db: Transaction,
  { id, disabledAt }: queries.WebhookRecord,
  config: CallContext['config'],
): Promise<void> {
  if (disabledAt !== null) throw new Problem('conflict', 'This webhook is disabled; enable it first')
  const { pending } = await shownOf(db, id, config)
  if (pending >= MAX_PENDING) throw new Problem('conflict', 'Too many deliveries wait for this webhook')
}

async function test({ budget, now, config }: CallContext, db: Transaction, webhook: queries.WebhookRecord) {
  const { id: webhookId } = webhook
  await assertRoom(db, webhook, config)
  await budget.spend(db)
  const id = await queueTest(db, webhookId, now)
  return shownLocked(required(await queries.lockDelivery(db, { id, webhookId, off: partsOff(config) })))
}

async function redeliver(
  { budget, now, config }: CallContext,
  db: Transaction,
  { webhook, deliveryId: id }: { webhook: queries.WebhookRecord; deliveryId: string },
) {
  const { id: webhookId } = webhook
  const delivery = await queries.lockDelivery(db, { id, webhookId, off: partsOff(config) })
  if (!delivery) throw new Problem('not_found', 'No such delivery')
  // It would be taken for a repeat, and shown by none.
  if (webhook.format === 'matrix' && delivery.state === 'delivered')
    throw new Problem('conflict', 'Matrix has this message and shows it once; send a test instead')
  await assertRoom(db, webhook, config)
  await budget.spend(db)
  const again = { attempts: 0, firstAttemptAt: null, nextAttemptAt: now }
  await queries.stepDelivery(db, { id, from: delivery.state, to: 'pending' }, again)
  await queries.updateWebhook(db, webhookId, { pausedUntil: '' })
  await queries.wake(db, [webhookId], now)
  return shownLocked({ ...delivery, ...again, state: 'pending' })
}

/** The handlers of the operations on one webhook; `isOfItems` where all that it hears of is in the library. */
export function webhookHandlers(isMine: OwnershipCheck, { isOfItems = false } = {}) {
  const locked = <Result>(
    context: CallContext,
    id: string,
    act: (db: Transaction, webhook: queries.WebhookRecord) => Promise<Result>,
  ) => context.db.transaction().execute(async (db) => act(db, await lockMine(db, context, { id, isMine })))
  return {
    async update(context: CallContext, { id, ...changes }: Changes & { id: string }) {
      return locked(context, id, async (db, webhook) => {
        assertChangeable(webhook)
        await context.budget.spend(db)
        await change(context, db, { webhook, changes })
        return shownOf(db, id, context.config)
      })
    },

    delete: (context: CallContext, { id }: { id: string }) =>
      locked(context, id, async (db, { url }) => {
        await queries.deleteWebhook(db, id)
        await audited(db, context, { action: webhookActions.delete, id, detail: { url } })
        return { id }
      }),

    rotateSecret: (context: CallContext, { id }: { id: string }) =>
      locked(context, id, async (db, webhook) => {
        assertChangeable(webhook)
        if (webhook.format !== 'guildhall') throw new Problem('conflict', 'This webhook has no secret that signs')
        await context.budget.spend(db)
        const secret = await rotate(context, db, webhook)
        return { ...(await shownOf(db, id, context.config)), secret }
      }),

    test: (context: CallContext, { id }: { id: string }) =>
      locked(context, id, async (db, webhook) => {
        assertChangeable(webhook)
        return test(context, db, webhook)
      }),

    async deliveries({ db, caller, config }: CallContext, { id, ...request }: { id: string } & PageRequest) {
      const webhook = await queries.findWebhook(db, id)
      if (!webhook || !isMine(caller, webhook)) throw noSuchWebhook()
      const list = { list: ['deliveries', id], by: { id: '' } }
      const { items, ...page } = await pageOfRows(request, list, (range) =>
        queries.listDeliveries(db, { webhookId: id, off: partsOff(config) }, range),
      )
      return { items: items.map(shownDelivery), ...page }
    },

    async preview({ config: { baseUrl } }: CallContext, given: Parameters<typeof exampleOf>[0]) {
      return exampleOf({ ...given, isOfItems }, baseUrl)
    },

    redeliver: (context: CallContext, { id, deliveryId }: { id: string; deliveryId: string }) =>
      locked(context, id, (db, webhook) => redeliver(context, db, { webhook, deliveryId })),
  }
}
