// The messages of the area admin, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface AdminMessages {
  'admin.onlyModerators': Message
  'admin.onlyAdmins': Message
  'admin.overview': Message
  'admin.casesWaiting': Message<{ count: string | number }>
  'admin.users': Message
  'admin.block': Message
  'admin.invitations': Message
  'admin.webhooks': Message
  'admin.audit': Message
  'admin.count.orgs': Message
  'admin.count.items': Message
  'admin.count.blog': Message
  'admin.count.accounts': Message
  'admin.other': Message
  'admin.newest': Message
  'admin.allAccounts': Message
  'admin.audit.any': Message
  'admin.audit.about': Message
  'admin.audit.action': Message
  'admin.audit.actor': Message
  'admin.audit.target': Message
  'admin.audit.who': Message
  'admin.audit.time': Message
  'admin.audit.from': Message
  'admin.audit.anonymous': Message
  'admin.audit.operator': Message
  'admin.audit.untitled': Message<{ type: string | number }>
  'admin.audit.removed': Message<{ type: string | number }>
  'admin.audit.all': Message
  'admin.audit.allOf': Message<{ title: string | number }>
  'admin.audit.none': Message
  'admin.audit.noMatch': Message
  'admin.audit.help': Message
  'admin.invite.often': Message
  'admin.invite.closed': Message<None, 'setting'>
  'admin.invite.only': Message
  'admin.invite.domains': Message<{ domains: string | number }>
  'admin.invite.all': Message
  'admin.invite.done': Message<{ email: string | number }>
  'admin.invite.help': Message
  'admin.invite.removed': Message<{ email: string | number }>
  'admin.invite.takeBack': Message
  'admin.invite.takeBackOf': Message<{ email: string | number }>
  'admin.invite.warning': Message<{ email: string | number }>
  'admin.invite.invited': Message
  'admin.invite.expires': Message<None, 'when'>
  'admin.invite.none': Message
  'admin.invite.noneHelp': Message
  'admin.label.created': Message<{ name: string | number }>
  'admin.label.saved': Message<{ name: string | number }>
  'admin.label.new': Message
  'admin.label.color': Message
  'admin.label.help': Message
  'admin.label.create': Message
  'admin.label.count': Message<{ count: number }>
  'admin.label.none': Message
  'admin.label.noneHelp': Message
  'admin.user.blocked': Message<{ name: string | number }>
  'admin.user.unblocked': Message<{ name: string | number }>
  'admin.user.role': Message<{ name: string | number; role: 'admin' | 'moderator' | string }>
  'admin.user.deleting': Message<{ name: string | number }>
  'admin.user.stays': Message<{ name: string | number }>
  'admin.user.noSuch': Message
  'admin.user.noAdmin': Message
  'admin.users.notBlocked': Message
  'admin.users.find': Message
  'admin.users.none': Message
  'admin.users.noneHelp': Message
  'admin.block.title': Message
  'admin.block.help': Message
  'admin.block.undo': Message<{ name: string | number }>
  'admin.content.anonymise': Message
  'admin.content.delete': Message
  'admin.user.noUsername': Message
  'admin.user.joined': Message
  'admin.user.change': Message
  'admin.user.setRole': Message
  'admin.user.setRoleOf': Message<{ name: string | number }>
  'admin.user.blockedWhen': Message<None, 'when'>
  'admin.user.blockHelp': Message<{ name: string | number }>
  'admin.unblock': Message
  'admin.user.erased': Message<None, 'when'>
  'admin.user.keep': Message
  'admin.user.keepOf': Message<{ name: string | number }>
  'admin.user.deleteHelp': Message<{ name: string | number }>
  'admin.user.wrote': Message
  'admin.user.reasonHelp': Message
  'admin.user.delete': Message
  'admin.user.deleteOf': Message<{ name: string | number }>
  'admin.webhooks.about': Message
  'admin.webhooks.empty': Message
  'admin.webhook': Message
  'admin.webhook.none': Message
  'admin.delivery.status': Message<{ status: string | number }>
  'admin.delivery.attempts': Message<{ count: string | number }>
  'admin.delivery.next': Message
  'admin.delivery.details': Message
  'admin.delivery.body': Message<{ id: string | number }>
  'admin.delivery.answer': Message
  'admin.delivery.answerTo': Message<{ id: string | number }>
  'admin.delivery.again': Message
  'admin.delivery.againOf': Message<{ id: string | number }>
  'admin.delivery.none': Message
  'admin.delivery.noneHelp': Message
  'admin.webhook.secret': Message
  'admin.webhook.copySecret': Message
  'admin.webhook.signature': Message<None, 'header' | 'standard'>
  'admin.webhook.addressHelp': Message
  'admin.webhook.note': Message
  'admin.webhook.noteHelp': Message
  'admin.webhook.events': Message
  'admin.webhook.eventsHelp': Message
  'admin.webhook.done.create': Message
  'admin.webhook.done.rotate': Message
  'admin.webhook.done.test': Message
  'admin.webhook.done.redeliver': Message
  'admin.webhook.done.save': Message
  'admin.webhook.done.enable': Message
  'admin.webhook.done.disable': Message
  'admin.webhook.failing': Message<None, 'when'>
  'admin.webhook.added': Message
  'admin.webhook.previous': Message
  'admin.webhook.test': Message
  'admin.webhook.disable': Message
  'admin.webhook.enable': Message
  'admin.webhook.deliveries': Message
  'admin.webhook.removal': Message
  'admin.webhook.rotate': Message
  'admin.webhook.rotateHelp': Message
  'admin.webhook.remove': Message
  'admin.webhook.removeHelp': Message
  'admin.webhook.all': Message
  'admin.webhook.waiting': Message<{ count: string | number }>
  'admin.webhooks.none': Message
  'admin.webhook.add': Message
  'admin.webhook.submit': Message
  'admin.event.webhook_test': Message
  'admin.event.bug_created': Message
  'admin.event.bug_edited': Message
  'admin.event.bug_status_changed': Message
  'admin.event.bug_merged': Message
  'admin.event.bug_unmerged': Message
  'admin.event.bug_deleted': Message
  'admin.event.feature_created': Message
  'admin.event.feature_edited': Message
  'admin.event.feature_status_changed': Message
  'admin.event.feature_merged': Message
  'admin.event.feature_unmerged': Message
  'admin.event.feature_deleted': Message
  'admin.event.post_created': Message
  'admin.event.post_edited': Message
  'admin.event.post_merged': Message
  'admin.event.post_unmerged': Message
  'admin.event.post_deleted': Message
  'admin.event.release_created': Message
  'admin.event.release_edited': Message
  'admin.event.release_deleted': Message
  'admin.event.org_created': Message
  'admin.event.org_edited': Message
  'admin.event.org_deleted': Message
  'admin.event.item_published': Message
  'admin.event.item_version_published': Message
  'admin.event.item_version_yanked': Message
  'admin.event.item_version_unyanked': Message
  'admin.event.item_deprecated': Message
  'admin.event.item_undeprecated': Message
  'admin.event.item_deleted': Message
  'admin.event.comment_created': Message
  'admin.event.comment_edited': Message
  'admin.event.comment_deleted': Message
  'admin.webhook.why.owner': Message
  'admin.webhook.why.failing': Message
  'admin.webhook.why.gone': Message
  'admin.delivery.milliseconds': Message<{ count: string | number }>
}
