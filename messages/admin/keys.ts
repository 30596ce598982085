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
  'admin.figures.most': Message<{ most: string | number }>
  'admin.figures.asTable': Message
  'admin.figures.week': Message
  'admin.figures.joined': Message
  'admin.figures.joinedName': Message
  'admin.figures.active': Message
  'admin.figures.activeName': Message
  'admin.figures.written': Message
  'admin.figures.byPeople': Message
  'admin.figures.byAgents': Message
  'admin.figures.storage': Message
  'admin.figures.databaseBytes': Message
  'admin.figures.storedBytes': Message
  'admin.figures.bugs': Message
  'admin.figures.bugsName': Message
  'admin.figures.age': Message
  'admin.figures.age.day': Message
  'admin.figures.age.week': Message
  'admin.figures.age.month': Message
  'admin.figures.age.quarter': Message
  'admin.figures.age.older': Message
  'admin.figures.answers': Message<{ answered: string | number; lookedAt: string | number; time: string | number }>
  'admin.figures.noAnswers': Message<{ lookedAt: string | number }>
  'admin.figures.minutes': Message<{ count: number }>
  'admin.figures.hours': Message<{ count: number }>
  'admin.figures.days': Message<{ count: number }>
  'admin.figures.waiting': Message
  'admin.figures.queue.cases': Message
  'admin.figures.queue.mail': Message
  'admin.figures.queue.events': Message
  'admin.figures.queue.webhooks': Message
  'admin.figures.queue.erasures': Message
  'admin.figures.failing': Message
  'admin.figures.mails': Message
  'admin.figures.webhooks': Message
  'admin.figures.disabledWebhooks': Message
  'admin.figures.jobs': Message
  'admin.figures.jobsGivenUp': Message
  'admin.figures.downloads': Message
  'admin.figures.noDownloads': Message
  'admin.figures.server': Message
  'admin.figures.backup': Message
  'admin.figures.changes': Message
  'admin.figures.restored': Message
  'admin.figures.never': Message
  'admin.figures.version': Message
  'admin.figures.database': Message
  'admin.figures.migration': Message
  'admin.figures.upgrades': Message<None, 'link'>
  'admin.figures.csv': Message
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
  'admin.audit.fact': Message<{ field: string | number; value: string | number }>
  'admin.audit.nothing': Message
  'admin.yes': Message
  'admin.no': Message
  'admin.content.delete': Message
  'admin.content.anonymise': Message
  'admin.field.accountId': Message
  'admin.field.action': Message
  'admin.field.agent': Message
  'admin.field.apps': Message
  'admin.field.bio': Message
  'admin.field.body': Message
  'admin.field.bounds': Message
  'admin.field.by': Message
  'admin.field.changed': Message
  'admin.field.clientId': Message
  'admin.field.closes': Message
  'admin.field.color': Message
  'admin.field.content': Message
  'admin.field.deprecation': Message
  'admin.field.description': Message
  'admin.field.due': Message
  'admin.field.ended': Message
  'admin.field.eraseAt': Message
  'admin.field.events': Message
  'admin.field.expiresAt': Message
  'admin.field.external': Message
  'admin.field.from': Message
  'admin.field.goal': Message
  'admin.field.granted': Message
  'admin.field.grants': Message
  'admin.field.into': Message
  'admin.field.issuer': Message
  'admin.field.itemId': Message
  'admin.field.kind': Message
  'admin.field.label': Message
  'admin.field.leaked': Message
  'admin.field.name': Message
  'admin.field.number': Message
  'admin.field.on': Message
  'admin.field.operation': Message
  'admin.field.orgId': Message
  'admin.field.parentId': Message
  'admin.field.passkeys': Message
  'admin.field.password': Message
  'admin.field.reason': Message
  'admin.field.role': Message
  'admin.field.rule': Message
  'admin.field.scope': Message
  'admin.field.sessions': Message
  'admin.field.severity': Message
  'admin.field.status': Message
  'admin.field.successor': Message
  'admin.field.tagline': Message
  'admin.field.tags': Message
  'admin.field.targetType': Message
  'admin.field.team': Message
  'admin.field.title': Message
  'admin.field.to': Message
  'admin.field.url': Message
  'admin.field.version': Message
  'admin.field.visibility': Message
  'admin.field.yanked': Message
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
  'admin.act.item_update': Message
  'admin.act.item_delete': Message
  'admin.act.item_yank': Message
  'admin.act.item_delete_version': Message
  'admin.act.item_deprecate': Message
  'admin.act.item_rename': Message
  'admin.act.item_invite': Message
  'admin.act.item_join': Message
  'admin.act.item_change_role': Message
  'admin.act.item_remove': Message
  'admin.act.item_transfer': Message
  'admin.act.team_create': Message
  'admin.act.team_update': Message
  'admin.act.team_delete': Message
  'admin.act.team_invite': Message
  'admin.act.team_join': Message
  'admin.act.team_change_role': Message
  'admin.act.team_remove': Message
  'admin.act.publisher_key_add': Message
  'admin.act.publisher_key_revoke': Message
  'admin.act.account_take_over': Message
  'admin.act.account_request_deletion': Message
  'admin.act.account_cancel_deletion': Message
  'admin.act.account_erase': Message
  'admin.act.account_change_email': Message
  'admin.act.account_undo_email_change': Message
  'admin.act.account_reset': Message
  'admin.act.sign_up_invite': Message
  'admin.act.sign_up_take_back': Message
  'admin.act.external_account_link': Message
  'admin.act.external_account_unlink': Message
  'admin.act.setup_finish': Message
  'admin.act.setting_change': Message
  'admin.act.role_change': Message
  'admin.act.user_block': Message
  'admin.act.user_unblock': Message
  'admin.act.password_change': Message
  'admin.act.passkey_add': Message
  'admin.act.passkey_rename': Message
  'admin.act.passkey_remove': Message
  'admin.act.session_end': Message
  'admin.act.session_end_others': Message
  'admin.act.client_register': Message
  'admin.act.sign_in_open': Message
  'admin.act.sign_in_end': Message
  'admin.act.sign_in_change': Message
  'admin.act.token_issue': Message
  'admin.act.token_refresh': Message
  'admin.act.token_hand_on': Message
  'admin.act.token_revoke': Message
  'admin.act.feed_key_renew': Message
  'admin.act.feed_key_end': Message
  'admin.act.personal_token_create': Message
  'admin.act.personal_token_revoke': Message
  'admin.act.signing_key_rotate': Message
  'admin.act.comment_edit': Message
  'admin.act.comment_delete': Message
  'admin.act.webhook_create': Message
  'admin.act.webhook_update': Message
  'admin.act.webhook_delete': Message
  'admin.act.webhook_rotate': Message
  'admin.act.case_decide': Message
  'admin.act.case_undo': Message
  'admin.act.case_appeal': Message
  'admin.act.pending_act_approve': Message
  'admin.act.pending_act_refuse': Message
  'admin.act.post_edit': Message
  'admin.act.post_merge': Message
  'admin.act.post_unmerge': Message
  'admin.act.post_delete': Message
  'admin.act.post_label': Message
  'admin.act.post_unlabel': Message
  'admin.act.thread_pin': Message
  'admin.act.thread_lock': Message
  'admin.act.thread_solve': Message
  'admin.act.thread_assign': Message
  'admin.act.thread_unassign': Message
  'admin.act.thread_due': Message
  'admin.act.org_update': Message
  'admin.act.org_delete': Message
  'admin.act.org_addImage': Message
  'admin.act.run_delete': Message
  'admin.act.label_create': Message
  'admin.act.label_update': Message
  'admin.act.feature_status': Message
  'admin.act.feature_edit': Message
  'admin.act.feature_close': Message
  'admin.act.feature_merge': Message
  'admin.act.feature_unmerge': Message
  'admin.act.feature_delete': Message
  'admin.act.feature_label': Message
  'admin.act.feature_unlabel': Message
  'admin.act.release_publish': Message
  'admin.act.release_edit': Message
  'admin.act.release_delete': Message
  'admin.act.bug_triage': Message
  'admin.act.bug_edit': Message
  'admin.act.bug_close': Message
  'admin.act.bug_merge': Message
  'admin.act.bug_unmerge': Message
  'admin.act.bug_delete': Message
  'admin.act.bug_label': Message
  'admin.act.bug_unlabel': Message
  'admin.type.feed_key': Message
  'admin.type.account': Message
  'admin.type.case': Message
  'admin.type.client': Message
  'admin.type.external_account': Message
  'admin.type.invitation': Message
  'admin.type.label': Message
  'admin.type.passkey': Message
  'admin.type.password': Message
  'admin.type.pending_act': Message
  'admin.type.personal_token': Message
  'admin.type.publisher_key': Message
  'admin.type.role': Message
  'admin.type.session': Message
  'admin.type.sign_in': Message
  'admin.type.sign_up': Message
  'admin.type.setup': Message
  'admin.type.signing_key': Message
  'admin.type.token': Message
  'admin.type.webhook': Message
  'admin.type.setting': Message
  'admin.settings': Message
  'admin.settings.about': Message
  'admin.settings.environment': Message
  'admin.settings.none': Message
  'admin.settings.preview': Message
  'admin.settings.previewTitle': Message
  'admin.settings.was': Message
  'admin.settings.willBe': Message
  'admin.settings.save': Message
  'admin.settings.saved': Message
  'admin.settings.nothing': Message
  'admin.settings.secretSet': Message
  'admin.settings.secretUnset': Message
  'admin.settings.secretSave': Message
  'admin.settings.hidden': Message
  'admin.settings.changes': Message
  'admin.settings.noChanges': Message
  'admin.settings.noChangesHelp': Message
  'admin.settings.undo': Message
  'admin.settings.undoOf': Message<{ name: string | number }>
  'admin.settings.undone': Message
  'admin.settings.byDefault': Message
  'admin.settings.section.community': Message
  'admin.settings.section.looks': Message
  'admin.settings.section.parts': Message
  'admin.settings.section.sign_up': Message
  'admin.settings.section.external': Message
  'admin.settings.section.access': Message
  'admin.settings.section.moderation': Message
  'admin.settings.section.budgets': Message
  'admin.settings.section.mail': Message
  'admin.settings.section.operator': Message
  'admin.settings.section.log': Message
  'admin.settings.label.NAME': Message
  'admin.settings.help.NAME': Message
  'admin.settings.label.ACCENT': Message
  'admin.settings.help.ACCENT': Message
  'admin.settings.label.PARTS_OFF': Message
  'admin.settings.help.PARTS_OFF': Message
  'admin.settings.label.SIGN_UP': Message
  'admin.settings.help.SIGN_UP': Message
  'admin.settings.label.SIGN_UP_DOMAINS': Message
  'admin.settings.help.SIGN_UP_DOMAINS': Message
  'admin.settings.label.OIDC_ISSUER': Message
  'admin.settings.help.OIDC_ISSUER': Message
  'admin.settings.label.OIDC_CLIENT_ID': Message
  'admin.settings.help.OIDC_CLIENT_ID': Message
  'admin.settings.label.OIDC_CLIENT_SECRET': Message
  'admin.settings.help.OIDC_CLIENT_SECRET': Message
  'admin.settings.label.OIDC_NAME': Message
  'admin.settings.help.OIDC_NAME': Message
  'admin.settings.label.READERS': Message
  'admin.settings.help.READERS': Message
  'admin.settings.label.READER_DOMAINS': Message
  'admin.settings.help.READER_DOMAINS': Message
  'admin.settings.label.READER_GROUPS': Message
  'admin.settings.help.READER_GROUPS': Message
  'admin.settings.label.PUBLIC_DOWNLOADS': Message
  'admin.settings.help.PUBLIC_DOWNLOADS': Message
  'admin.settings.label.REDIRECT_SCHEMES': Message
  'admin.settings.help.REDIRECT_SCHEMES': Message
  'admin.settings.label.HOLD_LINKS_HOURS': Message
  'admin.settings.help.HOLD_LINKS_HOURS': Message
  'admin.settings.label.AGENTS': Message
  'admin.settings.help.AGENTS': Message
  'admin.settings.label.HOLD_FINDINGS': Message
  'admin.settings.help.HOLD_FINDINGS': Message
  'admin.settings.label.BUDGETS': Message
  'admin.settings.help.BUDGETS': Message
  'admin.settings.label.MAIL_FROM': Message
  'admin.settings.help.MAIL_FROM': Message
  'admin.settings.label.OPERATOR_NAME': Message
  'admin.settings.help.OPERATOR_NAME': Message
  'admin.settings.label.OPERATOR_ADDRESS': Message
  'admin.settings.help.OPERATOR_ADDRESS': Message
  'admin.settings.label.OPERATOR_CONTACT': Message
  'admin.settings.help.OPERATOR_CONTACT': Message
  'admin.settings.label.OPERATOR_LAW': Message
  'admin.settings.help.OPERATOR_LAW': Message
  'admin.settings.label.SECURITY_CONTACT': Message
  'admin.settings.help.SECURITY_CONTACT': Message
  'admin.settings.label.LOG_LEVEL': Message
  'admin.settings.help.LOG_LEVEL': Message
  'admin.settings.label.REQUEST_LOG': Message
  'admin.settings.help.REQUEST_LOG': Message
  'admin.field.before': Message
  'admin.field.after': Message
}
