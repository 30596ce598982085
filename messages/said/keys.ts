// The messages of the area said, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface SaidMessages {
  'said.closed': Message
  'said.reopened': Message
  'said.locked': Message
  'said.unlocked': Message
  'said.pinned': Message
  'said.unpinned': Message
  'said.bookmarked': Message
  'said.unbookmarked': Message
  'said.labelAdded': Message
  'said.labelRemoved': Message
  'said.decided': Message
  'said.assigned': Message
  'said.unassigned': Message
  'said.due': Message
  'said.solved': Message
  'said.unsolved': Message
  'said.moved': Message
  'said.merged': Message
  'said.unmerged': Message
  'said.published': Message
  'said.deleted': Message
  'said.commentDeleted': Message
  'said.edited': Message
  'said.accepted': Message
  'said.declined': Message
  'said.followed': Message
  'said.muted': Message
  'said.unfollowed': Message
  'said.read': Message
  'said.unread': Message
  'said.allRead': Message
  'said.filterSaved': Message
  'said.filterRemoved': Message
  'said.invited': Message
  'said.invitationEnded': Message
  'said.invitationDeclined': Message
  'said.roleSaved': Message
  'said.removed': Message
  'said.left': Message
  'said.handedOver': Message
  'said.addressSaved': Message
  'said.joined': Message
  'said.caseDecided': Message
  'said.decisionUndone': Message
  'said.appealGranted': Message
  'said.appealDenied': Message
  'said.appealSent': Message
  'said.disconnected': Message
  'said.passkeySaved': Message
  'said.passkeyRemoved': Message
  'said.proofRemoved': Message
  'said.undo': Message
  'said.dismiss': Message
  'said.undo.of': Message<{ act: string | number }>
}
