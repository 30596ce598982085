// The messages of the area community, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface CommunityMessages {
  'community.importedFrom': Message<{ name: string | number }>
  'community.feed.kind': Message
  'community.latest': Message
  'community.popular': Message
  'community.active': Message
  'community.new': Message
  'community.feed.of': Message<{ kind: string | number }>
  'community.feed.description': Message
  'community.order': Message
  'community.view': Message
  'community.view.texts': Message
  'community.view.titles': Message
  'community.feed.entries': Message<{ count: number; shown: string | number }>
  'community.noPage': Message
  'community.feed.fewer': Message
  'community.feed.first': Message
  'community.feed.none': Message<{ kind: 'post' | 'bug' | 'feature' | 'org' | 'release' | 'workflow' | 'automation' | string }>
  'community.feed.nothing': Message
  'community.feed.appear': Message
  'community.total': Message<{ kind: 'bug' | 'feature' | 'post' | 'release' | 'org' | string; count: number; shown: string | number }>
  'community.drafts': Message
  'community.drafts.seen': Message
  'community.notFound': Message<{ kind: 'post' | 'bug' | 'feature' | 'release' | string }>
  'community.noMatch': Message<{ kind: 'post' | 'bug' | 'feature' | 'release' | string }>
  'community.comment.on': Message<{ author: string | number; title: string | number }>
  'community.edited': Message
  'community.release.version': Message<{ version: string | number }>
  'community.release.date': Message<{ day: string | number }>
  'community.edit': Message
  'community.close': Message<{ word: string | number }>
  'community.reopen': Message<{ word: string | number }>
  'community.delete': Message<{ word: string | number }>
  'community.delete.warning': Message<{ word: string | number }>
  'community.delete.votes': Message<{ word: string | number }>
  'community.decide.reason': Message
  'community.save': Message
  'community.merge.into': Message<{ kind: 'post' | 'bug' | 'feature' | string }>
  'community.merge.number': Message
  'community.merge.reason': Message
  'community.merge': Message
  'community.merge.help': Message
  'community.summary': Message
  'community.summary.ask': Message
  'community.machine.mark': Message
  'community.triage.ask': Message
  'community.triage.suggested': Message
  'community.triage.none': Message
  'community.triage.label': Message<{ name: string | number }>
  'community.triage.severity': Message<{ severity: string | number }>
  'community.answer.ask': Message
  'community.answer.suggested': Message
  'community.answer.sources': Message
  'community.answer.take': Message
  'community.translation': Message
  'community.translation.ask': Message
  'community.status.newer': Message
  'community.status.older': Message
  'community.edit.refused': Message
  'community.edit.of': Message<{ title: string | number }>
  'community.edit.draft': Message
  'community.edit.public': Message
  'community.about': Message
  'community.about.item': Message
  'community.about.itemHelp': Message
  'community.about.version': Message
  'community.about.versionHelp': Message
  'community.about.is': Message<{ name: string | number; version: string | number }>
  'community.edits.comment': Message<{ author: string | number }>
  'community.edits.theComment': Message
  'community.edits': Message
  'community.edits.of': Message<{ title: string | number }>
  'community.edits.text': Message
  'community.edits.noMore': Message
  'community.edits.never': Message
  'community.new.moderators': Message
  'community.similar': Message
  'community.similar.help': Message<{ kind: 'post' | 'bug' | 'feature' | 'release' | string }>
  'community.similar.facts': Message<{ number: string | number; score: string | number; comments: string | number }>
  'community.similar.machine': Message
  'community.agent.none': Message
  'community.agent.title': Message<{ name: string | number }>
  'community.agent.description': Message<{ name: string | number }>
  'community.agent': Message
  'community.agent.operator': Message
  'community.agent.document': Message<{ host: string | number }>
  'community.agent.script': Message
  'community.agent.self': Message
  'community.agent.for': Message
  'community.agent.clientId': Message
  'community.agent.wrote': Message
  'community.on': Message<{ title: string | number }>
  'community.noMore': Message
  'community.older': Message
  'community.members.search': Message<{ q: string | number }>
  'community.members.description': Message
  'community.members.find': Message
  'community.members.name': Message
  'community.members.found': Message<{ count: number; shown: string | number }>
  'community.members.total': Message<{ count: number; shown: string | number }>
  'community.contributions': Message<{ count: number; shown: string | number }>
  'community.members.since': Message<{ day: string | number }>
  'community.members.fewer': Message
  'community.firstPage': Message
  'community.members.none': Message
  'community.members.noMatch': Message<{ q: string | number }>
  'community.members.all': Message
  'community.members.empty': Message
  'community.members.emptyHelp': Message
  'community.roadmap.description': Message
  'community.roadmap.about': Message<None, 'requests'>
  'community.atom': Message
  'community.calendar': Message
  'community.roadmap.none': Message<{ status: 'open' | 'planned' | string }>
  'community.roadmap.all': Message<{ total: string | number }>
  'community.totalWith': Message<{ total: string | number; q: string | number }>
  'community.saved': Message
  'community.saved.menu': Message
  'community.saved.remove': Message<{ name: string | number }>
  'community.remove': Message
  'community.saved.save': Message
  'community.saved.placeholder': Message
  'community.saved.shared': Message<{ board: string | number }>
  'community.saved.share': Message<{ board: string | number }>
  'community.saved.unshare': Message<{ name: string | number }>
  'community.many.title': Message
  'community.many.help': Message<{ most: string | number }>
  'community.many.select': Message<{ title: string | number }>
  'community.many.choose': Message
  'community.many.addLabel': Message
  'community.many.removeLabel': Message
  'community.many.merge': Message
  'community.many.into': Message
  'community.many.apply': Message
  'community.many.none': Message
  'community.many.most': Message<{ most: string | number }>
  'community.many.what': Message
  'community.many.done': Message<{ done: string | number; all: string | number }>
  'community.many.failed': Message
  'community.facets.all': Message
  'community.facets.remove': Message<{ name: string | number; value: string | number }>
  'community.newer': Message<{ label: string | number }>
  'community.newer.help': Message<{ label: string | number }>
  'community.report': Message
  'community.label.remove': Message<{ name: string | number }>
  'community.label.choose': Message
  'community.label.add': Message
  'community.label.kinds': Message
  'community.unfollow': Message
  'community.mute.help': Message
  'community.mute': Message
  'community.unmute': Message
  'community.follow': Message
  'community.embed.card': Message<{ title: string | number }>
  'community.embed.copy': Message
  'community.merged': Message
  'community.merged.byServer': Message
  'community.merged.by': Message
  'community.merged.undo': Message
  'community.merged.reason': Message
  'community.merged.undoIt': Message
  'community.merged.undoOf': Message<{ number: string | number }>
  'community.merged.warning': Message<None, 'when'>
  'community.newer.page': Message
  'community.sort.oldest': Message
  'community.sort.newest': Message
  'community.sort.popular': Message
  'community.react.add': Message
  'community.react.takeBack': Message<{ word: string | number }>
  'community.comment.text': Message
  'community.cancel': Message
  'community.reply': Message
  'community.quote': Message
  'community.comment.delete.short': Message
  'community.comment.delete': Message
  'community.comment.delete.warning': Message
  'community.comment.delete.own': Message
  'community.comments.none': Message
  'community.comments.all': Message
  'community.comments.order': Message
  'community.replies': Message
  'community.replies.all': Message<{ count: string | number }>
  'community.comments.noMore': Message
  'community.replyTo': Message<None, 'author'>
  'community.replyTo.not': Message
  'community.comment.yours': Message
  'community.comment.help': Message
  'community.comment.submit': Message
  'community.comment.signIn': Message<None, 'link'>
  'community.comment.gone': Message
  'community.vote.unknown': Message
  'community.react.unknown': Message
  'community.preview.signIn': Message
  'community.preview.long': Message
  'community.changed': Message
  'community.suggestions': Message
  'community.suggestion.change': Message<{ name: string | number; value: string | number }>
  'community.suggestion.sure': Message<{ percent: string | number }>
  'community.suggestion.reason': Message
  'community.suggestion.accept': Message
  'community.suggestion.refuse': Message
  'community.thread.pinned': Message
  'community.thread.locked': Message
  'community.thread.solved': Message
  'community.thread.due': Message<{ day: string | number }>
  'community.thread.assigned': Message
  'community.thread.solution': Message
  'community.thread.solution.read': Message
  'community.thread.locked.member': Message
  'community.thread.locked.moderator': Message
  'community.thread.controls': Message
  'community.thread.reason': Message
  'community.thread.pin': Message
  'community.thread.unpin': Message
  'community.thread.lock': Message
  'community.thread.unlock': Message
  'community.thread.solve': Message
  'community.thread.unsolve': Message
  'community.thread.assign': Message
  'community.thread.assign.to': Message
  'community.thread.unassign': Message<{ name: string | number }>
  'community.thread.setDue': Message
  'community.thread.setDue.help': Message
  'community.thread.did.pinned': Message
  'community.thread.did.unpinned': Message
  'community.thread.did.locked': Message
  'community.thread.did.unlocked': Message
  'community.thread.did.solved': Message
  'community.thread.did.unsolved': Message
  'community.thread.did.assigned': Message<{ name: string | number }>
  'community.thread.did.unassigned': Message<{ name: string | number }>
  'community.thread.did.due': Message<{ day: string | number }>
  'community.thread.did.undue': Message
  'community.work.title': Message
  'community.work.about': Message
  'community.work.none': Message
  'community.work.noneHelp': Message
  'community.work.overdue': Message<{ day: string | number }>
  'community.board.word': Message
  'community.board.many': Message
  'community.board.closed': Message
  'community.board.archived': Message
  'community.board.move': Message
  'community.board.move.do': Message
  'community.board.move.help': Message
  'community.board.confirm': Message
  'community.thread.facts': Message
  'community.thread.dueOn': Message
  'community.thread.uses': Message
  'community.thread.number': Message<{ title: string | number; kind: string | number; number: string | number }>
  'community.thread.bookmark': Message
  'community.thread.unbookmark': Message
  'community.thread.newSince': Message
  'community.thread.more': Message<{ author: string | number }>
  'community.thread.did.status': Message<None, 'from' | 'to'>
  'community.thread.did.edited': Message
  'community.thread.did.labelled': Message<None, 'label'>
  'community.thread.did.unlabelled': Message<None, 'label'>
  'community.thread.did.merged': Message<{ number: string | number; title: string | number }>
  'community.thread.did.referenced': Message<None, 'thing'>
  'community.thread.did.suggested': Message<{ what: string | number }>
  'community.thread.did.accepted': Message<None, 'who'>
  'community.thread.did.refused': Message<None, 'who'>
  'community.thread.labels': Message
  'community.share': Message
  'community.share.link': Message
  'community.bookmarks': Message
  'community.bookmarks.none': Message
  'community.bookmarks.hint': Message
}
