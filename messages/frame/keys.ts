// The messages of the area frame, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface FrameMessages {
  'frame.skip': Message
  'frame.menu': Message
  'frame.searchEverything': Message
  'frame.search': Message
  'frame.notifications': Message
  'frame.noneUnread': Message
  'frame.unread': Message
  'frame.signIn': Message
  'frame.join': Message
  'frame.about': Message
  'frame.docs': Message
  'frame.poweredBy': Message
  'frame.ownLinks': Message
  'frame.keys': Message
  'frame.privacy': Message
  'frame.terms': Message
  'frame.moderationLog': Message
  'frame.theme': Message
  'frame.themeSystem': Message
  'frame.themeLight': Message
  'frame.themeDark': Message
  'frame.language': Message
  'frame.sections': Message
  'frame.community': Message
  'frame.home': Message
  'frame.feed': Message
  'frame.roadmap': Message
  'frame.members': Message
  'frame.blog': Message
  'frame.library': Message
  'frame.everything': Message
  'frame.administration': Message
  'frame.cases': Message
  'frame.more': Message
  'frame.new': Message
  'frame.uploadOrg': Message
  'frame.publishItem': Message
  'frame.yourProfile': Message
  'frame.chooseUsername': Message
  'frame.yourItems': Message
  'frame.following': Message
  'frame.apps': Message
  'frame.settings': Message
  'frame.yourMenu': Message
  'frame.yourMenuOf': Message<{ username: string | number }>
  'frame.you': Message
  'frame.signOut': Message
  'frame.errorIn': Message<{ title: string | number }>
  'frame.keys.title': Message
  'frame.keys.description': Message
  'frame.keys.intro': Message
  'frame.keys.palette': Message<None, 'keys'>
  'frame.keys.goTo': Message
  'frame.keys.noScript': Message
  'frame.keys.turnOff': Message
  'frame.keys.next': Message
  'frame.keys.previous': Message
  'frame.keys.open': Message
  'frame.keys.select': Message
  'frame.keys.search': Message
  'frame.keys.list': Message
  'frame.posts': Message
  'frame.bugs': Message
  'frame.features': Message
  'frame.orgs': Message
  'frame.inbox': Message
  'frame.myWork': Message
}
