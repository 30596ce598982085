// The erasure of an account's inbox, of what it follows and its followers, and of its name in the inboxes of others: some rows at a time, each
// query gives how many there were. What it removed disappears from their inboxes by itself (delivery.ts).
import { sql } from 'kysely'
import { countChanged } from '../../database/engine.ts'
import type { Db } from '../../database/schema.ts'
import { clearing, ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import { deleteFollows } from './event-queries.ts'
import { deleteNotificationsTo } from './removing-queries.ts'

/** Events of the account lose its name, and its words if those are deleted. */
export function clearActors(
  db: Db,
  { userId, withWords }: { userId: string; withWords: boolean },
  limit: number,
): Promise<number> {
  const some = db.selectFrom('event').select('id').where('actorId', '=', userId).orderBy('id').limit(limit)
  const changes = { actorId: null, ...(withWords && { excerpt: '' }) }
  return countChanged(db.updateTable('event').set(changes).where('id', 'in', some))
}

/** Events for the account lose its name. Notices have the title of what it wrote, and lose that too. */
export function clearRepliedTo(db: Db, userId: string, limit: number): Promise<number> {
  const some = db.selectFrom('event').select('id').where('repliedTo', '=', userId).orderBy('id').limit(limit)
  const title = sql<string>`case when kind = 'notice' then '' else title end`
  return countChanged(db.updateTable('event').set({ repliedTo: null, title }).where('id', 'in', some))
}

/** Events about the account itself, such as a block: no inbox has them. */
export function deleteEventsOf(db: Db, userId: string, limit: number): Promise<number> {
  const some = db.selectFrom('event').select('id').where('targetId', '=', userId).orderBy('id').limit(limit)
  return countChanged(db.deleteFrom('event').where('id', 'in', some))
}

export function deleteTakenFrom(db: Db, userId: string, limit: number): Promise<number> {
  const some = db.selectFrom('takenNotification').select('eventId').where('userId', '=', userId).limit(limit)
  return countChanged(db.deleteFrom('takenNotification').where('userId', '=', userId).where('eventId', 'in', some))
}

export const deleteInbox = (db: Db, userId: string): Promise<number> =>
  countChanged(db.deleteFrom('inbox').where('userId', '=', userId))

export function deleteFollowsOf(db: Db, userId: string, limit: number): Promise<number> {
  const some = db.selectFrom('follow').select('targetId').where('userId', '=', userId).orderBy('targetId').limit(limit)
  return countChanged(db.deleteFrom('follow').where('userId', '=', userId).where('targetId', 'in', some))
}

/** Events of a thing lose its title. */
export async function forgetTitle(db: Db, targetId: string, title: string): Promise<void> {
  await db.updateTable('event').set({ title }).where('targetId', '=', targetId).execute()
}

/** Events of a merge lose the title of the merged thing. */
export async function forgetMergedTitle(
  db: Db,
  merged: { targetId: string; number: number; title: string },
  title: string,
): Promise<void> {
  const { targetId, number } = merged
  const detail = (title: string) => JSON.stringify({ merged: { number, title } })
  await db
    .updateTable('event')
    .set({ detail: detail(title) })
    .where('targetId', '=', targetId)
    .where('kind', '=', 'merged')
    .where('detail', '=', detail(merged.title))
    .execute()
  // Earlier events of it belong to its target now.
  const moved = db.updateTable('event').set({ title }).where('targetId', '=', targetId)
  await moved.where('title', '=', merged.title).execute()
}

export const notificationErasure: readonly ErasureStep[] = [
  {
    name: 'events',
    part: 'account',
    clears: ['event.actorId'],
    async erase({ db }, { id: userId, content }) {
      const cleared = await clearActors(db, { userId, withWords: content === 'delete' }, ERASURE_BATCH)
      return cleared === ERASURE_BATCH
    },
  },
  clearing('replies-told', ['event.repliedTo'], clearRepliedTo),
  clearing('events-of-the-account', ['event.targetId'], deleteEventsOf),
  clearing('notifications', ['notification.userId'], deleteNotificationsTo),
  clearing('taken-notifications', ['takenNotification.userId'], deleteTakenFrom),
  clearing('inbox', ['inbox.userId'], deleteInbox),
  clearing('follows', ['follow.userId'], deleteFollowsOf),
  clearing('followers', ['follow.targetId'], deleteFollows),
]
