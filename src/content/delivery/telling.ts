// Who hears of an event: webhooks, those whom it names, then followers, a batch a transaction. The place where an event stands is stored with each.

import { type AnyNotificationKind, NOTICE } from '../../contract/kinds.ts'
import { partsOff } from '../../contract/parts.ts'
import type { Db, EventTable, Transaction } from '../../database/schema.ts'
import { isBlocked } from '../../identity/account-queries.ts'
import type { Dependencies } from '../../request/handler.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { type Audience, audienceOf } from '../notifications/audience.ts'
import * as queries from '../notifications/event-queries.ts'
import { defaultChannels, digestTimes } from '../notifications/rules.ts'
import { bringBackEventsOn, setAside } from '../notifications/taking-queries.ts'
import { type Delivery, insertNotifications } from '../notifications/telling-queries.ts'
import { insertMessages } from '../push/queries.ts'
import { isPushed } from '../push/rules.ts'
import { listReportersOf } from '../reports/own-queries.ts'
import { noteTracked } from '../tracked/queries.ts'
import { bringBackOn, queueWebhooks } from '../webhooks/queue.ts'

/** Accounts a transaction: a few milliseconds. */
export const BATCH = 250
/** After the accounts that are named directly; before every id. */
const DIRECT_DONE = '-'

/** The kinds that followers of a thing get, and of its author where it is new; a mention goes to the mentioned account only. */
export const kindOf: Partial<Record<EventTable['kind'], AnyNotificationKind | undefined>> = {
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

export const trackedIn = ({ targetType: type, targetId: id }: queries.DeliveredEvent) => ({ type, id })

export interface DeliveryContext {
  now: string
  config: Dependencies['config']
}

export const forWebhooks = ({ now, config }: DeliveryContext) => ({ now, config, off: partsOff(config) })

/** What comes before all accounts; false where more of what was told before has to come back first. */
export async function tellWebhooks(
  db: Transaction,
  event: queries.DeliveredEvent,
  context: DeliveryContext,
): Promise<boolean> {
  if (event.kind === 'shown') {
    if (await bringBackEventsOn(db, event, BATCH)) return false
    await bringBackOn(db, event, context.now)
  }
  await queueWebhooks(db, event, forWebhooks(context))
  await noteTracked(db, trackedIn(event), context.now)
  return true
}

/** One batch of an event. */
export async function tell(
  db: Transaction,
  event: queries.DeliveredEvent,
  { now, config }: DeliveryContext,
): Promise<void> {
  const { id, place } = event
  if (event.actorId !== null && (await isBlocked(db, event.actorId))) return setAside(db, event, now)
  if (place === '' && !(await tellWebhooks(db, event, { now, config }))) return
  const audience = await audienceOf({ db, config }, event)
  if (!audience) return queries.updateEvent(db, { id, place: '', doneAt: now })
  const told = { event, now, audience }
  if (place === '') {
    const added = await tellDirectly(db, told)
    const next = await placeAfterDirect(db, event)
    return queries.updateEvent(db, { id, place: next, added, doneAt: next === '' ? now : null })
  }
  const followers = await followersOf(db, event, BATCH)
  const kind = kindOf[event.kind]
  const added = kind ? await notify(db, { ...told, kind }, await audience.among(followers)) : 0
  const next = placeAfter(followers)
  await queries.updateEvent(db, { id, place: next, added, doneAt: next === '' ? now : null })
}

/** Where an event stands once the accounts that it names have their notifications; '' where it is done: most members have no followers. */
export async function placeAfterDirect(db: Db, event: queries.DeliveredEvent): Promise<string> {
  const kind = kindOf[event.kind]
  const goesOn = kind !== undefined && (kind !== 'posted' || (await followersOf(db, event, 1)).length > 0)
  return goesOn ? DIRECT_DONE : ''
}

/** Where it stands after a batch of followers. Once it is done, it names no account. */
export const placeAfter = (followers: readonly string[]): string =>
  followers.length < BATCH ? '' : (followers.at(-1) ?? '')

/** The next ones whom an event is for: followers of the thing, or of the author of a new one; those whose reports were decided. */
export async function followersOf(db: Db, event: queries.DeliveredEvent, limit: number): Promise<string[]> {
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

type EventDelivery = Omit<NotifyOptions, 'kind'>

/** Those whom the text mentions, and the author of the comment that it replies to or the account that an event is for. */
export async function namedIn(
  db: Db,
  { event, audience }: Pick<EventDelivery, 'event' | 'audience'>,
): Promise<{ kind: AnyNotificationKind; userIds: readonly string[] }[]> {
  const named = await queries.listNamed(db, parseJson<string[]>(event.mentioned))
  const repliedTo = event.repliedTo === null ? [] : [event.repliedTo]
  return [
    { kind: 'mention', userIds: await audience.among(named) },
    { kind: directKinds.get(event.kind) ?? 'reply', userIds: await audience.among(repliedTo) },
  ]
}

/** Tells them, once each. */
async function tellDirectly(db: Transaction, told: EventDelivery): Promise<number> {
  const named = await namedIn(db, told)
  await queries.lockInboxes(
    db,
    named.flatMap(({ userIds }) => userIds),
  )
  let added = 0
  for (const { kind, userIds } of named) added += await notify(db, { ...told, kind }, userIds)
  return added
}

/** Without those who heard of the text before: a name that is taken out of it and put in again is no second mention. */
export async function newlyMentioned(
  db: Db,
  event: queries.DeliveredEvent,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const isAgain = event.kind === 'edited' || event.kind === 'created'
  if (!isAgain || userIds.length === 0) return userIds
  const known = await queries.listMentioned(db, event, userIds)
  return userIds.filter((id) => !known.has(id))
}

export interface NotifyOptions {
  event: queries.DeliveredEvent
  kind: AnyNotificationKind
  now: string
  audience: Audience
}

/** Notifies these accounts; gives how many got one. */
export async function notify(db: Transaction, options: NotifyOptions, userIds: readonly string[]): Promise<number> {
  const { event, kind, now } = options
  const those = kind === 'mention' ? await newlyMentioned(db, event, userIds) : userIds
  if (those.length === 0) return 0
  await queries.lockInboxes(db, those)
  const told = await insertNotifications(db, deliveryOf(options), those)
  if (isPushed(kind) && told.length > 0) await insertMessages(db, { kind, eventId: event.id, createdAt: now }, told)
  return told.length
}

/** A notification of an event as it is stored. */
export const deliveryOf = ({ event, kind, now, audience: { isOfClosed } }: NotifyOptions): Delivery => ({
  ...{ event, kind, due: digestTimes(now), isOfClosed },
  byDefault: kind === NOTICE ? 'mail' : defaultChannels[kind],
})
