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
  'admin.imports': Message
  'admin.imports.about': Message
  'admin.imports.source': Message
  'admin.imports.name': Message
  'admin.imports.nameHelp': Message
  'admin.imports.kind': Message
  'admin.imports.columns': Message
  'admin.imports.columnsHelp': Message
  'admin.imports.files': Message
  'admin.imports.read': Message
  'admin.imports.start': Message
  'admin.imports.pause': Message
  'admin.imports.revert': Message
  'admin.imports.revertOf': Message<{ name: string | number }>
  'admin.imports.revertHelp': Message<{ name: string | number }>
  'admin.imports.state.staged': Message
  'admin.imports.state.running': Message
  'admin.imports.state.paused': Message
  'admin.imports.state.failed': Message
  'admin.imports.state.done': Message
  'admin.imports.state.reverting': Message
  'admin.imports.state.reverted': Message
  'admin.imports.done': Message<{ done: string | number; total: string | number }>
  'admin.imports.report': Message
  'admin.imports.count.bugs': Message
  'admin.imports.count.features': Message
  'admin.imports.count.posts': Message
  'admin.imports.count.comments': Message
  'admin.imports.count.votes': Message
  'admin.imports.count.people': Message
  'admin.imports.count.labels': Message
  'admin.imports.count.pictures': Message
  'admin.imports.count.enclosed': Message
  'admin.imports.filesHelp': Message
  'admin.imports.pictures': Message<{ here: string | number; left: string | number }>
  'admin.imports.count.long': Message
  'admin.imports.count.already': Message
  'admin.imports.count.doubled': Message
  'admin.imports.leftOut': Message<{ what: string | number }>
  'admin.imports.keepsNumbers': Message
  'admin.imports.newNumbers': Message
  'admin.imports.items': Message
  'admin.imports.items.about': Message
  'admin.imports.items.from': Message
  'admin.imports.items.skills': Message
  'admin.imports.items.n8n': Message
  'admin.imports.items.visibility': Message
  'admin.imports.items.file': Message
  'admin.imports.items.try': Message
  'admin.imports.items.publish': Message
  'admin.imports.items.mode': Message
  'admin.imports.items.private': Message
  'admin.imports.items.public': Message
  'admin.imports.items.send': Message
  'admin.imports.items.became.new': Message<{ file: string | number; name: string | number }>
  'admin.imports.items.became.next': Message<{ file: string | number; name: string | number }>
  'admin.imports.items.became.same': Message<{ file: string | number; name: string | number }>
  'admin.imports.items.became.left': Message<{ file: string | number; reason: string | number }>
  'admin.imports.items.hidden': Message<{ count: string | number }>
  'admin.imports.none': Message
  'admin.trackers': Message
  'admin.trackers.about': Message<None, 'link'>
  'admin.trackers.service': Message
  'admin.trackers.service.github': Message
  'admin.trackers.service.gitlab': Message
  'admin.trackers.service.linear': Message
  'admin.trackers.name': Message
  'admin.trackers.nameHelp': Message
  'admin.trackers.token': Message
  'admin.trackers.tokenHelp': Message
  'admin.trackers.board': Message
  'admin.trackers.boardHelp': Message
  'admin.trackers.from': Message
  'admin.trackers.from.now': Message
  'admin.trackers.from.beginning': Message
  'admin.trackers.publish': Message
  'admin.trackers.create': Message
  'admin.trackers.made': Message
  'admin.trackers.url': Message
  'admin.trackers.secret': Message
  'admin.trackers.secretSet': Message
  'admin.trackers.secretOther': Message
  'admin.trackers.state.on': Message
  'admin.trackers.state.paused': Message
  'admin.trackers.pause': Message
  'admin.trackers.resume': Message
  'admin.trackers.remove': Message
  'admin.trackers.removeOf': Message<{ name: string | number }>
  'admin.trackers.removeHelp': Message
  'admin.trackers.removed': Message<{ name: string | number }>
  'admin.trackers.counts': Message<{ paired: number; waiting: number }>
  'admin.trackers.polled': Message
  'admin.trackers.rest': Message
  'admin.trackers.login': Message
  'admin.trackers.member': Message
  'admin.trackers.memberHelp': Message
  'admin.trackers.person': Message
  'admin.trackers.personSet': Message
  'admin.trackers.personIs.admin': Message<{ login: string | number; username: string | number }>
  'admin.trackers.personIs.member': Message<{ login: string | number; username: string | number }>
  'admin.trackers.none': Message
  'admin.act.import_start': Message
  'admin.act.import_pause': Message
  'admin.act.import_revert': Message
  'admin.act.import_take_over': Message
  'admin.type.import': Message
  'admin.act.tracker_create': Message
  'admin.act.tracker_update': Message
  'admin.act.tracker_remove': Message
  'admin.act.tracker_person': Message
  'admin.type.tracker_account': Message
  'admin.type.tracker': Message
  'admin.provisioning': Message
  'admin.provisioning.about': Message<{ address: string | number }>
  'admin.provisioning.off': Message
  'admin.provisioning.made': Message
  'admin.provisioning.token': Message
  'admin.provisioning.name': Message
  'admin.provisioning.create': Message
  'admin.provisioning.revokeHelp': Message<{ name: string | number }>
  'admin.provisioning.revoked': Message<{ name: string | number }>
  'admin.provisioning.none': Message
  'admin.apps': Message
  'admin.apps.about': Message<None, 'link'>
  'admin.apps.made': Message
  'admin.apps.id': Message
  'admin.apps.secret': Message
  'admin.apps.name': Message
  'admin.apps.method': Message
  'admin.apps.method.client_secret_basic': Message
  'admin.apps.method.client_secret_post': Message
  'admin.apps.create': Message
  'admin.apps.rotate': Message
  'admin.apps.rotateOf': Message<{ name: string | number }>
  'admin.apps.overlap': Message
  'admin.apps.overlap.0': Message
  'admin.apps.overlap.24': Message
  'admin.apps.overlap.168': Message
  'admin.apps.former': Message
  'admin.apps.end': Message
  'admin.apps.endOf': Message<{ name: string | number }>
  'admin.apps.endHelp': Message<{ name: string | number }>
  'admin.apps.ended': Message<{ name: string | number }>
  'admin.apps.none': Message
  'admin.widget': Message
  'admin.widget.about': Message<None, 'link'>
  'admin.widget.off': Message
  'admin.widget.snippet': Message
  'admin.widget.made': Message
  'admin.widget.secret': Message
  'admin.widget.site': Message
  'admin.widget.create': Message
  'admin.widget.revokeHelp': Message<{ name: string | number }>
  'admin.widget.revoked': Message<{ name: string | number }>
  'admin.widget.none': Message
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
  'admin.link.title': Message
  'admin.link.about': Message
  'admin.link.role': Message
  'admin.link.days': Message
  'admin.link.uses': Message
  'admin.link.make': Message
  'admin.link.made': Message
  'admin.link.copy': Message
  'admin.link.revoke': Message
  'admin.link.revokeOf': Message<{ when: string | number }>
  'admin.link.warning': Message
  'admin.link.revoked': Message
  'admin.link.used': Message<{ uses: string | number; max: string | number }>
  'admin.link.over': Message
  'admin.link.none': Message
  'admin.link.noneHelp': Message
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
  'admin.webhook.format': Message
  'admin.webhook.format.guildhall': Message
  'admin.webhook.format.slack': Message
  'admin.webhook.format.discord': Message
  'admin.webhook.format.mattermost': Message
  'admin.webhook.format.matrix': Message
  'admin.webhook.format.teams': Message
  'admin.webhook.formatHelp': Message
  'admin.webhook.token': Message
  'admin.webhook.tokenHelp': Message
  'admin.webhook.template': Message
  'admin.webhook.templateHelp': Message<{ names: string | number }>
  'admin.webhook.preview': Message
  'admin.webhook.previewTitle': Message
  'admin.webhook.note': Message
  'admin.webhook.noteHelp': Message
  'admin.webhook.events': Message
  'admin.webhook.boardHelp': Message
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
  'admin.act.trusted_publisher_add': Message
  'admin.act.trusted_publisher_remove': Message
  'admin.act.item_stage': Message
  'admin.act.publishing_run_let': Message
  'admin.act.account_take_over': Message
  'admin.act.account_request_deletion': Message
  'admin.act.account_cancel_deletion': Message
  'admin.act.account_erase': Message
  'admin.act.account_change_email': Message
  'admin.act.account_undo_email_change': Message
  'admin.act.account_reset': Message
  'admin.act.sign_up_invite': Message
  'admin.act.sign_up_take_back': Message
  'admin.act.sign_up_link': Message
  'admin.act.bounce_clear': Message
  'admin.act.scim_token_create': Message
  'admin.act.scim_token_revoke': Message
  'admin.act.app_secret_create': Message
  'admin.act.app_secret_rotate': Message
  'admin.act.app_secret_end': Message
  'admin.act.widget_key_create': Message
  'admin.act.widget_key_revoke': Message
  'admin.act.widget_key_use': Message
  'admin.act.sign_up_revoke_link': Message
  'admin.act.sign_up_use_link': Message
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
  'admin.act.session_signal': Message
  'admin.act.client_register': Message
  'admin.act.sign_in_open': Message
  'admin.act.sign_in_end': Message
  'admin.act.sign_in_end_helper': Message
  'admin.act.sign_in_change': Message
  'admin.act.token_issue': Message
  'admin.act.token_refresh': Message
  'admin.act.token_hand_on': Message
  'admin.act.token_revoke': Message
  'admin.act.feed_key_renew': Message
  'admin.act.feed_key_end': Message
  'admin.act.workload_create': Message
  'admin.act.workload_remove': Message
  'admin.act.personal_token_create': Message
  'admin.act.personal_token_revoke': Message
  'admin.act.signing_key_rotate': Message
  'admin.act.comment_edit': Message
  'admin.act.comment_delete': Message
  'admin.act.chat_link': Message
  'admin.act.tracker_account_link': Message
  'admin.act.tracker_account_unlink': Message
  'admin.act.chat_unlink': Message
  'admin.act.webhook_create': Message
  'admin.act.webhook_update': Message
  'admin.act.webhook_delete': Message
  'admin.act.webhook_rotate': Message
  'admin.act.case_decide': Message
  'admin.act.case_undo': Message
  'admin.act.case_appeal': Message
  'admin.act.pending_act_approve': Message
  'admin.act.pending_act_refuse': Message
  'admin.act.pending_act_withdraw': Message
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
  'admin.act.suggestion_accept': Message
  'admin.act.suggestion_refuse': Message
  'admin.act.board_create': Message
  'admin.act.board_update': Message
  'admin.act.board_archive': Message
  'admin.act.board_delete': Message
  'admin.act.board_move': Message
  'admin.act.board_share_filter': Message
  'admin.act.board_unshare_filter': Message
  'admin.act.board_uninvite': Message
  'admin.act.bug_label': Message
  'admin.act.bug_unlabel': Message
  'admin.type.feed_key': Message
  'admin.type.bounce': Message
  'admin.type.scim_token': Message
  'admin.type.app_secret': Message
  'admin.type.widget_key': Message
  'admin.type.account': Message
  'admin.type.suggestion': Message
  'admin.type.board': Message
  'admin.type.thread': Message
  'admin.type.case': Message
  'admin.type.client': Message
  'admin.type.external_account': Message
  'admin.type.invitation': Message
  'admin.type.label': Message
  'admin.type.passkey': Message
  'admin.type.password': Message
  'admin.type.pending_act': Message
  'admin.type.workload': Message
  'admin.type.personal_token': Message
  'admin.type.publisher_key': Message
  'admin.type.trusted_publisher': Message
  'admin.type.publishing_run': Message
  'admin.type.role': Message
  'admin.type.session': Message
  'admin.type.sign_in': Message
  'admin.type.sign_up': Message
  'admin.type.setup': Message
  'admin.type.signing_key': Message
  'admin.type.token': Message
  'admin.type.chat': Message
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
  'admin.settings.section.machines': Message
  'admin.settings.section.budgets': Message
  'admin.settings.section.mail': Message
  'admin.settings.section.operator': Message
  'admin.settings.section.retention': Message
  'admin.settings.section.log': Message
  'admin.settings.label.KEEP_READ_NOTIFICATIONS_DAYS': Message
  'admin.settings.help.KEEP_READ_NOTIFICATIONS_DAYS': Message
  'admin.settings.label.KEEP_UNREAD_NOTIFICATIONS_DAYS': Message
  'admin.settings.help.KEEP_UNREAD_NOTIFICATIONS_DAYS': Message
  'admin.settings.label.KEEP_DRAFTS_DAYS': Message
  'admin.settings.help.KEEP_DRAFTS_DAYS': Message
  'admin.settings.label.KEEP_DELIVERIES_DAYS': Message
  'admin.settings.help.KEEP_DELIVERIES_DAYS': Message
  'admin.settings.label.KEEP_MAILS_DAYS': Message
  'admin.settings.help.KEEP_MAILS_DAYS': Message
  'admin.settings.label.KEEP_NETWORKS_DAYS': Message
  'admin.settings.help.KEEP_NETWORKS_DAYS': Message
  'admin.settings.label.SITE_NAME': Message
  'admin.settings.help.SITE_NAME': Message
  'admin.settings.label.ACCENT': Message
  'admin.settings.help.ACCENT': Message
  'admin.settings.label.PARTS_OFF': Message
  'admin.settings.help.PARTS_OFF': Message
  'admin.settings.choice.posts': Message
  'admin.settings.choice.bugs': Message
  'admin.settings.choice.features': Message
  'admin.settings.choice.roadmap': Message
  'admin.settings.choice.changelog': Message
  'admin.settings.choice.blog': Message
  'admin.settings.choice.teams': Message
  'admin.settings.choice.statements': Message
  'admin.settings.choice.on': Message
  'admin.settings.choice.off': Message
  'admin.settings.choice.SIGN_UP.open': Message
  'admin.settings.choice.SIGN_UP.invited': Message
  'admin.settings.choice.SIGN_UP.closed': Message
  'admin.settings.choice.SIGN_IN.any': Message
  'admin.settings.choice.SIGN_IN.external': Message
  'admin.settings.choice.READERS.everyone': Message
  'admin.settings.choice.READERS.members': Message
  'admin.settings.choice.MCP_TOOLS.short': Message
  'admin.settings.choice.MCP_TOOLS.all': Message
  'admin.settings.choice.MCP_TOOLS.two': Message
  'admin.settings.choice.PROOF_OF_WORK.sign_up': Message
  'admin.settings.choice.PROOF_OF_WORK.unverified': Message
  'admin.settings.choice.PROOF_OF_WORK.new': Message
  'admin.settings.choice.HOLD_FINDINGS.suspicious': Message
  'admin.settings.choice.HOLD_FINDINGS.severe': Message
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
  'admin.settings.label.OIDC_IMPORTS': Message
  'admin.settings.help.OIDC_IMPORTS': Message
  'admin.settings.label.OIDC_ID_CLAIM': Message
  'admin.settings.help.OIDC_ID_CLAIM': Message
  'admin.settings.label.SCIM': Message
  'admin.settings.help.SCIM': Message
  'admin.settings.label.SCIM_GROUPS': Message
  'admin.settings.help.SCIM_GROUPS': Message
  'admin.settings.label.WIDGET_SITES': Message
  'admin.settings.label.WEB_PUSH': Message
  'admin.settings.help.WEB_PUSH': Message
  'admin.settings.label.GUEST_DIGEST': Message
  'admin.settings.help.GUEST_DIGEST': Message
  'admin.settings.help.WIDGET_SITES': Message
  'admin.settings.label.WIDGET_EMAILS': Message
  'admin.settings.help.WIDGET_EMAILS': Message
  'admin.settings.label.SIGNAL_ISSUERS': Message
  'admin.settings.help.SIGNAL_ISSUERS': Message
  'admin.settings.label.SIGNAL_URL': Message
  'admin.settings.help.SIGNAL_URL': Message
  'admin.settings.label.SIGNAL_TOKEN': Message
  'admin.settings.help.SIGNAL_TOKEN': Message
  'admin.settings.label.SIGN_IN': Message
  'admin.settings.help.SIGN_IN': Message
  'admin.settings.label.READERS': Message
  'admin.settings.help.READERS': Message
  'admin.settings.label.READER_DOMAINS': Message
  'admin.settings.help.READER_DOMAINS': Message
  'admin.settings.label.READER_GROUPS': Message
  'admin.settings.help.READER_GROUPS': Message
  'admin.settings.label.WORKLOAD_ISSUERS': Message
  'admin.settings.help.WORKLOAD_ISSUERS': Message
  'admin.settings.label.CI_ISSUERS': Message
  'admin.settings.help.CI_ISSUERS': Message
  'admin.settings.label.ROLES_NEED_PASSKEY': Message
  'admin.settings.help.ROLES_NEED_PASSKEY': Message
  'admin.settings.label.PUBLIC_DOWNLOADS': Message
  'admin.settings.help.PUBLIC_DOWNLOADS': Message
  'admin.settings.label.MCP_TOOLS': Message
  'admin.settings.help.MCP_TOOLS': Message
  'admin.settings.label.MCP_SCRIPTS': Message
  'admin.settings.help.MCP_SCRIPTS': Message
  'admin.settings.label.REDIRECT_SCHEMES': Message
  'admin.settings.help.REDIRECT_SCHEMES': Message
  'admin.settings.label.HOLD_LINKS_HOURS': Message
  'admin.settings.help.HOLD_LINKS_HOURS': Message
  'admin.settings.label.PROOF_OF_WORK': Message
  'admin.settings.help.PROOF_OF_WORK': Message
  'admin.settings.label.PROOF_NUMBERS': Message
  'admin.settings.help.PROOF_NUMBERS': Message
  'admin.settings.label.TRUST': Message
  'admin.settings.help.TRUST': Message
  'admin.settings.label.MERGE_FLOODS': Message
  'admin.settings.help.MERGE_FLOODS': Message
  'admin.settings.label.CLASSIFIER_URL': Message
  'admin.settings.help.CLASSIFIER_URL': Message
  'admin.settings.label.CLASSIFIER_SECRET': Message
  'admin.settings.help.CLASSIFIER_SECRET': Message
  'admin.settings.label.AI_URL': Message
  'admin.settings.help.AI_URL': Message
  'admin.settings.label.AI_MODEL': Message
  'admin.settings.help.AI_MODEL': Message
  'admin.settings.label.AI_KEY': Message
  'admin.settings.help.AI_KEY': Message
  'admin.settings.label.AI_DAILY_TOKENS': Message
  'admin.settings.help.AI_DAILY_TOKENS': Message
  'admin.settings.label.AI_EMBEDDINGS_MODEL': Message
  'admin.settings.help.AI_EMBEDDINGS_MODEL': Message
  'admin.settings.label.AGENTS': Message
  'admin.settings.help.AGENTS': Message
  'admin.settings.label.SHORT_NAME': Message
  'admin.settings.help.SHORT_NAME': Message
  'admin.settings.label.NEUTRAL': Message
  'admin.settings.help.NEUTRAL': Message
  'admin.settings.label.LOGO': Message
  'admin.settings.help.LOGO': Message
  'admin.settings.label.LOGO_DARK': Message
  'admin.settings.help.LOGO_DARK': Message
  'admin.settings.label.ICON': Message
  'admin.settings.help.ICON': Message
  'admin.settings.label.DISPLAY_FONT': Message
  'admin.settings.help.DISPLAY_FONT': Message
  'admin.settings.label.HOME_TEXTS': Message
  'admin.settings.help.HOME_TEXTS': Message
  'admin.settings.label.FOOTER_LINKS': Message
  'admin.settings.help.FOOTER_LINKS': Message
  'admin.settings.label.OWN_PAGES': Message
  'admin.settings.help.OWN_PAGES': Message
  'admin.settings.label.NAVIGATION': Message
  'admin.settings.help.NAVIGATION': Message
  'admin.settings.label.PART_WORDS': Message
  'admin.settings.help.PART_WORDS': Message
  'admin.settings.label.POWERED_BY': Message
  'admin.settings.help.POWERED_BY': Message
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
  'admin.looks': Message
  'admin.looks.about': Message
  'admin.looks.name': Message
  'admin.looks.pictures': Message
  'admin.looks.colours': Message
  'admin.looks.contrast': Message
  'admin.looks.contrast.light': Message<{ contrast: string | number; least: string | number }>
  'admin.looks.contrast.dark': Message<{ contrast: string | number; least: string | number }>
  'admin.looks.remove': Message<{ name: string | number }>
  'admin.looks.home.title': Message
  'admin.looks.home.text': Message
  'admin.looks.home.description': Message
  'admin.looks.home.tagline': Message
  'admin.looks.one': Message
  'admin.looks.many': Message
  'admin.looks.place': Message<{ name: string | number }>
  'admin.looks.hide': Message<{ name: string | number }>
  'admin.looks.link': Message<{ number: string | number }>
  'admin.looks.linkLabel': Message
  'admin.looks.linkAddress': Message
  'admin.looks.newPage': Message
  'admin.looks.slug': Message
  'admin.looks.slugHelp': Message
  'admin.looks.pageTitle': Message
  'admin.looks.pageBody': Message
  'admin.looks.preview': Message
  'admin.looks.previewTitle': Message
  'admin.looks.previewAbout': Message
  'admin.looks.changes': Message
  'admin.looks.fromSettings': Message<None, 'link'>
  'admin.looks.choice.fraunces': Message
  'admin.looks.choice.source_serif': Message
  'admin.looks.choice.space_grotesk': Message
  'admin.looks.choice.system': Message
  'admin.looks.choice.on': Message
  'admin.looks.choice.off': Message
  'admin.looks.help.LOGO': Message
  'admin.looks.help.ICON': Message
  'admin.looks.help.HOME_TEXTS': Message
  'admin.looks.help.PART_WORDS': Message
  'admin.looks.help.NAVIGATION': Message
  'admin.looks.help.FOOTER_LINKS': Message
  'admin.looks.help.OWN_PAGES': Message
  'admin.looks.wrong.LOGO': Message
  'admin.looks.wrong.LOGO_DARK': Message
  'admin.looks.wrong.ICON': Message
  'admin.looks.wrong.HOME_TEXTS': Message
  'admin.looks.wrong.PART_WORDS': Message
  'admin.looks.wrong.NAVIGATION': Message
  'admin.looks.wrong.FOOTER_LINKS': Message
  'admin.looks.wrong.OWN_PAGES': Message
  'admin.suggestions': Message
  'admin.suggestions.about': Message
  'admin.suggestions.none': Message
  'admin.suggestions.noneHelp': Message
  'admin.act.sample_remove': Message
  'admin.type.sample': Message
  'admin.samples.title': Message
  'admin.samples.about': Message<{ count: number }>
  'admin.samples.remove': Message
  'admin.samples.removed': Message<{ count: number }>
  'admin.samples.kept': Message
  'admin.board.about': Message
  'admin.board.slug': Message
  'admin.board.slug.help': Message
  'admin.board.position': Message
  'admin.board.position.help': Message
  'admin.board.readers': Message
  'admin.board.writers': Message
  'admin.board.moderators': Message
  'admin.board.rule.help': Message
  'admin.board.agents': Message
  'admin.board.agents.help': Message
  'admin.board.statuses': Message<{ kind: string | number }>
  'admin.board.labels': Message
  'admin.board.new': Message
  'admin.board.create': Message
  'admin.board.created': Message<{ name: string | number }>
  'admin.board.saved': Message<{ name: string | number }>
  'admin.board.deleted': Message
  'admin.board.archive': Message
  'admin.board.unarchive': Message
  'admin.board.archive.of': Message<{ name: string | number }>
  'admin.board.unarchive.of': Message<{ name: string | number }>
  'admin.board.delete': Message
  'admin.board.delete.of': Message<{ name: string | number }>
  'admin.board.delete.warning': Message
  'admin.board.invited': Message
  'admin.board.invited.about': Message
  'admin.board.invited.none': Message
  'admin.board.invited.noneHelp': Message
  'admin.board.uninvite': Message
  'admin.board.uninvite.of': Message<{ name: string | number }>
  'admin.board.uninvite.warning': Message
  'admin.board.uninvited': Message
  'admin.link.noBoard': Message
}
