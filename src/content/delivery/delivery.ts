// Makes notifications of events, in the background: a batch of accounts a transaction, so that nothing waits for the followers of a
// popular thing. The place where an event stands is stored with each batch. A process that ends loses nothing, and others go on there.

import { type AnyNotificationKind, NOTICE } from '../../contract/kinds.ts'
import { partsOff } from '../../contract/parts.ts'
import { locksRows } from '../../database/engine.ts'
import type { Db, EventTable, Transaction } from '../../database/schema.ts'
import { isBlocked } from '../../identity/account-queries.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { type Audience, audienceOf, ofNoThing } from '../notifications/audience.ts'
import * as queries from '../notifications/event-queries.ts'
import { defaultChannels, digestTimes, isReturning } from '../notifications/rules.ts'
import {
  bringBackEventsOn,
  clearRecipients,
  deleteEvent,
  deleteTaken,
  isCommentShown,
  keepTaken,
  placeOfReturned,
  putBack,
  setAside,
  takeOut,
} from '../notifications/taking-queries.ts'
import { insertMessages } from '../push/queries.ts'
import { isPushed } from '../push/rules.ts'
import { settleGone } from '../reports/cases.ts'
import { listReportersOf } from '../reports/own-queries.ts'
import { noteTracked } from '../tracked/queries.ts'
import { deleteDeliveriesOf } from '../webhooks/aside-queries.ts'
import { boardOfRemoval, bringBackOn, listWanting, queueWebhooks } from '../webhooks/queue.ts'
import { deleteToldOf, lockTold } from '../webhooks/told-queries.ts'

/** Accounts a transaction: a few milliseconds. */
export const BATCH = 250
/** After the accounts that are named directly; before every id. */
const DIRECT_DONE = '-'

/** The type of what has no row. */
const BLOG_POST = 'blogPost'

const removes: ReadonlySet<EventTable['kind']> = new Set(['gone', 'hidden', 'blocked'])

/** The kinds that followers of a thing get, and of its author where it is new; a mention goes to the mentioned account only. */
const kindOf: Partial<Record<EventTable['kind'], AnyNotificationKind | undefined>> = {
  created: 'posted',
  shown: undefined,
  edited: undefined,
  notice: undefined,
  invited: undefined,
  asked: undefined,
  judged: 'report',
  comment: 'comment',
  status: 'status',
  merged: 'status',
  unmerged: 'status',
  version: 'version',
  yanked: 'status',
  unyanked: undefined,
  deprecated: 'status',
  undeprecated: undefined,
  released: 'release',
  solved: undefined,
  assigned: undefined,
  decided: undefined,
}

/** What those hear of who only downloaded an item. */
const forInstalled: ReadonlySet<EventTable['kind']> = new Set(['version', 'yanked', 'deprecated'])

type DeliveryDependencies = Pick<Dependencies, 'db' | 'clock' | 'config'>

/** Whether a batch may add to the log of events, or wake webhooks. */
const isTold = ({ kind, place }: queries.DeliveredEvent): boolean => place === '' || removes.has(kind)

/** Works on the oldest event that waits: one batch. Gives whether there was one. */
export async function deliverBatch({ db, clock, config }: DeliveryDependencies): Promise<boolean> {
  const batch = (holdsLog: boolean) =>
    db.transaction().execute(async (transaction) => {
      if (holdsLog) await lockTold(transaction)
      const event = await queries.takeEvent(transaction)
      if (!event) return false
      if (!holdsLog && isTold(event)) return undefined
      const now = timestamp(clock.now())
      if (removes.has(event.kind)) await remove(transaction, event, { now, config })
      else await tell(transaction, event, { now, config })
      return true
    })
  // The log comes before the event, which is taken once more for that. Batches of followers, who may be many, run beside each other without it.
  return (await batch(!locksRows(db))) ?? (await batch(true)) ?? true
}

const trackedIn = ({ targetType: type, targetId: id }: queries.DeliveredEvent) => ({ type, id })

interface DeliveryContext {
  now: string
  config: Dependencies['config']
}

const forWebhooks = ({ now, config }: DeliveryContext) => ({ now, config, off: partsOff(config) })

async function tell(db: Transaction, event: queries.DeliveredEvent, { now, config }: DeliveryContext): Promise<void> {
  const { id, place } = event
  if (event.actorId !== null && (await isBlocked(db, event.actorId))) {
    return setAside(db, event, now)
  }
  if (isReturning(event)) return comeBack(db, event, now)
  const kind = kindOf[event.kind]
  if (place === '') {
    // What was told of it before comes back first.
    if (event.kind === 'shown') {
      if (await bringBackEventsOn(db, event, BATCH)) return
      await bringBackOn(db, event, now)
    }
    await queueWebhooks(db, event, forWebhooks({ now, config }))
    await noteTracked(db, trackedIn(event), now)
  }
  const audience = await audienceOf({ db, config }, event)
  if (!audience) return queries.updateEvent(db, { id, place: '', doneAt: now })
  if (place === '') {
    const added = await tellDirectly(db, { event, now, audience })
    // Most members have no followers: then there is nothing more to do.
    const goesOn = kind !== undefined && (kind !== 'posted' || (await followersOf(db, event, 1)).length > 0)
    return queries.updateEvent(db, { id, place: goesOn ? DIRECT_DONE : '', added, doneAt: goesOn ? null : now })
  }
  const followers = await followersOf(db, event, BATCH)
  const added = kind ? await notify(db, { event, kind, now, audience }, await audience.among(followers)) : 0
  const isDone = followers.length < BATCH
  // Once it is done, it names no account.
  const reached = isDone ? '' : (followers.at(-1) ?? place)
  await queries.updateEvent(db, { id, place: reached, added, doneAt: isDone ? now : null })
}

/** The next ones whom an event is for: followers of the thing, or of the author of a new one; those whose reports were decided. */
async function followersOf(db: Db, event: queries.DeliveredEvent, limit: number): Promise<string[]> {
  const kind = kindOf[event.kind]
  const targetId = kind === 'posted' ? event.actorId : event.targetId
  if (!kind || targetId === null) return []
  const { place: after, sequence } = event
  if (kind === 'report') return listReportersOf(db, { actId: targetId, after, limit })
  const states = { installed: forInstalled.has(event.kind), voted: kind === 'release' }
  return queries.listFollowers(db, { targetId, sequence, after, limit, ...states })
}

/** What the one account hears for whom an event is. */
const directKinds: ReadonlyMap<EventTable['kind'], AnyNotificationKind> = new Map([
  [NOTICE, NOTICE],
  ['invited', 'invitation'],
  ['asked', 'approval'],
  ['solved', 'status'],
  ['assigned', 'status'],
  ['decided', 'status'],
])

/** Those whom the text mentions, and the author of the comment that it replies to or the account that an event is for: once each. */
async function tellDirectly(db: Transaction, told: Omit<NotifyOptions, 'kind'>): Promise<number> {
  const { event, audience } = told
  const mentioned = await audience.among(await mentionedIn(db, event))
  const repliedTo = event.repliedTo === null ? [] : await audience.among([event.repliedTo])
  await queries.lockInboxes(db, [...mentioned, ...repliedTo])
  const mentions = await notify(db, { ...told, kind: 'mention' }, mentioned)
  const kind = directKinds.get(event.kind) ?? 'reply'
  return mentions + (await notify(db, { ...told, kind }, repliedTo))
}

/** A name that is taken out of a text and put in again is no second mention. */
async function mentionedIn(db: Db, event: queries.DeliveredEvent): Promise<string[]> {
  const named = await queries.listNamed(db, parseJson<string[]>(event.mentioned))
  const isAgain = event.kind === 'edited' || event.kind === 'created'
  const known = isAgain && named.length > 0 ? await queries.listMentioned(db, event) : new Set()
  return named.filter((id) => !known.has(id))
}

interface NotifyOptions {
  event: queries.DeliveredEvent
  kind: AnyNotificationKind
  now: string
  audience: Audience
}

async function notify(
  db: Transaction,
  { event, kind, now, audience: { isOfClosed } }: NotifyOptions,
  userIds: readonly string[],
): Promise<number> {
  if (userIds.length === 0) return 0
  await queries.lockInboxes(db, userIds)
  const byDefault = kind === NOTICE ? 'mail' : defaultChannels[kind]
  const delivery = { event, kind, byDefault, due: digestTimes(now), isOfClosed }
  const told = await queries.insertNotifications(db, delivery, userIds)
  if (isPushed(kind) && told.length > 0) await insertMessages(db, { kind, eventId: event.id, createdAt: now }, told)
  return told.length
}

/** Takes away what was told of a thing, a comment or an account that is gone: one event of it at a time, some notifications at a time. */
async function remove(
  db: Transaction,
  removal: queries.DeliveredEvent,
  { now, config }: DeliveryContext,
): Promise<void> {
  const { id, kind, targetId, commentId, actorId, place, hidden } = removal
  if (kind === 'blocked' && !(await isBlocked(db, String(actorId)))) {
    return queries.updateEvent(db, { id, place, doneAt: now })
  }
  await deleteDeliveriesOf(db, removal)
  if (kind === 'gone') await deleteToldOf(db, removal)
  const doomed = kind === 'hidden' && (await showsNow(db, removal)) ? undefined : await queries.lockDoomed(db, removal)
  if (doomed) return kind === 'gone' ? drop(db, doomed) : take(db, doomed, now)
  const isThing = kind === 'gone' && commentId === null
  const left = isThing ? await queries.deleteFollows(db, targetId, BATCH) : 0
  if (left === BATCH) return
  if (kind === 'gone') await settleGone(db, commentId ?? targetId, now)
  await noteTracked(db, trackedIn(removal), now)
  if (hidden === 0 || boardOfRemoval(removal) !== null) {
    const isSeen = hidden === 0 && (await isPlaceSeen(db, removal))
    const told = { ...removal, hidden: isSeen ? (0 as const) : (1 as const) }
    await queueWebhooks(db, told, forWebhooks({ now, config }))
  }
  await queries.updateEvent(db, { id, place, doneAt: now })
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

/** Brings some notifications of an event back; after the last one its delivery goes on where it stood. */
async function comeBack(db: Transaction, event: queries.DeliveredEvent, now: string): Promise<void> {
  if (!(await showsNow(db, event))) return setAside(db, event, now)
  const { id } = event
  const { count: added, mayBeMore } = await putBack(db, id, BATCH)
  if (mayBeMore) return queries.updateEvent(db, { id, place: event.place, added })
  const { place, isDone } = placeOfReturned(event.place)
  await queries.updateEvent(db, { id, place, added, doneAt: isDone ? now : null })
}

/** Whether everybody sees what an event is about. A post of the blog has no row, and what is for one account alone is on no thing. */
async function showsNow(
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

/** No more followers are counted for a dry run. */
const MOST_FORETOLD = 1_000

/**
 * How many accounts, at most, and how many webhooks hear of what an account has caused since an id: for a dry run, by the rules of the delivery
 * without its locks and its rows.
 */
export async function foretell(
  { db, config }: Pick<Dependencies, 'db' | 'config'>,
  act: { since: string; by: string },
): Promise<{ notifications: number; webhooks: number }> {
  const told = new Set<string>()
  let webhooks = 0
  for (const event of await queries.listCausedSince(db, act)) {
    webhooks += (await listWanting({ db, config }, event)).length
    const audience = await audienceOf({ db, config }, event)
    if (!audience) continue
    const direct = [...(await mentionedIn(db, event)), ...(event.repliedTo === null ? [] : [event.repliedTo])]
    const heard = await audience.among([...direct, ...(await followersOf(db, event, MOST_FORETOLD))])
    for (const id of heard) told.add(id)
  }
  told.delete(act.by)
  return { notifications: told.size, webhooks }
}
