// The erasure of an account's inbox, of what it follows and its followers, and of its name in the inboxes of others. What it removed
// disappears from their inboxes by itself (delivery.ts).
import { clearing, ERASURE_BATCH, type ErasureStep } from '../../identity/erasure.ts'
import * as queries from './erasure-queries.ts'
import { deleteFollows } from './event-queries.ts'

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
  clearing('replies-told', ['event.repliedTo'], queries.clearRepliedTo),
  clearing('events-of-the-account', ['event.targetId'], queries.deleteEventsOf),
  clearing('notifications', ['notification.userId'], queries.deleteNotificationsTo),
  clearing('taken-notifications', ['takenNotification.userId'], queries.deleteTakenFrom),
  clearing('inbox', ['inbox.userId'], queries.deleteInbox),
  clearing('follows', ['follow.userId'], queries.deleteFollowsOf),
  clearing('followers', ['follow.targetId'], deleteFollows),
]
