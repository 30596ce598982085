// The messages of the area mails, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface MailsMessages {
  'mails.code.sign-in.subject': Message
  'mails.code.sign-in.lead': Message
  'mails.code.verify-email.subject': Message
  'mails.code.verify-email.lead': Message
  'mails.code.reset-password.subject': Message
  'mails.code.reset-password.lead': Message
  'mails.code.change-email.subject': Message
  'mails.code.change-email.lead': Message
  'mails.code.reauthenticate.subject': Message
  'mails.code.reauthenticate.lead': Message
  'mails.code.set-up.subject': Message
  'mails.code.set-up.lead': Message
  'mails.code.body': Message<{ lead: string | number; code: string | number }>
  'mails.claim.subject': Message
  'mails.claim.body': Message<{ name: string | number; allowed: string | number; code: string | number }>
  'mails.notYou': Message<{ baseUrl: string | number }>
  'mails.password.subject': Message
  'mails.password.body': Message<{ baseUrl: string | number; notYou: string | number }>
  'mails.passkey.subject': Message
  'mails.passkey.body': Message<{ baseUrl: string | number }>
  'mails.invitation.subject': Message
  'mails.invitation.body': Message<{ baseUrl: string | number; day: string | number }>
  'mails.workload.subject': Message
  'mails.workload.body': Message<{ baseUrl: string | number; name: string | number; issuer: string | number; subject: string | number; allowed: string | number }>
  'mails.token.subject': Message
  'mails.token.body': Message<{ baseUrl: string | number; name: string | number; day: string | number; allowed: string | number }>
  'mails.external.subject': Message
  'mails.external.body': Message<{ name: string | number; baseUrl: string | number }>
  'mails.role.subject': Message
  'mails.role.body': Message<{ baseUrl: string | number; to: string | number; from: string | number }>
  'mails.role.member': Message
  'mails.role.moderator': Message
  'mails.role.admin': Message
  'mails.browser.subject': Message
  'mails.browser.body': Message<{ baseUrl: string | number; device: string | number; time: string | number; address: string | number; notYou: string | number }>
  'mails.browser.unknown': Message
  'mails.takeOver.subject': Message
  'mails.takeOver.body': Message<{ baseUrl: string | number; removed: string | number }>
  'mails.takeOver.password': Message
  'mails.takeOver.passkeys': Message<{ count: number }>
  'mails.takeOver.external': Message<{ count: number }>
  'mails.takeOver.programs': Message<{ count: number }>
  'mails.takeOver.sessions': Message<{ count: number }>
  'mails.takeOver.apps': Message<{ count: number }>
  'mails.takeOver.webhooks': Message<{ count: number }>
  'mails.takeOver.keys': Message<{ count: number }>
  'mails.takeOver.codes': Message
  'mails.seen': Message<{ name: string | number; device: string | number; network: string | number; time: string | number }>
  'mails.aProgram': Message
  'mails.reuse.subject': Message
  'mails.reuse.body': Message<{ baseUrl: string | number; seen: string | number }>
  'mails.newNetwork.subject': Message
  'mails.newNetwork.body': Message<{ baseUrl: string | number; seen: string | number }>
  'mails.reset.subject': Message
  'mails.reset.body': Message<{ baseUrl: string | number }>
  'mails.deletion.subject': Message
  'mails.deletion.byAdmin': Message<{ baseUrl: string | number }>
  'mails.deletion.reason': Message<{ reason: string | number }>
  'mails.deletion.own': Message<{ baseUrl: string | number }>
  'mails.deletion.adminNext': Message
  'mails.deletion.ownNext': Message<{ baseUrl: string | number }>
  'mails.deletion.delete': Message
  'mails.deletion.anonymise': Message
  'mails.deletion.body': Message<{ lead: string | number; day: string | number; consequences: string | number; next: string | number }>
  'mails.kept.subject': Message
  'mails.kept.body': Message<{ baseUrl: string | number }>
  'mails.erased.subject': Message
  'mails.erased.delete': Message
  'mails.erased.anonymise': Message
  'mails.erased.body': Message<{ baseUrl: string | number; consequences: string | number }>
  'mails.movedAway.subject': Message
  'mails.movedAway.body': Message<{ baseUrl: string | number; to: string | number; next: string | number }>
  'mails.movedAway.unverified': Message
  'mails.movedAway.undo': Message<{ link: string | number }>
  'mails.movedHere.subject': Message
  'mails.movedHere.body': Message<{ baseUrl: string | number; from: string | number }>
  'mails.undone.subject': Message
  'mails.undone.body': Message<{ baseUrl: string | number; from: string | number }>
  'mails.export.subject': Message
  'mails.export.body': Message<{ baseUrl: string | number; size: string | number; day: string | number }>
  'mails.exportFailed.subject': Message
  'mails.exportFailed.body': Message<{ baseUrl: string | number }>
  'mails.block.subject': Message
  'mails.block.reason': Message<{ reason: string | number }>
  'mails.block.body': Message<{ baseUrl: string | number; said: string | number; link: string | number }>
  'mails.webhook.subject': Message
  'mails.webhook.failing': Message
  'mails.webhook.gone': Message
  'mails.webhook.body': Message<{ baseUrl: string | number; url: string | number; cause: string | number; path: string | number }>
  'mails.html.open': Message<{ host: string | number }>
  'mails.html.sentBy': Message<{ host: string | number }, 'link'>
  'mails.told.thing': Message<{ title: string | number }>
  'mails.told.numbered': Message<{ title: string | number; number: string | number }>
  'mails.told.member': Message
  'mails.told.agent': Message
  'mails.told.notice': Message<{ title: string | number }>
  'mails.told.approval': Message<{ agent: string | number; title: string | number }>
  'mails.push.waits': Message
  'mails.told.mention': Message<{ by: string | number; thing: string | number }>
  'mails.told.reply': Message<{ by: string | number; thing: string | number }>
  'mails.told.comment': Message<{ by: string | number; thing: string | number }>
  'mails.told.status': Message<{ by: string | number; thing: string | number }>
  'mails.told.version': Message<{ by: string | number; thing: string | number }>
  'mails.told.release': Message<{ by: string | number; thing: string | number }>
  'mails.told.posted': Message<{ by: string | number; thing: string | number }>
  'mails.told.invitation': Message<{ by: string | number; thing: string | number }>
  'mails.told.yanked': Message<{ by: string | number; thing: string | number }>
  'mails.told.deprecated': Message<{ by: string | number; thing: string | number }>
  'mails.told.solved': Message<{ by: string | number; thing: string | number }>
  'mails.told.assigned': Message<{ by: string | number; thing: string | number }>
  'mails.told.merged': Message<{ by: string | number; thing: string | number }>
  'mails.told.unmerged': Message<{ by: string | number; thing: string | number }>
  'mails.told.invited.open.owner': Message<{ by: string | number; thing: string | number }>
  'mails.told.invited.open.maintainer': Message<{ by: string | number; thing: string | number }>
  'mails.told.invited.open.member': Message<{ by: string | number; thing: string | number }>
  'mails.told.invited.open.transfer': Message<{ by: string | number; thing: string | number }>
  'mails.told.invited.accepted.owner': Message<{ by: string | number; thing: string | number }>
  'mails.told.invited.accepted.maintainer': Message<{ by: string | number; thing: string | number }>
  'mails.told.invited.accepted.member': Message<{ by: string | number; thing: string | number }>
  'mails.told.invited.accepted.transfer': Message<{ by: string | number; thing: string | number }>
  'mails.told.invited.removed.owner': Message<{ by: string | number; thing: string | number }>
  'mails.told.invited.removed.maintainer': Message<{ by: string | number; thing: string | number }>
  'mails.told.invited.removed.member': Message<{ by: string | number; thing: string | number }>
  'mails.told.invited.removed.transfer': Message<{ by: string | number; thing: string | number }>
  'mails.fact.status': Message<{ from: 'open' | 'in_progress' | 'resolved' | 'wontfix' | 'planned' | 'shipped' | 'declined' | string; to: 'open' | 'in_progress' | 'resolved' | 'wontfix' | 'planned' | 'shipped' | 'declined' | string }>
  'mails.fact.version': Message<{ version: string | number }>
  'mails.fact.successor': Message<{ successor: string | number }>
  'mails.fact.merged': Message<{ title: string | number; number: string | number }>
  'mails.fact.unmerged': Message<{ title: string | number; number: string | number }>
  'mails.fact.release': Message<{ url: string | number }>
  'mails.fact.about': Message<{ thing: string | number; url: string | number }>
  'mails.fact.change': Message<{ name: string | number; from: string | number; to: string | number }>
  'mails.notices.count': Message<{ count: number }>
  'mails.notices.daily': Message<{ count: string | number }>
  'mails.notices.weekly': Message<{ count: string | number }>
  'mails.notices.more': Message<{ count: string | number; url: string | number }>
  'mails.notices.all': Message<{ url: string | number }>
  'mails.notices.above': Message
  'mails.notices.reply': Message
  'mails.notices.end': Message<{ settingsUrl: string | number; unsubscribeUrl: string | number }>
  'mails.key.subject': Message
  'mails.key.body': Message<{ baseUrl: string | number; name: string | number }>
  'mails.publisher.subject': Message
  'mails.publisher.body': Message<{ baseUrl: string | number; name: string | number; repository: string | number }>
  'mails.told.suggestion_accepted': Message<{ by: string | number; thing: string | number }>
  'mails.told.suggestion_refused': Message<{ by: string | number; thing: string | number }>
  'mails.guest.subject': Message
  'mails.guest.body': Message<{ baseUrl: string | number; url: string | number }>
  'mails.guest.daily': Message
  'mails.guest.more': Message<{ url: string | number }>
  'mails.guest.end': Message<{ unsubscribeUrl: string | number }>
  'mails.told.report.acted': Message
  'mails.told.report.dismissed': Message
}
