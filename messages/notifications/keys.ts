// The messages of the area notifications, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface NotificationsMessages {
  'notifications.did.mention': Message
  'notifications.did.reply': Message
  'notifications.did.comment': Message
  'notifications.did.status': Message
  'notifications.did.version': Message
  'notifications.did.notice': Message
  'notifications.did.release': Message
  'notifications.did.posted': Message
  'notifications.did.invitation': Message
  'notifications.did.approval': Message
  'notifications.did.merged': Message
  'notifications.did.unmerged': Message
  'notifications.did.yanked': Message
  'notifications.did.deprecated': Message
  'notifications.did.solved': Message
  'notifications.did.assigned': Message
  'notifications.invited.open.owner': Message
  'notifications.invited.open.maintainer': Message
  'notifications.invited.open.member': Message
  'notifications.invited.open.transfer': Message
  'notifications.invited.accepted.owner': Message
  'notifications.invited.accepted.maintainer': Message
  'notifications.invited.accepted.member': Message
  'notifications.invited.accepted.transfer': Message
  'notifications.invited.removed.owner': Message
  'notifications.invited.removed.maintainer': Message
  'notifications.invited.removed.member': Message
  'notifications.invited.removed.transfer': Message
  'notifications.fact.merged': Message<{ number: string | number; title: string | number }>
  'notifications.fact.unmerged': Message<{ number: string | number; title: string | number }>
  'notifications.fact.status': Message<{ from: string | number; to: string | number }>
  'notifications.fact.successor': Message<{ successor: string | number }>
  'notifications.title': Message
  'notifications.markAll': Message
  'notifications.markOne': Message<{ title: string | number }>
  'notifications.mark': Message
  'notifications.unread': Message
  'notifications.anAgent': Message
  'notifications.nothingUnread': Message
  'notifications.none': Message
  'notifications.about': Message
  'notifications.show.all': Message
  'notifications.show.members': Message
  'notifications.show.things': Message
  'notifications.show.muted': Message
  'notifications.what': Message
  'notifications.mutedWhen': Message<None, 'when'>
  'notifications.followedWhen': Message<None, 'when'>
  'notifications.noMuted': Message
  'notifications.noMutedHelp': Message
  'notifications.noFollowed': Message
  'notifications.noFollowedHelp': Message
  'notifications.unreadCount': Message<{ count: string | number }>
  'notifications.did.suggestion_accepted': Message
  'notifications.did.suggestion_refused': Message
  'notifications.markUnread': Message
  'notifications.markUnreadOne': Message<{ title: string | number }>
  'notifications.unreadOf': Message<{ count: number }>
  'notifications.moreLines': Message<{ count: number }>
  'notifications.allOf': Message<{ count: string | number }>
  'notifications.allOfOne': Message<{ title: string | number }>
  'notifications.whole': Message
  'notifications.markThing': Message<{ title: string | number }>
  'notifications.did.report': Message
  'notifications.reported.acted': Message
  'notifications.reported.dismissed': Message
  'notifications.yourReport': Message<{ type: 'bug' | 'feature' | 'post' | 'org' | 'run' | 'release' | 'item' | 'team' | 'comment' | 'user' | string }>
}
