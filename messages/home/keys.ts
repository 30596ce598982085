// The messages of the area home, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface HomeMessages {
  'home.description': Message
  'home.welcomeBack': Message
  'home.welcomeBackName': Message<{ name: string | number }>
  'home.waiting': Message
  'home.allUnread': Message<{ count: string | number }>
  'home.cases': Message<{ count: number }>
  'home.moderation': Message
  'home.moreToDecide': Message<{ count: number }>
  'home.followed': Message
  'home.following': Message
  'home.fresh': Message
  'home.lastVisit': Message<None, 'when'>
  'home.viewAll': Message<{ count: string | number }>
  'home.viewMore': Message<{ count: string | number }>
  'home.nothingNew': Message
  'home.trending': Message
  'home.viewFeed': Message
  'home.emptyFeed': Message
  'home.noPosts': Message
  'home.firstPost': Message
  'home.aside': Message
  'home.own': Message
  'home.ownScore': Message<{ count: number; kind: string | number }>
  'home.ownNone': Message<None, 'write'>
  'home.items': Message
  'home.itemsNone': Message<None, 'publish'>
  'home.people': Message
  'home.allMembers': Message
  'home.hero': Message
  'home.heroText': Message
  'home.join': Message
  'home.browse': Message
  'home.connect': Message
  'home.copyCommand': Message
  'home.mostVoted': Message
  'home.numbers': Message
  'home.fact.members': Message<{ shown: string | number; number: number }, 'count'>
  'home.fact.items': Message<{ shown: string | number; number: number }, 'count'>
  'home.fact.orgs': Message<{ shown: string | number; number: number }, 'count'>
  'home.fact.bugs': Message<{ shown: string | number; number: number }, 'count'>
  'home.fact.features': Message<{ shown: string | number; number: number }, 'count'>
  'home.orgChart': Message<{ name: string | number }>
  'home.galleryOrg': Message<None, 'all'>
  'home.aMember': Message
  'home.news.mention': Message<{ by: string | number; what: string | number }>
  'home.news.reply': Message<{ by: string | number; what: string | number }>
  'home.news.comment': Message<{ by: string | number; what: string | number }>
  'home.news.status': Message<{ by: string | number; what: string | number }>
  'home.news.version': Message<{ by: string | number; what: string | number }>
  'home.news.notice': Message<{ what: string | number }>
  'home.news.release': Message<{ by: string | number; what: string | number }>
  'home.news.posted': Message<{ by: string | number; what: string | number }>
  'home.news.invitation': Message<{ by: string | number; what: string | number }>
  'home.news.accepted': Message<{ by: string | number; what: string | number }>
  'home.news.tookOver': Message<{ by: string | number; what: string | number }>
  'home.news.changedRole': Message<{ by: string | number; what: string | number }>
  'home.news.solved': Message<{ by: string | number; what: string | number }>
  'home.news.assigned': Message<{ by: string | number; what: string | number }>
  'home.news.removed': Message<{ by: string | number; what: string | number }>
  'home.news.withdrew': Message<{ by: string | number; what: string | number }>
  'home.news.merged': Message<{ by: string | number; what: string | number }>
  'home.news.unmerged': Message<{ by: string | number; what: string | number }>
  'home.news.yanked': Message<{ by: string | number; what: string | number }>
  'home.news.deprecated': Message<{ by: string | number; what: string | number }>
  'home.news.approval': Message<{ what: string | number }>
  'home.yours': Message<{ kind: string | number }>
  'home.pending.invitation': Message<{ by: string | number; title: string | number }>
  'home.pending.approval': Message<{ title: string | number }>
  'home.pending.other': Message<{ title: string | number }>
  'home.news.suggestion_accepted': Message<{ by: string | number; what: string | number }>
  'home.news.suggestion_refused': Message<{ by: string | number; what: string | number }>
  'home.news.report': Message
}
