// What is gone, hidden or of a blocked account leaves inboxes, one event of it at a time, some notifications at a time.
import type { EventTable, Transaction } from '../../database/schema.ts'
import { isBlocked } from '../../identity/account-queries.ts'
import { ofNoThing } from '../notifications/audience.ts'
import * as queries from '../notifications/event-queries.ts'
import { ownPlaceOf, WEBHOOKS_DONE } from '../notifications/rules.ts'
import {
  clearRecipients,
  deleteEvent,
  deleteTaken,
  isCommentShown,
  keepTaken,
  setAside,
  takeOut,
} from '../notifications/taking-queries.ts'
import { settleGone } from '../reports/cases.ts'
import { noteTracked } from '../tracked/queries.ts'
import { deleteDeliveriesOf } from '../webhooks/aside-queries.ts'
import { boardOfRemoval, queueWebhooks } from '../webhooks/queue.ts'
import { deleteToldOf } from '../webhooks/told-queries.ts'
import { BATCH, type DeliveryContext, forWebhooks, trackedIn } from './telling.ts'

/** Kinds of events that take notifications away. */
export const removes: ReadonlySet<EventTable['kind']> = new Set(['gone', 'hidden', 'blocked'])

/** The type of what has no row. */
const BLOG_POST = 'blogPost'

/** Takes away what was told of a thing, a comment or an account that is gone: one event of it at a time, some notifications at a time. */
export async function remove(
  db: Transaction,
  removal: queries.DeliveredEvent,
  { now, config }: DeliveryContext,
): Promise<void> {
  const { id, kind, targetId, commentId, actorId } = removal
  if (kind === 'blocked' && !(await isBlocked(db, String(actorId)))) {
    return queries.updateEvent(db, { id, place: '', doneAt: now })
  }
  await takeBack(db, removal)
  const doomed = kind === 'hidden' && (await showsNow(db, removal)) ? undefined : await queries.lockDoomed(db, removal)
  if (doomed) return kind === 'gone' ? drop(db, doomed) : take(db, doomed, now)
  const isThing = kind === 'gone' && commentId === null
  const left = isThing ? await queries.deleteFollows(db, targetId, BATCH) : 0
  if (left === BATCH) return
  if (ownPlaceOf(removal) !== WEBHOOKS_DONE) await announce(db, removal, { now, config })
  await queries.updateEvent(db, { id, place: '', doneAt: now })
}

/** Takes back what webhooks were to hear of it. */
async function takeBack(db: Transaction, removal: queries.DeliveredEvent): Promise<void> {
  await deleteDeliveriesOf(db, removal)
  if (removal.kind === 'gone') await deleteToldOf(db, removal)
}

/** What follows from a removal besides inboxes: webhooks hear of it, and reports of it are settled. */
async function announce(db: Transaction, removal: queries.DeliveredEvent, context: DeliveryContext): Promise<void> {
  const { kind, targetId, commentId, hidden } = removal
  if (kind === 'gone') await settleGone(db, commentId ?? targetId, context.now)
  await noteTracked(db, trackedIn(removal), context.now)
  if (hidden === 1 && boardOfRemoval(removal) === null) return
  const isSeen = hidden === 0 && (await isPlaceSeen(db, removal))
  const told = { ...removal, hidden: isSeen ? (0 as const) : (1 as const) }
  await queueWebhooks(db, told, forWebhooks(context))
}

/** The same before inboxes, where these wait for a node. */
export async function announceFirst(
  db: Transaction,
  removal: queries.DeliveredEvent,
  context: DeliveryContext,
): Promise<void> {
  await takeBack(db, removal)
  await announce(db, removal, context)
}

type DoomedEvent = Pick<EventTable, 'id' | 'place' | 'doneAt'>

/** Removes an event for good, some notifications at a time. */
async function drop(db: Transaction, { id }: DoomedEvent): Promise<void> {
  if ((await takeOut(db, id, BATCH)) !== 'none' || (await deleteTaken(db, id, BATCH)) > 0) return
  await deleteEvent(db, id)
}

/** Sets an event aside until what hides it ends, some notifications at a time. */
async function take(db: Transaction, event: DoomedEvent, now: string): Promise<void> {
  const taken = await takeOut(db, event.id, BATCH)
  if (taken === 'none') await clearRecipients(db, event.id)
  else await keepTaken(db, taken)
  await setAside(db, event, now)
}

/** Whether everybody sees what an event is about. A post of the blog has no row, and what is for one account alone is on no thing. */
export async function showsNow(
  db: Transaction,
  { kind, targetType, targetId, commentId, hidden }: queries.DeliveredEvent,
): Promise<boolean> {
  if (commentId !== null && !(await isCommentShown(db, commentId))) return false
  const isBare = targetType === BLOG_POST || ofNoThing.has(kind) || (hidden === 1 && kind !== 'hidden')
  return isBare || (await queries.findType(db, targetId)) !== undefined
}

/** Whether others see what a removed comment was on. A post of the blog has no row. */
async function isPlaceSeen(
  db: Transaction,
  { targetType, targetId, commentId }: queries.DeliveredEvent,
): Promise<boolean> {
  return commentId === null || targetType === BLOG_POST || (await queries.findType(db, targetId)) !== undefined
}
