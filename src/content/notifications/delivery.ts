// Makes notifications of events, in the background: a batch of accounts a transaction, so that nothing waits for the followers of a
// popular thing. The place where an event stands is stored with each batch. A process that ends loses nothing, and others go on there.
import { setTimeout as sleep } from 'node:timers/promises'
import { type AnyNotificationKind, NOTICE } from '../../contract/notification-kinds.ts'
import type { EventTable, Transaction } from '../../database/schema.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { queueWebhooks } from '../webhooks/queue.ts'
import { deleteDeliveriesOf } from '../webhooks/sending-queries.ts'
import * as queries from './event-queries.ts'
import { defaultChannels, digestTimes } from './rules.ts'

/** Accounts a transaction: a few milliseconds. */
export const BATCH = 250
/** After the accounts that are named directly; before every id. */
const DIRECT_DONE = '-'

const removes: ReadonlySet<EventTable['kind']> = new Set(['gone', 'hidden', 'blocked'])

/** The kinds that followers of a thing get; a mention goes to the mentioned account only. */
const kindOf = {
  created: undefined,
  edited: undefined,
  notice: undefined,
  comment: 'comment',
  status: 'status',
  merged: 'status',
  version: 'version',
  released: 'release',
} as const

type Delivering = Pick<Dependencies, 'db' | 'clock' | 'config'>

/** Works on the oldest event that waits: one batch. Gives whether there was one. */
export async function deliverBatch({ db, clock, config }: Delivering): Promise<boolean> {
  if (!(await queries.isPending(db))) return false
  return db.transaction().execute(async (transaction) => {
    const event = await queries.takeEvent(transaction)
    if (!event) return false
    const now = timestamp(clock.now())
    if (removes.has(event.kind)) await remove(transaction, event, now)
    else await tell(transaction, event, { now, baseUrl: config.baseUrl })
    return true
  })
}

/** Works on events until none waits. Between batches it pauses for as long as a batch takes. */
export async function deliverAll(dependencies: Delivering): Promise<void> {
  for (;;) {
    const started = performance.now()
    if (!(await deliverBatch(dependencies))) return
    await sleep(Math.min(20, performance.now() - started))
  }
}

async function tell(
  db: Transaction,
  event: EventTable,
  { now, baseUrl }: { now: string; baseUrl: string },
): Promise<void> {
  const { id, place } = event
  if (event.actorId !== null && (await queries.isBlocked(db, event.actorId))) {
    return queries.updateEvent(db, { id, place: '', doneAt: now })
  }
  const kind = kindOf[event.kind as keyof typeof kindOf]
  if (place === '') {
    await queueWebhooks(db, event, { now, baseUrl })
    if (event.hidden) return queries.updateEvent(db, { id, place, doneAt: now })
    const added = await tellDirectly(db, event, now)
    return queries.updateEvent(db, { id, place: kind ? DIRECT_DONE : '', added, doneAt: kind ? null : now })
  }
  const { targetId, createdAt: since } = event
  const page = { targetId, since, after: place, limit: BATCH, installed: kind === 'version', voted: kind === 'release' }
  const followers = kind ? await queries.listFollowers(db, page) : []
  const added = kind ? await notify(db, { event, kind, now }, followers) : 0
  const isDone = followers.length < BATCH
  // Once it is done, it names no account.
  const reached = isDone ? '' : (followers.at(-1) ?? place)
  await queries.updateEvent(db, { id, place: reached, added, doneAt: isDone ? now : null })
}

/** Those whom the text mentions, and the author of the comment that it replies to or the account that gets a notice: once each. */
async function tellDirectly(db: Transaction, event: EventTable, now: string): Promise<number> {
  const named = await queries.listNamed(db, parseJson<string[]>(event.mentioned))
  // A name that is taken out of a text and put in again is no second mention.
  const known = event.kind === 'edited' && named.length > 0 ? await queries.listMentioned(db, event) : new Set()
  const mentioned = named.filter((id) => !known.has(id))
  const repliedTo = event.repliedTo === null ? [] : [event.repliedTo]
  await queries.lockInboxes(db, [...mentioned, ...repliedTo])
  const mentions = await notify(db, { event, kind: 'mention', now }, mentioned)
  const kind = event.kind === NOTICE ? NOTICE : 'reply'
  return mentions + (await notify(db, { event, kind, now }, repliedTo))
}

interface Telling {
  event: EventTable
  kind: AnyNotificationKind
  now: string
}

async function notify(db: Transaction, { event, kind, now }: Telling, userIds: readonly string[]): Promise<number> {
  if (userIds.length === 0) return 0
  await queries.lockInboxes(db, userIds)
  const byDefault = kind === NOTICE ? 'mail' : defaultChannels[kind]
  const delivery = { event, kind, byDefault, due: digestTimes(now) }
  return queries.insertNotifications(db, delivery, userIds)
}

/** Takes away what was told of a thing, a comment or an account that is gone: one event of it at a time, some notifications at a time. */
async function remove(db: Transaction, removal: EventTable, now: string): Promise<void> {
  const { id, kind, targetId, commentId, place } = removal
  await deleteDeliveriesOf(db, removal)
  const doomed = await queries.lockDoomed(db, removal)
  if (doomed) {
    if (await queries.deleteNotifications(db, doomed.id, BATCH)) return
    return queries.deleteEvent(db, doomed.id)
  }
  const isThing = kind === 'gone' && commentId === null
  const left = isThing ? await queries.deleteFollows(db, targetId, BATCH) : 0
  if (left < BATCH) await queries.updateEvent(db, { id, place, doneAt: now })
}
