// Subscriptions of agents to events. A subscription is a webhook of an account that ends, and belongs to one of its agents.
import { record } from '../../audit/audit.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { keysOf } from '../../contract/records.ts'
import { argumentsOf, type EventArgument, type WebhookEvent } from '../../contract/webhook-events.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { findGrant } from '../../identity/grant-queries.ts'
import { lockHolder } from '../../identity/sessions.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newId } from '../../runtime/ids.ts'
import { seal, unseal } from '../../runtime/seal.ts'
import { parseJson, required } from '../../runtime/untyped.ts'
import { boardBySlug } from '../board-access/boards.ts'
import { challenge } from './callback.ts'
import { assertTarget } from './changing.ts'
import { webhookActions } from './contract.ts'
import type { eventSubscriptions } from './event-contract.ts'
import * as rules from './event-rules.ts'
import * as queries from './queries.ts'
import { queueAgain } from './queue.ts'
import { listenerOf, mayHear } from './told.ts'
import * as told from './told-queries.ts'

interface Narrowed {
  name: WebhookEvent
  board?: string | undefined
  item?: string | undefined
}

interface EventScope {
  event: WebhookEvent
  boardId: string | null
  itemId: string | null
}

/** What is asked for, as it is stored; throws where there is no such thing for the caller. */
async function wantedOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { name, board, item }: Narrowed,
  accountId: string | undefined,
): Promise<EventScope> {
  if (partsOff(config).hasEvent(name)) throw new Problem('not_found', 'There is no such event')
  const taken = argumentsOf(name)
  const given: Readonly<Record<EventArgument, unknown>> = { board, item }
  const other = keysOf(given).find((one) => given[one] !== undefined && !taken.includes(one))
  if (other) throw new Problem('invalid_request', `${other}: ${name} does not take it`)
  if (item !== undefined && !(await told.isItemSeen(db, item, accountId))) {
    throw new Problem('invalid_request', 'item: there is no such item')
  }
  return { event: name, boardId: board === undefined ? null : (await boardBySlug(db, board)).id, itemId: item ?? null }
}

/**
 * The agent that calls; throws for a caller that is none. A subscription has the scopes of the grant, and lasts as that does: one of a helper would
 * have more than the helper has, and stay after its end.
 */
function agentOf({ via }: Caller): { clientId: string; grantId: string } {
  if ('handedOn' in via && via.handedOn) {
    throw new Problem('forbidden', 'A helper polls or streams: the agent that it acts for subscribes')
  }
  if ('clientId' in via && via.grantId !== null) return { clientId: via.clientId, grantId: via.grantId }
  throw new Problem('forbidden', 'An agent subscribes with a token that an account gave it')
}

/** What a receiver knows a subscription by: the same for the same agent, address, event and arguments. */
const idOf = (...parts: readonly (string | null)[]): string => `sub_${sha256(JSON.stringify(parts))}`

const startIn = (cursor: string, now: string, maxAgeMs: number | undefined) => {
  const position = rules.placeIn(cursor)
  if (position === undefined) throw new Problem('invalid_request', 'cursor: is none of this server')
  return rules.startOf(position, now, maxAgeMs)
}

type CallContext = Context<Caller>
type Subscribing = Parameters<Handlers<typeof eventSubscriptions>['subscribe']>[1]

export const eventHandlers: Handlers<typeof eventSubscriptions> = {
  async subscribe(context, input) {
    const { db, caller, now, apart, budget } = context
    const { clientId, grantId } = agentOf(caller)
    if (!rules.isSecret(input.secret)) {
      throw new Problem('invalid_request', 'secret: must be whsec_ and 24 to 64 bytes in base64')
    }
    assertTarget(context, input.url)
    const wanted = await wantedOf(context, input, caller.id)
    const start = input.cursor == null ? undefined : startIn(input.cursor, now, input.maxAgeMs)
    const { url, secret } = input
    const subscriptionId = idOf(caller.id, clientId, url, wanted.event, wanted.boardId, wanted.itemId)
    await apart.transaction().execute((transaction) => budget.spend(transaction))
    if (!(await told.isKnownTo(db, { ownerId: caller.id, clientId, url, now }))) {
      const failure = await challenge(context, { url, secret, subscriptionId, now })
      if (failure) return { failure }
    }
    const kept = { ...wanted, subscriptionId, clientId, grantId }
    return db.transaction().execute(async (transaction) => {
      // An event has its place in the log by now, or it finds the subscription.
      await told.lockTold(transaction)
      await lockHolder(context, transaction)
      const live = await keep(context, transaction, { input, kept })
      const isNew = !live && start !== undefined
      const isCut = isNew && (await replay(context, transaction, { subscriptionId, wanted, from: start.from }))
      return standingOf(context, transaction, { subscriptionId, live, truncated: isNew && (start.truncated || isCut) })
    })
  },

  async unsubscribe(context, input) {
    const { db, caller, now, address } = context
    const { clientId } = agentOf(caller)
    const boardId = input.board === undefined ? null : (await boardBySlug(db, input.board)).id
    const subscriptionId = idOf(caller.id, clientId, input.url, input.name, boardId, input.item ?? null)
    await db.transaction().execute(async (transaction) => {
      const found = await told.lockSubscription(transaction, subscriptionId)
      if (!found || String(found.expiresAt) <= now) throw new Problem('not_found', 'There is no such subscription')
      await told.deleteSubscription(transaction, subscriptionId)
      const detail = { url: input.url, event: input.name }
      const act = { action: webhookActions.delete, actorId: caller.id, targetId: found.id, detail, address }
      await record(transaction, now, act)
    })
    return {}
  },

  async poll(context, { cursor, maxAgeMs, maxEvents, ...narrowed }) {
    const { db, caller, now } = context
    const wanted = await wantedOf(context, narrowed, caller?.id)
    const head = await told.findHead(db, now)
    const nextPollMs = rules.POLL_MILLISECONDS
    if (cursor == null) {
      return { events: [], cursors: [], cursor: rules.cursorAt(head), truncated: false, hasMore: false, nextPollMs }
    }
    const { from, truncated } = startIn(cursor, now, maxAgeMs)
    const rows = await told.listTold(db, { ...queryOf(wanted), after: from, through: head, limit: maxEvents })
    const listener = listenerOf(context, caller)
    const heard: told.ToldEvent[] = []
    for (const row of rows) if (await mayHear(db, listener, row)) heard.push(row)
    const hasMore = rows.length === maxEvents
    const reached = hasMore ? (rows.at(-1)?.position ?? head) : Math.max(head, from)
    return {
      ...{ events: heard.map(occurrenceOf), cursors: heard.map(({ position }) => rules.cursorAt(position)) },
      ...{ cursor: rules.cursorAt(reached), truncated, hasMore, nextPollMs },
    }
  },
}

const occurrenceOf = ({ payload }: Pick<told.ToldEvent, 'payload'>) =>
  parseJson<{ eventId: string; name: WebhookEvent; timestamp: string; data: Record<string, unknown> }>(payload)

const queryOf = ({ event, boardId, itemId }: EventScope) => ({
  event,
  boardId: boardId ?? undefined,
  itemId: itemId ?? undefined,
})

interface Keeping {
  input: Subscribing
  kept: EventScope & { subscriptionId: string; clientId: string; grantId: string }
}

/** Adds a subscription, or lets it go on; gives whether it was there. */
async function keep(context: CallContext, db: Transaction, { input, kept }: Keeping): Promise<boolean> {
  const { now, caller, secretFor, address } = context
  const expiresAt = rules.endOf(now, input.ttlMs)
  const found = await told.lockSubscription(db, kept.subscriptionId)
  const key = await secretFor('webhooks')
  if (found && String(found.expiresAt) > now) {
    const before = secretIn(key, found.secret)
    const until = after(now, rules.ROTATION_SECONDS)
    const rotated = {
      ...{ secret: seal(key, input.secret), previousSecret: before === undefined ? null : found.secret },
      previousSecretUntil: before === undefined ? null : until,
    }
    const healthy = { failures: 0, pausedUntil: '', disabledAt: null, disabledReason: null }
    await queries.updateWebhook(db, found.id, {
      ...{ ...healthy, grantId: kept.grantId, expiresAt, updatedAt: now },
      ...(before !== input.secret && rotated),
    })
    await queries.wakeWaiting(db, found.id)
    return true
  }
  // One that has ended is another one: what still waited for it is not sent.
  if (found) await told.deleteSubscription(db, kept.subscriptionId)
  if ((await told.countSubscriptions(db, caller.id, now)) >= rules.MAX_SUBSCRIPTIONS) {
    throw new Problem('conflict', `An account has at most ${rules.MAX_SUBSCRIPTIONS} subscriptions`)
  }
  const id = newId()
  const { event, ...columns } = kept
  const agent = (await findGrant(db, { id: kept.grantId }))?.clientName ?? kept.clientId
  await queries.insertWebhook(db, {
    ...{ ...columns, id, ownerId: caller.id, url: input.url, description: agent, events: JSON.stringify([event]) },
    ...{ secret: seal(key, input.secret), previousSecret: null, previousSecretUntil: null, expiresAt },
    ...{ createdAt: now, updatedAt: now, disabledAt: null, disabledReason: null, failingSince: null, dueAt: null },
  })
  const detail = { url: input.url, event, clientId: kept.clientId }
  await record(db, now, { action: webhookActions.create, actorId: caller.id, targetId: id, detail, address })
  return false
}

/** Undefined for one that was sealed under another key. */
function secretIn(key: Buffer, sealed: string): string | undefined {
  try {
    return unseal(key, sealed)
  } catch {
    return undefined
  }
}

interface Replaying {
  subscriptionId: string
  wanted: EventScope
  from: number
}

/** Queues the last of what was told since the place that a client has kept; gives whether there is more than is sent again. */
async function replay(
  context: CallContext,
  db: Transaction,
  { subscriptionId, wanted, from }: Replaying,
): Promise<boolean> {
  const { now, caller } = context
  const { id } = required(await told.lockSubscription(db, subscriptionId))
  const through = await told.findHead(db, now)
  const limit = rules.MAX_REPLAYED + 1
  const rows = await told.listLastTold(db, { ...queryOf(wanted), after: from, through, limit })
  const listener = listenerOf({ db, config: context.config }, caller)
  const heard: told.ToldEvent[] = []
  for (const row of rows.slice(-rules.MAX_REPLAYED)) if (await mayHear(db, listener, row)) heard.push(row)
  await queueAgain(db, { webhookId: id, now }, heard)
  return rows.length === limit
}

interface Standing {
  subscriptionId: string
  truncated: boolean
  /** Whether it was there before: then the answer says how its deliveries went. */
  live: boolean
}

async function standingOf({ now }: CallContext, db: Db, { subscriptionId, truncated, live }: Standing) {
  const found = required(await queries.findSubscription(db, subscriptionId))
  const head = await told.findHead(db, now)
  const waiting = await told.firstWaiting(db, found.id, Number.MAX_SAFE_INTEGER)
  const { last, deliveredAt } = await told.findAttempts(db, found.id)
  const status = last?.status ?? null
  const failure = last && (status === null ? rules.failureOfText(last.error) : rules.failureOf(status))
  return {
    ...{ id: subscriptionId, refreshBefore: required(found.expiresAt), truncated },
    cursor: rules.cursorAt(waiting === undefined ? head : waiting - 1),
    ...(live && {
      deliveryStatus: {
        ...{ active: found.disabledAt === null, lastDeliveryAt: deliveredAt, lastError: failure ?? null },
        ...(found.failingSince !== null && { failedSince: found.failingSince }),
      },
    }),
  }
}
