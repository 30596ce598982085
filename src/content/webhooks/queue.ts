// Which webhooks get an event: decided in the background, in the transaction that takes the event, so that each gets it once.

import type { PartsOff } from '../../contract/parts.ts'
import { isDeletion, TEST_EVENT, type WebhookEvent, webhookEvents } from '../../contract/webhook-events.ts'
import type { Db, EventTable, Transaction } from '../../database/schema.ts'
import { visibleValue } from '../../formats/visible.ts'
import type { Dependencies } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { bringBackDeliveriesOn } from './aside-queries.ts'
import { insertDeliveries, wake } from './queries.ts'
import { MAX_PENDING } from './rules.ts'
import { findItemKind, findUsername, listMatching, type WebhookMatch } from './sending-queries.ts'
import { type Heard, mayHear, subscriberOf } from './told.ts'
import { appendTold, findTold, type ToldEvent } from './told-queries.ts'

type Event = Pick<
  EventTable,
  | 'id'
  | 'kind'
  | 'targetType'
  | 'targetId'
  | 'number'
  | 'title'
  | 'url'
  | 'actorId'
  | 'commentId'
  | 'excerpt'
  | 'detail'
> &
  Pick<EventTable, 'createdAt' | 'hidden'>

/** How webhooks call an event of each kind, after its thing; null for what they are not told. A comment has its own event. */
const suffixes: Readonly<Record<Exclude<EventTable['kind'], 'comment'>, string | null>> = {
  created: 'created',
  shown: 'created',
  edited: 'edited',
  status: 'status_changed',
  released: 'status_changed',
  merged: 'merged',
  unmerged: 'unmerged',
  version: 'version_published',
  yanked: 'version_yanked',
  unyanked: 'version_unyanked',
  deprecated: 'deprecated',
  undeprecated: 'undeprecated',
  gone: 'deleted',
  hidden: 'deleted',
  solved: null,
  assigned: null,
  decided: null,
  notice: null,
  invited: null,
  asked: null,
  judged: null,
  blocked: null,
}

/** Whether a status is another one than before. */
function isChange(detail: string | null): boolean {
  const { status } = parseJson<{ status?: { from: string; to: string } }>(detail ?? '{}')
  return status !== undefined && status.from !== status.to
}

/** The name that webhooks know an event by; undefined for what they are not told. */
function nameOf({ kind, targetType, commentId, detail }: Event): WebhookEvent | undefined {
  if (kind === 'released' && !isChange(detail)) return undefined
  const subject = kind === 'comment' || commentId !== null ? 'comment' : targetType
  const suffix = kind === 'comment' ? 'created' : suffixes[kind]
  const name = subject === 'item' && suffix === 'created' ? 'item.published' : `${subject}.${suffix}`
  return webhookEvents.find((one) => one === name)
}

interface Body {
  type: WebhookEvent | typeof TEST_EVENT
  timestamp: string
  data: Record<string, unknown>
}

/** What only some kinds have. */
interface Detail {
  status?: object
  version?: string
  /** Of an item that is deprecated. */
  successor?: string | null
  merged?: object
  unmerged?: object
}

/** The thing and the act, the same for every event: ids to read more by, and no text beyond its beginning. */
async function bodyOf(db: Transaction, type: WebhookEvent, event: Event & { baseUrl: string }): Promise<Body> {
  const { targetType, targetId, number, title, url, actorId, commentId, excerpt, detail, baseUrl } = event
  const { status = null, version = null, successor, merged, unmerged } = parseJson<Detail>(detail ?? '{}')
  const actor = actorId === null ? null : { id: actorId, username: await findUsername(db, actorId) }
  const isGone = isDeletion(type)
  const target = { type: targetType, id: targetId, number, title: isGone ? null : title }
  const href = isGone ? null : `${baseUrl}${url}`
  const data = { target, commentId, url: href, href, actor, excerpt, status, version }
  const more = {
    ...(successor && { successor }),
    ...(merged && { merged }),
    ...(unmerged && { unmergedFrom: unmerged }),
  }
  return { type, timestamp: event.createdAt, data: { ...data, ...more } }
}

const FULL = 'Too many deliveries wait for this address'

/** The board that what is gone was in, where its row cannot say it. */
export const boardOfRemoval = ({ detail }: Pick<Event, 'detail'>): string | null =>
  parseJson<{ board?: string }>(detail ?? '{}').board ?? null

/** The webhooks that an event is for, and the subscriptions. `told` is its entry in the log; none for an event that is not kept. */
export async function listWanting(
  { db, config }: Pick<Dependencies, 'db' | 'config'>,
  event: Event,
  told?: Heard,
): Promise<WebhookMatch[]> {
  const type = nameOf(event)
  if (!type) return []
  const named = await listMatching(db, { ...event, name: type, board: boardOfRemoval(event) })
  if (event.hidden === 0) return named
  const wanting: WebhookMatch[] = []
  for (const one of named) {
    const isWebhook = one.subscriptionId === null
    const listener = isWebhook ? undefined : await subscriberOf({ db, config }, one, event.createdAt)
    if (isWebhook || (listener && told && (await mayHear(db, listener, told)))) wanting.push(one)
  }
  return wanting
}

/** Whether what an event is about is off, as its page does not say of a comment. */
async function isOfPartOff(db: Db, { targetType, targetId }: Event, { kinds }: PartsOff): Promise<boolean> {
  if (kinds.size === 0 || targetType !== 'item') return kinds.has(targetType)
  const kind = await findItemKind(db, targetId)
  return kind !== undefined && kinds.has(kind)
}

/** Queues an event for each webhook that wants it. */
export async function queueWebhooks(
  db: Transaction,
  event: Event,
  { now, config, off }: { now: string; config: Dependencies['config']; off: PartsOff },
): Promise<void> {
  if (off.hasPage(event.url) || (await isOfPartOff(db, event, off))) return
  const type = nameOf(event)
  if (!type) return
  const body = await bodyOf(db, type, { ...event, baseUrl: config.baseUrl })
  const { targetType, targetId, commentId, actorId, hidden } = event
  const of = { event: type, targetType, targetId, commentId, actorId, hidden, createdAt: now }
  // Agents read it as it comes.
  const data = visibleValue(body.data)
  const occurrence = JSON.stringify({ eventId: event.id, name: type, timestamp: body.timestamp, data })
  const position = await appendTold(db, {
    ...{ ...of, id: event.id, payload: occurrence, board: boardOfRemoval(event) },
  })
  const entry = position === undefined ? undefined : await findTold(db, position)
  const wanted = await listWanting({ db, config }, event, entry)
  if (wanted.length === 0) return
  const payload = JSON.stringify(body)
  const deliveries = wanted.map(({ id: webhookId, pending, subscriptionId }) => {
    const state = pending < MAX_PENDING ? ({ state: 'pending', nextAttemptAt: now, error: null } as const) : FAILED
    const sent = subscriptionId === null ? { payload } : { payload: occurrence, position: position ?? null }
    return { ...blank, ...of, ...sent, ...state, id: newId(), webhookId }
  })
  await insertDeliveries(db, deliveries)
  await wake(
    db,
    wanted.map(({ id }) => id),
    now,
  )
}

const FAILED = { state: 'failed', nextAttemptAt: null, error: FULL } as const

/** Queues for a subscription what was told before, as its agent has missed it. */
export async function queueAgain(
  db: Transaction,
  { webhookId, now }: { webhookId: string; now: string },
  missed: readonly ToldEvent[],
): Promise<void> {
  if (missed.length === 0) return
  const waiting = { state: 'pending', nextAttemptAt: now, error: null } as const
  const deliveries = missed.map(({ id: _, boardId: __, ...told }) => ({
    ...{ ...blank, ...told, ...waiting, createdAt: now, id: newId(), webhookId },
  }))
  await insertDeliveries(db, deliveries)
  await wake(db, [webhookId], now)
}

/** A delivery before its first attempt. */
const blank = {
  firstAttemptAt: null,
  attemptedAt: null,
  status: null,
  durationMilliseconds: null,
  response: null,
  position: null as number | null,
} as const

/** Brings back what was left out on a thing or a comment while its author was blocked: it shows again. */
export const bringBackOn = async (db: Transaction, event: Event, now: string): Promise<void> =>
  wake(db, await bringBackDeliveriesOn(db, event), now)

/** Queues the test of a webhook, and gives its delivery. */
export async function queueTest(db: Transaction, webhookId: string, now: string): Promise<string> {
  const body: Body = { type: TEST_EVENT, timestamp: now, data: { webhookId } }
  const on = { targetType: null, targetId: null, commentId: null, actorId: null, hidden: 0 } as const
  const id = newId()
  const waiting = { state: 'pending', nextAttemptAt: now, error: null } as const
  const payload = JSON.stringify(body)
  await insertDeliveries(db, [
    { ...blank, ...on, ...waiting, id, webhookId, event: TEST_EVENT, payload, createdAt: now },
  ])
  await wake(db, [webhookId], now)
  return id
}
