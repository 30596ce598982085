// Events that have a job of their own: what comes back after a block or a hiding, and what waits for a node of the database that is away. Accounts
// whose inboxes are on other nodes get it at once; the others' notifications are kept (`takenNotification`) until their node is back.
import { groupByNode } from '../../database/distributed.ts'
import { isNodeAway } from '../../database/engine.ts'
import type { Transaction } from '../../database/schema.ts'
import { isBlocked } from '../../identity/account-queries.ts'
import { timestamp } from '../../runtime/clock.ts'
import { audienceOf } from '../notifications/audience.ts'
import * as queries from '../notifications/event-queries.ts'
import { DONE, ownPlaceOf, RETURNING, WEBHOOKS_DONE } from '../notifications/rules.ts'
import {
  deleteTakenOf,
  listTaken,
  listWaitingFor,
  putBack,
  setAside,
  type TakenOne,
} from '../notifications/taking-queries.ts'
import { keepNotifications, NEVER_TOLD } from '../notifications/telling-queries.ts'
import { insertMessages } from '../push/queries.ts'
import { isPushed } from '../push/rules.ts'
import { lockTold } from '../webhooks/told-queries.ts'
import type { DeliveryDependencies } from './delivery.ts'
import { remove, removes, showsNow } from './removing.ts'
import {
  BATCH,
  deliveryOf,
  followersOf,
  kindOf,
  type NotifyOptions,
  namedIn,
  newlyMentioned,
  notify,
  placeAfter,
  placeAfterDirect,
  tellWebhooks,
} from './telling.ts'

interface Run {
  key: string
  signal: AbortSignal
  renew(): Promise<void>
}

/** What one event is worked on with. */
interface Returning extends DeliveryDependencies {
  event: queries.DeliveredEvent
  now: string
  /** Of the database, as far as they were asked in this batch. */
  nodes: AwayNodes
}

class AwayNodes {
  /** By their numbers. */
  readonly known = new Set<number>()
  error: unknown
}

/** Goes on with an event: gives '' where there is more; undefined at its end. Throws while a node that it needs is away. */
export async function returnBatch(dependencies: DeliveryDependencies, run: Run): Promise<string | undefined> {
  const now = timestamp(dependencies.clock.now())
  const event = await begin(dependencies, { id: run.key, now })
  if (!event) return undefined
  if (isTold(event)) return ''
  const returning = { ...dependencies, event, now, nodes: new AwayNodes() }
  const place = ownPlaceOf(event)
  if (place === DONE) return putAllBack(returning, run)
  await tellPage(returning, place)
  return ''
}

/** Looks at an event under its lock, and takes the step that adds to the log, if any; undefined where it needs no more here. */
async function begin(
  { db, config }: DeliveryDependencies,
  { id, now }: { id: string; now: string },
): Promise<queries.DeliveredEvent | undefined> {
  const look = (holdsLog: boolean) =>
    db.transaction().execute(async (transaction) => {
      if (holdsLog) await lockTold(transaction)
      const event = await queries.lockReturning(transaction, id)
      if (event && !removes.has(event.kind) && !(await mayReturn(transaction, event, now))) return undefined
      if (!event || !holdsLog || !isTold(event)) return event
      if (removes.has(event.kind)) await remove(transaction, event, { now, config })
      else if (await tellWebhooks(transaction, event, { now, config })) {
        await queries.updateEvent(transaction, { id, place: `${RETURNING}${WEBHOOKS_DONE}` })
      }
      return event
    })
  const event = await look(false)
  return event && isTold(event) ? look(true) : event
}

/** Whether what comes next may add to the log of events, which is locked before the event. */
const isTold = (event: queries.DeliveredEvent): boolean => removes.has(event.kind) || ownPlaceOf(event) === ''

/** Whether an event goes on here: not while it is hidden, or its actor blocked. */
async function mayReturn(db: Transaction, event: queries.DeliveredEvent, now: string): Promise<boolean> {
  const isOfBlocked = event.actorId !== null && (await isBlocked(db, event.actorId))
  const mayShow = (await showsNow(db, event)) || (await queries.isMerged(db, event.targetId))
  if (!isOfBlocked && mayShow) return true
  await setAside(db, event, now)
  return false
}

/** Tells those whom an event names, or a batch of its followers; keeps the notifications of those whose node is away. */
async function tellPage(returning: Returning, place: string): Promise<void> {
  const { db, config, now } = returning
  const event = { ...returning.event, place }
  const audience = await audienceOf({ db, config }, event)
  if (!audience) return goOn(returning, { place: DONE })
  const told = { event, now, audience }
  if (place === WEBHOOKS_DONE) {
    const waiting: WaitingNotifications[] = []
    for (const { kind, userIds } of await namedIn(db, told)) {
      waiting.push({ options: { ...told, kind }, userIds: await tellEach(returning, { ...told, kind }, userIds) })
    }
    return goOn(returning, { place: (await placeAfterDirect(db, event)) || DONE, waiting })
  }
  const followers = await followersOf(db, event, BATCH)
  const kind = kindOf[event.kind]
  if (!kind) return goOn(returning, { place: DONE })
  const options = { ...told, kind }
  const userIds = await tellEach(returning, options, await audience.among(followers))
  await goOn(returning, { place: placeAfter(followers) || DONE, waiting: [{ options, userIds }] })
}

/** Notifies accounts for whom nothing of the event waits; gives those whose node is away. */
async function tellEach(
  returning: Returning,
  options: NotifyOptions,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const waiting = await listWaitingFor(returning.db, returning.event.id, userIds)
  const others = userIds.filter((id) => !waiting.has(id))
  return onEachNode(returning, others, (db, some) => notify(db, options, some))
}

/** Accounts whose node is away, and what they would have heard. */
interface WaitingNotifications {
  options: NotifyOptions
  userIds: readonly string[]
}

/** Stores where an event stands, with the notifications that wait. */
function goOn(
  { db, event }: Returning,
  { place, waiting = [] }: { place: string; waiting?: readonly WaitingNotifications[] },
): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    if (!(await lockAsSeen(transaction, event))) return
    for (const { options, userIds } of waiting) {
      if (userIds.length > 0) await keepNotifications(transaction, deliveryOf(options), userIds)
    }
    await queries.updateEvent(transaction, { id: event.id, place: `${RETURNING}${place}` })
  })
}

/** Locks an event; false where something else became of it. */
const lockAsSeen = async (db: Transaction, { id, place }: queries.DeliveredEvent): Promise<boolean> =>
  (await queries.lockReturning(db, id))?.place === place

/** Puts all that waits into inboxes; it is done where nothing is left. */
async function putAllBack(returning: Returning, { signal, renew }: Run): Promise<string | undefined> {
  const { db, event, now, nodes } = returning
  for (let after = ''; !signal.aborted; ) {
    const page = await listTaken(db, event.id, { after, limit: BATCH })
    const userIds = page.map(({ userId }) => userId)
    await onEachNode(returning, userIds, (transaction, some) => putBackSome(transaction, { event, now, page }, some))
    await renew()
    after = userIds.at(-1) ?? after
    if (page.length < BATCH) break
  }
  const isDone = await db.transaction().execute(async (transaction) => {
    if (!(await lockAsSeen(transaction, event))) return true
    if ((await listTaken(transaction, event.id, { after: '', limit: 1 })).length > 0) return false
    await queries.updateEvent(transaction, { id: event.id, place: '', doneAt: now })
    return true
  })
  if (isDone) return undefined
  if (nodes.error !== undefined) throw nodes.error
  return ''
}

/** Puts back what waits for some accounts, and has pushed what they never heard; gives how many notifications that is. */
async function putBackSome(
  db: Transaction,
  { event, now, page }: Pick<Returning, 'event' | 'now'> & { page: readonly TakenOne[] },
  userIds: readonly string[],
): Promise<number> {
  const some = new Set(userIds)
  const never = page.filter(({ userId, position }) => some.has(userId) && position === NEVER_TOLD)
  const mentioned = never.filter(({ kind }) => kind === 'mention').map(({ userId }) => userId)
  const unheard = new Set(await newlyMentioned(db, event, mentioned))
  const again = mentioned.filter((id) => !unheard.has(id))
  if (again.length > 0) await deleteTakenOf(db, event.id, again)
  await queries.lockInboxes(db, userIds)
  const added = new Set(await putBack(db, event.id, userIds))
  for (const [kind, told] of Map.groupBy(never, (one) => one.kind)) {
    const ids = told.map(({ userId }) => userId).filter((id) => added.has(id))
    if (isPushed(kind) && ids.length > 0) await insertMessages(db, { kind, eventId: event.id, createdAt: now }, ids)
  }
  return added.size
}

/**
 * Does something for accounts, in a transaction that counts what it adds; where a node is away, for those of each node by themselves. Gives the
 * accounts whose node is away.
 */
async function onEachNode(
  { db, event, nodes }: Returning,
  userIds: readonly string[],
  work: (db: Transaction, userIds: readonly string[]) => Promise<number>,
): Promise<readonly string[]> {
  const reaches = async (some: readonly string[]): Promise<boolean> => {
    try {
      await db.transaction().execute(async (transaction) => {
        if (!(await lockAsSeen(transaction, event))) return
        const { id, place } = event
        await queries.updateEvent(transaction, { id, place, added: await work(transaction, some) })
      })
      return true
    } catch (error) {
      if (!isNodeAway(error)) throw error
      nodes.error = error
      return false
    }
  }
  if (userIds.length === 0 || (nodes.known.size === 0 && (await reaches(userIds)))) return []
  const away: string[] = []
  for (const [node, some] of await groupByNode(db, 'notification', userIds)) {
    if (!nodes.known.has(node) && (await reaches(some))) continue
    nodes.known.add(node)
    away.push(...some)
  }
  return away
}
