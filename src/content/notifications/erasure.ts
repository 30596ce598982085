// The erasure of an account's inbox, of what it follows and its followers, and of its name in the inboxes of others. What it removed
// disappears from their inboxes by itself (delivery.ts).
import type { Db } from '../../database/schema.ts'
import { ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import * as queries from './erasure-queries.ts'
import { deleteFollows } from './event-queries.ts'

const step = (
  name: string,
  clears: readonly string[],
  clear: (db: Db, id: string, limit: number) => Promise<number>,
): ErasureStep => ({
  name,
  part: 'account',
  clears,
  erase: async ({ db }, { id }) => (await clear(db, id, ERASURE_BATCH)) === ERASURE_BATCH,
})

export const notificationErasure: readonly ErasureStep[] = [
  {
    name: 'events',
    part: 'account',
    clears: ['event.actorId'],
    async erase({ db }, { id: userId, content }) {
      const cleared = await queries.clearActors(db, { userId, withWords: content === 'delete' }, ERASURE_BATCH)
      return cleared === ERASURE_BATCH
    },
  },
  step('replies-told', ['event.repliedTo'], queries.clearRepliedTo),
  step('events-of-the-account', ['event.targetId'], queries.deleteEventsOf),
  step('notifications', ['notification.userId'], queries.deleteNotificationsTo),
  step('inbox', ['inbox.userId'], queries.deleteInbox),
  step('follows', ['follow.userId'], queries.deleteFollowsOf),
  step('followers', ['follow.targetId'], deleteFollows),
]
