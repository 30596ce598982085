// The messages of the area settings, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface SettingsMessages {
  'settings.tab.profile': Message
  'settings.tab.security': Message
  'settings.apps': Message
  'settings.approvals': Message
  'settings.trackers': Message
  'settings.trackers.about': Message<None, 'link'>
  'settings.trackers.linked': Message<{ login: string | number; service: string | number }>
  'settings.trackers.notLinked': Message<{ service: string | number }>
  'settings.trackers.place': Message<{ name: string | number; people: string | number }>
  'settings.trackers.placeNone': Message<{ name: string | number }>
  'settings.trackers.login': Message<{ service: string | number }>
  'settings.trackers.ask': Message
  'settings.trackers.write': Message<{ login: string | number; service: string | number }>
  'settings.trackers.copy': Message
  'settings.trackers.waiting': Message<{ login: string | number }>
  'settings.trackers.forget': Message
  'settings.trackers.endOf': Message<{ service: string | number }>
  'settings.trackers.none': Message
  'settings.trackers.noneHelp': Message
  'settings.chat': Message
  'settings.chat.asked': Message
  'settings.chat.who': Message<{ name: string | number; service: string | number }>
  'settings.chat.only': Message
  'settings.chat.confirm': Message
  'settings.chat.tooOld': Message
  'settings.chat.about': Message
  'settings.chat.since': Message
  'settings.chat.end': Message
  'settings.chat.endOf': Message<{ name: string | number }>
  'settings.chat.none': Message
  'settings.chat.how': Message
  'settings.chat.slack': Message
  'settings.chat.discord': Message
  'settings.tab.tokens': Message
  'settings.data': Message
  'settings.notVerified': Message<None, 'verify'>
  'settings.title': Message
  'settings.usernameAndPicture': Message
  'settings.usernameNow': Message<{ username: string | number }>
  'settings.usernameHelp': Message
  'settings.usernameFirst': Message
  'settings.usernameChange': Message
  'settings.usernameChoose': Message
  'settings.profileView': Message
  'settings.pictureDone': Message
  'settings.profilePublic': Message
  'settings.taglineHelp': Message
  'settings.job': Message
  'settings.company': Message
  'settings.tagsHelp': Message
  'settings.website': Message
  'settings.websiteHelp': Message
  'settings.twitter': Message
  'settings.example': Message<{ example: string | number }>
  'settings.profileSave': Message
  'settings.storage': Message
  'settings.storageUsed': Message<{ used: string | number }>
  'settings.storageOf': Message<{ used: string | number; limit: string | number }>
  'settings.storageData': Message
  'settings.storageVerify': Message<None, 'verify'>
  'settings.pictureChange': Message
  'settings.picture': Message
  'settings.pictureHelp': Message
  'settings.ended': Message<{ name: string | number }>
  'settings.endedAll': Message
  'settings.stopped': Message<{ name: string | number; day: string | number; network: string | number }>
  'settings.apps.about': Message
  'settings.revoke': Message
  'settings.revokeAccess': Message
  'settings.revokeAccessOf': Message<{ name: string | number }>
  'settings.revokeHelp': Message<{ name: string | number }>
  'settings.handedOn': Message<{ count: string | number }>
  'settings.helper': Message
  'settings.helper.end': Message
  'settings.helper.endAll': Message
  'settings.helper.endOf': Message<{ name: string | number }>
  'settings.helper.endHelp': Message<{ name: string | number }>
  'settings.helper.ended': Message<{ name: string | number }>
  'settings.helper.unused': Message
  'settings.connected': Message
  'settings.lastUsed': Message
  'settings.expiresUnused': Message<None, 'when'>
  'settings.revokeAll': Message
  'settings.revokeAllAccess': Message
  'settings.revokeAllHelp': Message
  'settings.apps.none': Message
  'settings.apps.noneHelp': Message
  'settings.savedNow': Message
  'settings.app.uses': Message
  'settings.app.used': Message
  'settings.app.unused': Message
  'settings.app.notNoted': Message
  'settings.app.narrow': Message
  'settings.app.calls': Message
  'settings.app.noBound': Message
  'settings.app.writes': Message
  'settings.app.megabytes': Message
  'settings.app.days': Message
  'settings.app.endsOn': Message<{ day: string | number }>
  'settings.app.noEnd': Message
  'settings.app.mayWrite': Message
  'settings.app.waits': Message<None, 'link'>
  'settings.app.happened': Message
  'settings.app.did.issued': Message
  'settings.app.did.refreshed': Message
  'settings.app.did.retried': Message
  'settings.app.did.reused': Message
  'settings.app.from': Message<{ device: string | number }, 'network'>
  'settings.app.program': Message
  'settings.app.nothing': Message
  'settings.channel.off': Message
  'settings.channel.site': Message
  'settings.channel.mail': Message
  'settings.channel.daily': Message
  'settings.channel.weekly': Message
  'settings.kind.mention': Message
  'settings.kind.reply': Message
  'settings.kind.comment': Message
  'settings.kind.status': Message
  'settings.kind.version': Message
  'settings.kind.release': Message
  'settings.kind.posted': Message
  'settings.kind.invitation': Message
  'settings.kind.approval': Message
  'settings.notifications': Message
  'settings.follow.written': Message
  'settings.follow.answered': Message
  'settings.follow.voted': Message
  'settings.push': Message
  'settings.push.about': Message
  'settings.push.added': Message
  'settings.push.here': Message
  'settings.push.since': Message
  'settings.push.remove': Message
  'settings.push.removeOf': Message<{ name: string | number }>
  'settings.push.add': Message
  'settings.push.script': Message
  'settings.push.mentions': Message
  'settings.push.approvals': Message
  'settings.yes': Message
  'settings.no': Message
  'settings.notifications.verify': Message
  'settings.notifications.following': Message<None, 'link'>
  'settings.act.waiting': Message
  'settings.act.approved': Message
  'settings.act.made': Message
  'settings.act.failed': Message
  'settings.act.refused': Message
  'settings.act.withdrawn': Message
  'settings.act.expired': Message
  'settings.act.ended': Message
  'settings.pending.asked': Message
  'settings.pending.waiting': Message
  'settings.pending.about': Message
  'settings.pending.help': Message<None, 'link'>
  'settings.pending.earlier': Message
  'settings.effect.members': Message<{ count: number }>
  'settings.effect.webhooks': Message<{ count: number }>
  'settings.effect.mails': Message<{ count: number }>
  'settings.pending.problem': Message<{ problem: string | number }>
  'settings.pending.reason': Message<{ reason: string | number }>
  'settings.pending.on': Message<None, 'place'>
  'settings.pending.changes': Message
  'settings.pending.made': Message
  'settings.pending.sent': Message
  'settings.pending.looks': Message
  'settings.pending.effects': Message
  'settings.pending.left': Message<{ remaining: string | number; quota: string | number }, 'limit'>
  'settings.pending.answer': Message
  'settings.pending.decision': Message
  'settings.pending.agreeHelp': Message<{ agent: string | number }>
  'settings.pending.agree': Message
  'settings.pending.reasonHelp': Message
  'settings.pending.refuse': Message
  'settings.token.days': Message<{ count: string | number }>
  'settings.token.title': Message
  'settings.token.new': Message
  'settings.token.about': Message
  'settings.token.made': Message<{ name: string | number }>
  'settings.token.copy': Message
  'settings.token.nameHelp': Message
  'settings.token.may': Message
  'settings.token.expires': Message
  'settings.token.submit': Message
  'settings.token.yours': Message
  'settings.token.revoked': Message<{ name: string | number }>
  'settings.token.revoke': Message
  'settings.token.revokeOf': Message<{ name: string | number }>
  'settings.token.revokeHelp': Message<{ name: string | number }>
  'settings.token.madeAt': Message
  'settings.neverUsed': Message
  'settings.expires': Message
  'settings.token.none': Message
  'settings.token.noneHelp': Message
  'settings.workload.title': Message
  'settings.workload.about': Message
  'settings.workload.made': Message<{ name: string | number }>
  'settings.workload.copy': Message
  'settings.workload.ended': Message<{ name: string | number }>
  'settings.workload.confirm': Message
  'settings.workload.nameHelp': Message
  'settings.workload.issuer': Message
  'settings.workload.subject': Message
  'settings.workload.subjectHelp': Message
  'settings.workload.claims': Message
  'settings.workload.claimsHelp': Message
  'settings.workload.submit': Message
  'settings.workload.end': Message
  'settings.workload.endOf': Message<{ name: string | number }>
  'settings.workload.endHelp': Message<{ name: string | number }>
  'settings.webhooks.about': Message
  'settings.webhooks.empty': Message
  'settings.thing.posts': Message
  'settings.thing.comments': Message
  'settings.thing.votes': Message
  'settings.thing.orgs': Message
  'settings.thing.library': Message
  'settings.thing.teams': Message
  'settings.thing.profile': Message
  'settings.thing.account': Message
  'settings.thing.moderation': Message
  'settings.browser.everyOther': Message
  'settings.security': Message
  'settings.passwordChanged': Message
  'settings.email.isVerified': Message<{ email: string | number }>
  'settings.email.verified': Message
  'settings.email.verify': Message
  'settings.email.notVerified': Message
  'settings.password.about': Message
  'settings.password.forgot': Message<None, 'reset'>
  'settings.password.current': Message
  'settings.password.new': Message
  'settings.password.help': Message
  'settings.password.change': Message
  'settings.password.confirm': Message<None, 'link'>
  'settings.password.ready': Message
  'settings.password.set': Message
  'settings.passkeys': Message
  'settings.passkeys.about': Message
  'settings.passkeys.roleAdd': Message
  'settings.passkeys.roleConfirm': Message
  'settings.external.with': Message<{ name: string | number }>
  'settings.external.other': Message
  'settings.external.about': Message
  'settings.browsers': Message
  'settings.browsers.about': Message<None, 'link'>
  'settings.browser.ended': Message<{ name: string | number }>
  'settings.browser.unknown': Message
  'settings.browser.signedIn': Message
  'settings.browser.this': Message
  'settings.browser.end': Message
  'settings.browser.endSession': Message
  'settings.browser.endOf': Message<{ name: string | number; when: string | number }>
  'settings.browser.endHelp': Message<{ name: string | number }>
  'settings.browser.everywhere': Message
  'settings.browser.others': Message<{ count: string | number }>
  'settings.browser.othersHelp': Message<{ count: string | number }>
  'settings.external.provider': Message
  'settings.external.done': Message<{ name: string | number }>
  'settings.external.disconnect': Message
  'settings.external.disconnectOf': Message<{ title: string | number }>
  'settings.external.disconnectHelp': Message
  'settings.external.at': Message<{ name: string | number }>
  'settings.external.continue': Message<{ name: string | number }>
  'settings.external.connect': Message
  'settings.external.imported': Message
  'settings.external.imported.about': Message
  'settings.external.imported.of': Message<{ username: string | number; source: string | number; name: string | number }>
  'settings.external.imported.take': Message
  'settings.external.imported.takeOf': Message<{ username: string | number; name: string | number }>
  'settings.external.imported.help': Message
  'settings.external.imported.taken': Message
  'settings.passkey.added': Message
  'settings.passkey.ready': Message
  'settings.passkey.name': Message
  'settings.passkey.nameHelp': Message
  'settings.passkey.add': Message
  'settings.passkey.script': Message
  'settings.passkey.rename': Message
  'settings.passkey.saveName': Message
  'settings.passkey.remove': Message
  'settings.passkey.removeOf': Message<{ name: string | number }>
  'settings.passkey.removeHelp': Message<{ name: string | number }>
  'settings.confirm.title': Message
  'settings.confirm.help': Message
  'settings.confirm': Message
  'settings.confirm.password': Message
  'settings.confirm.passkey': Message
  'settings.data.keepWritten': Message
  'settings.data.deleteWritten': Message
  'settings.data.kept': Message
  'settings.data.leaving': Message
  'settings.data.byAdmin': Message
  'settings.data.byYou': Message
  'settings.data.erased': Message<None, 'when'>
  'settings.data.reason': Message<{ reason: string | number }>
  'settings.data.mistake': Message
  'settings.data.writtenGoes': Message
  'settings.data.writtenStays': Message
  'settings.data.changeMind': Message
  'settings.data.keep': Message
  'settings.data.export': Message
  'settings.data.exportHelp': Message
  'settings.data.requested': Message<{ email: string | number }>
  'settings.data.requestedAt': Message
  'settings.data.until': Message
  'settings.data.download': Message
  'settings.data.downloadOf': Message<{ day: string | number }>
  'settings.data.cancel': Message
  'settings.data.cancelOf': Message<{ day: string | number }>
  'settings.data.cancelled': Message
  'settings.data.request': Message
  'settings.data.exportConfirm': Message<None, 'link'>
  'settings.address': Message
  'settings.address.about': Message
  'settings.address.now': Message<{ email: string | number }>
  'settings.address.change': Message
  'settings.address.new': Message
  'settings.address.confirm': Message<None, 'link'>
  'settings.delete': Message
  'settings.delete.about': Message
  'settings.delete.always': Message
  'settings.delete.written': Message
  'settings.delete.remains': Message
  'settings.delete.what': Message
  'settings.delete.signOut': Message
  'settings.delete.button': Message
  'settings.delete.confirm': Message<None, 'link'>
  'settings.feeds.title': Message
  'settings.feeds.about': Message
  'settings.feeds.made': Message
  'settings.feeds.copy': Message<{ name: string | number }>
  'settings.feeds.copySkills': Message
  'settings.feeds.make': Message
  'settings.feeds.renew': Message
  'settings.feeds.end': Message
  'settings.feeds.ended': Message
  'settings.pages': Message
  'settings.group.account': Message
  'settings.group.agents': Message
  'settings.tab.inbox': Message
  'settings.app.rule.allow': Message
  'settings.app.rule.ask': Message
  'settings.app.rule.never': Message
  'settings.app.limits': Message
  'settings.kind.report': Message
}
