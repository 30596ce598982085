// The messages of the area moderation, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface ModerationMessages {
  'moderation.report.this': Message<{ type: 'bug' | 'feature' | 'post' | 'org' | 'run' | 'release' | 'item' | 'team' | 'comment' | 'user' | string }>
  'moderation.report.thanks': Message
  'moderation.report.back': Message
  'moderation.report.help': Message
  'moderation.report.wrong': Message
  'moderation.report.more': Message
  'moderation.state.draft': Message
  'moderation.state.held': Message
  'moderation.state.hidden': Message
  'moderation.state.removed': Message
  'moderation.state.blocked': Message
  'moderation.rule.spam': Message
  'moderation.rule.abuse': Message
  'moderation.rule.illegal': Message
  'moderation.rule.malware': Message
  'moderation.rule.privacy': Message
  'moderation.rule.off_topic': Message
  'moderation.rule.other': Message
  'moderation.action.hide': Message
  'moderation.action.delete': Message
  'moderation.action.warn': Message
  'moderation.action.block': Message
  'moderation.action.remove_all': Message
  'moderation.action.approve': Message
  'moderation.action.dismiss': Message
  'moderation.action.unblock': Message
  'moderation.action.undo': Message
  'moderation.decision.dismiss': Message
  'moderation.decision.approve': Message
  'moderation.decision.hide': Message
  'moderation.decision.delete': Message
  'moderation.decision.warn': Message
  'moderation.decision.block': Message
  'moderation.decision.remove_all': Message
  'moderation.type.bug': Message
  'moderation.type.feature': Message
  'moderation.type.post': Message
  'moderation.type.org': Message
  'moderation.type.run': Message
  'moderation.type.release': Message
  'moderation.type.item': Message
  'moderation.type.team': Message
  'moderation.type.comment': Message
  'moderation.type.user': Message
  'moderation.aThing': Message<{ type: 'bug' | 'feature' | 'post' | 'org' | 'run' | 'release' | 'item' | 'team' | 'comment' | 'user' | string }>
  'moderation.yourThing': Message<{ type: 'bug' | 'feature' | 'post' | 'org' | 'run' | 'release' | 'item' | 'team' | 'comment' | 'user' | string }>
  'moderation.acted': Message<{ action: string | number; what: string | number }>
  'moderation.log': Message
  'moderation.log.description': Message
  'moderation.log.about': Message
  'moderation.undone': Message
  'moderation.appeal.state': Message<{ state: 'granted' | 'refused' | string }>
  'moderation.log.none': Message
  'moderation.log.noneHelp': Message
  'moderation.appeal.waits': Message
  'moderation.notices': Message
  'moderation.notices.title': Message
  'moderation.notices.none': Message
  'moderation.notices.help': Message
  'moderation.notice': Message
  'moderation.notice.title': Message
  'moderation.undoneWhen': Message<None, 'when'>
  'moderation.appeal.yours': Message
  'moderation.appeal.decides': Message
  'moderation.appeal.granted': Message
  'moderation.appeal.refused': Message
  'moderation.appeal': Message
  'moderation.appeal.help': Message
  'moderation.appeal.why': Message
  'moderation.appeal.send': Message
  'moderation.appeal.block': Message
  'moderation.appeal.sent': Message
  'moderation.appeal.blockHelp': Message
  'moderation.cases.open': Message<{ count: string | number }>
  'moderation.cases.decided': Message
  'moderation.cases': Message
  'moderation.reportCount': Message<{ count: number }>
  'moderation.deleted': Message
  'moderation.cases.held': Message
  'moderation.appealCount': Message<{ count: number }>
  'moderation.actedBy': Message<{ action: string | number; by: string | number }>
  'moderation.cases.none': Message
  'moderation.cases.noneDecided': Message
  'moderation.cases.help': Message
  'moderation.case': Message
  'moderation.case.waitsFor.others': Message
  'moderation.case.waitsFor.nobody': Message
  'moderation.case.machine': Message<{ verdict: 'spam' | string; percent: 'none' | string }>
  'moderation.case.author': Message
  'moderation.case.joined': Message<None, 'when'>
  'moderation.case.verified': Message
  'moderation.case.notVerified': Message
  'moderation.case.things': Message<{ count: number; shown: string | number }>
  'moderation.case.blocked': Message<None, 'when'>
  'moderation.case.nothing': Message
  'moderation.case.removal': Message<{ done: string | number; total: string | number; state: 'done' | string }>
  'moderation.case.reports': Message
  'moderation.case.evidence': Message
  'moderation.decide': Message
  'moderation.decide.decision': Message
  'moderation.decide.rule': Message
  'moderation.decide.reason': Message
  'moderation.decide.emptyApprove': Message
  'moderation.decide.emptyDismiss': Message
  'moderation.case.acts': Message
  'moderation.appeal.text': Message<{ text: string | number }>
  'moderation.appeal.decision': Message
  'moderation.appeal.refuse': Message
  'moderation.appeal.grant': Message
  'moderation.appeal.reason': Message
  'moderation.appeal.decide': Message
  'moderation.appeal.isGranted': Message
  'moderation.appeal.isRefused': Message
  'moderation.undo': Message
  'moderation.undo.it': Message
  'moderation.undo.help': Message
  'moderation.mine': Message
  'moderation.mine.none': Message
  'moderation.mine.help': Message
  'moderation.mine.state': Message<{ state: 'waiting' | 'acted' | string }>
  'moderation.mine.reported': Message<None, 'when'>
  'moderation.mine.decided': Message<None, 'when'>
  'moderation.mine.undone': Message
  'moderation.filter.reason': Message
  'moderation.filter.type': Message
  'moderation.filter.board': Message
  'moderation.filter.from': Message
  'moderation.filter.agent': Message
  'moderation.from.members': Message
  'moderation.from.automatic': Message
  'moderation.from.appeal': Message
  'moderation.cases.noneFiltered': Message
}
