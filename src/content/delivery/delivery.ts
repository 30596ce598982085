// Makes notifications of events, in the background: a batch of accounts a transaction, so that nothing waits for the followers of a
// popular thing. The place where an event stands is stored with each batch. A process that ends loses nothing, and others go on there.

import { isNodeAway, locksRows } from '../../database/engine.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { audienceOf } from '../notifications/audience.ts'
import * as queries from '../notifications/event-queries.ts'
import { RETURNING, WEBHOOKS_DONE } from '../notifications/rules.ts'
import { listWanting } from '../webhooks/queue.ts'
import { lockTold } from '../webhooks/told-queries.ts'
import { announceFirst, remove, removes } from './removing.ts'
import { followersOf, namedIn, newlyMentioned, tell, tellWebhooks } from './telling.ts'

export type DeliveryDependencies = Pick<Dependencies, 'db' | 'clock' | 'config'>

/** Whether a batch may add to the log of events, or wake webhooks. */
const isTold = ({ kind, place }: queries.DeliveredEvent): boolean => place === '' || removes.has(kind)

/**
 * Works on the oldest event that waits for its turn: one batch. Gives whether there was one. One that asks a node of the database that is away
 * gets a job of its own (returning.ts), and holds no other one up.
 */
export async function deliverBatch(dependencies: DeliveryDependencies): Promise<boolean> {
  const { db, clock, config } = dependencies
  let taken: queries.DeliveredEvent | undefined
  const batch = (holdsLog: boolean) =>
    db.transaction().execute(async (transaction) => {
      if (holdsLog) await lockTold(transaction)
      const event = await queries.takeEvent(transaction)
      taken = event
      if (!event) return false
      if (!holdsLog && isTold(event)) return undefined
      const now = timestamp(clock.now())
      if (removes.has(event.kind)) await remove(transaction, event, { now, config })
      else await tell(transaction, event, { now, config })
      return true
    })
  try {
    // The log comes before the event, which is taken once more for that. Batches of followers, who may be many, run beside each other without it.
    return (await batch(!locksRows(db))) ?? (await batch(true)) ?? true
  } catch (error) {
    if (!taken || !isNodeAway(error)) throw error
    await letWait(dependencies, taken.id)
    return true
  }
}

/** Lets an event wait for a node; webhooks and trackers do not wait with it. */
async function letWait({ db, clock, config }: DeliveryDependencies, id: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await lockTold(transaction)
    const event = await queries.takeOne(transaction, id)
    if (!event) return
    const context = { now: timestamp(clock.now()), config }
    if (removes.has(event.kind)) await announceFirst(transaction, event, context)
    else if (event.place === '' && !(await tellWebhooks(transaction, event, context))) return
    await queries.updateEvent(transaction, { id, place: `${RETURNING}${event.place || WEBHOOKS_DONE}` })
  })
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
    for (const { kind, userIds } of await namedIn(db, { event, audience })) {
      for (const id of kind === 'mention' ? await newlyMentioned(db, event, userIds) : userIds) told.add(id)
    }
    for (const id of await audience.among(await followersOf(db, event, MOST_FORETOLD))) told.add(id)
  }
  told.delete(act.by)
  return { notifications: told.size, webhooks }
}
