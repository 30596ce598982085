// The messages of the area item, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface ItemMessages {
  'item.change.added': Message
  'item.change.changed': Message
  'item.change.removed': Message
  'item.sizes': Message<{ from: string | number; to: string | number }>
  'item.line': Message<{ line: string | number }>
  'item.unchangedFiles': Message<{ count: number }>
  'item.unchanged': Message<{ count: string | number }>
  'item.parts.nodes': Message
  'item.parts.roles': Message
  'item.parts.steps': Message
  'item.deprecate': Message
  'item.deprecate.this': Message<{ kind: 'workflow' | 'automation' | 'org' | string }>
  'item.deprecate.about': Message<{ kind: 'workflow' | 'automation' | 'org' | string }>
  'item.deprecate.message': Message
  'item.deprecate.messageHelp': Message
  'item.deprecate.successor': Message
  'item.deprecate.successorHelp': Message
  'item.deprecate.undo': Message
  'item.inAuditLog': Message
  'item.save': Message
  'item.saved': Message
  'item.graph': Message<{ count: number }>
  'item.graph.off': Message
  'item.graph.next': Message<{ next: string | number; more: number }>
  'item.graph.notDrawn': Message<{ nodes: number; links: number }>
  'item.yank': Message
  'item.yank.version': Message<{ version: string | number }>
  'item.yank.undo': Message<{ version: string | number }>
  'item.yank.about': Message
  'item.yank.undoAbout': Message
  'item.yank.reason': Message
  'item.yank.reasonShown': Message
  'item.yank.reasonOptional': Message
  'item.mayDo.anywhere': Message
  'item.mayDo.anywhereWarning': Message
  'item.mayDo.sites': Message
  'item.mayDo.sitesWarning': Message<{ count: number; domains: string | number }>
  'item.mayDo.steps': Message
  'item.mayDo.noSteps': Message
  'item.mayDo.scripts': Message
  'item.mayDo.scriptsWarning': Message
  'item.mayDo.noScripts': Message
  'item.mayDo.downloads': Message
  'item.mayDo.downloadsWarning': Message
  'item.mayDo.noDownloads': Message
  'item.mayDo.native': Message
  'item.mayDo.nativeWarning': Message
  'item.mayDo.actions': Message
  'item.mayDo.trigger': Message
  'item.mayDo.manual': Message
  'item.mayDo.automations': Message
  'item.mayDo.tools': Message
  'item.mayDo.toolsWarning': Message
  'item.mayDo.noTools': Message
  'item.mayDo.skillScripts': Message
  'item.mayDo.skillScriptsWarning': Message
  'item.mayDo.noSkillScripts': Message
  'item.mayDo.compatibility': Message
  'item.mayDo.packages': Message
  'item.mayDo.packagesWarning': Message
  'item.mayDo.remotes': Message
  'item.mayDo.secrets': Message
  'item.mayDo.secretsWarning': Message
  'item.mayDo.given': Message
  'item.mayDo.unverified': Message
  'item.mayDo.agents': Message<{ count: number }>
  'item.mayDo.topology': Message
  'item.mayDo.policies': Message
  'item.mayDo.policiesWarning': Message
  'item.invitations': Message
  'item.invitations.none': Message
  'item.invitations.noneText': Message
  'item.invitations.declined': Message
  'item.invitations.accept': Message
  'item.invitations.acceptOf': Message<{ title: string | number }>
  'item.invitations.decline': Message
  'item.invitations.declineOf': Message<{ title: string | number }>
  'item.invited.owner': Message<None, 'who'>
  'item.invited.maintainer': Message<None, 'who'>
  'item.invited.transfer': Message<None, 'who'>
  'item.invited.team.owner': Message<None, 'who'>
  'item.invited.team.member': Message<None, 'who'>
  'item.invited.team.transfer': Message<{ team: string | number }, 'who'>
  'item.feed.yanked': Message<{ text: string | number }>
  'item.webhooks.of': Message<{ name: string | number }>
  'item.webhooks.existing': Message
  'item.webhooks.about': Message
  'item.webhooks.none': Message
  'item.webhooks.refused': Message
  'item.publishers.of': Message<{ name: string | number }>
  'item.publishers.about': Message<None, 'link'>
  'item.publishers.refused': Message
  'item.publishers.existing': Message
  'item.publishers.added': Message
  'item.publishers.removed': Message
  'item.publishers.inEnvironment': Message<{ name: string | number }>
  'item.publishers.as': Message<{ name: string | number }>
  'item.publishers.used': Message
  'item.publishers.unused': Message
  'item.publishers.remove': Message
  'item.publishers.removeHelp': Message
  'item.publishers.none': Message
  'item.publishers.noneHelp': Message
  'item.publishers.add': Message
  'item.publishers.issuer': Message
  'item.publishers.issuerHelp': Message
  'item.publishers.repository': Message
  'item.publishers.repositoryHelp': Message
  'item.publishers.workflow': Message
  'item.publishers.workflowHelp': Message
  'item.publishers.ref': Message
  'item.publishers.refHelp': Message
  'item.publishers.environment': Message
  'item.publishers.environmentHelp': Message
  'item.staging.title': Message
  'item.staging.on': Message
  'item.staging.off': Message
  'item.staging.turnOn': Message
  'item.staging.turnOff': Message
  'item.staging.waits': Message
  'item.staging.mayNewly': Message
  'item.version.description': Message<{ version: string | number; name: string | number }>
  'item.version.published': Message
  'item.version.downloads': Message<{ count: number; shown: string | number }>
  'item.version.licence': Message<{ name: string | number }>
  'item.version.current': Message
  'item.version.currentIs': Message<{ version: string | number }>
  'item.version.yanked': Message<{ version: string | number }, 'when'>
  'item.version.yankedFor': Message<{ reason: string | number; version: string | number }, 'when'>
  'item.version.new': Message
  'item.version.file': Message
  'item.version.copyHash': Message
  'item.usedBy.title': Message<{ name: string | number }>
  'item.usedBy.description': Message<{ name: string | number }>
  'item.usedBy.about': Message<{ items: string | number }>
  'item.usedBy.noMore': Message
  'item.usedBy.back': Message
  'item.usedBy.none': Message
  'item.usedBy.noneText': Message<{ name: string | number }>
  'item.owners.of': Message<{ name: string | number }>
  'item.owners.mayPublish': Message
  'item.owners.team': Message<{ kind: 'workflow' | 'automation' | 'org' | string; name: string | number }, 'team'>
  'item.owners.published': Message
  'item.owners.holds': Message
  'item.owners.removeHelp': Message<{ name: string | number }>
  'item.owners.leave': Message
  'item.owners.leaveHelp': Message
  'item.owners.leaveHolder': Message
  'item.owners.role.maintainerHelp': Message
  'item.owners.role.ownerHelp': Message
  'item.owners.rename': Message
  'item.owners.address': Message
  'item.owners.addressHelp': Message
  'item.owners.transfer': Message
  'item.owners.newOwner': Message
  'item.owners.newOwnerHelp': Message
  'item.owners.offer': Message
  'item.owners.newTeam': Message
  'item.owners.newTeamHelp': Message
  'item.owners.offerTeam': Message
  'item.file.title': Message<{ path: string | number; name: string | number }>
  'item.file.description': Message<{ path: string | number; name: string | number; version: string | number }>
  'item.file.lines': Message<{ count: number; shown: string | number }>
  'item.file.notText': Message
  'item.file.cut': Message
  'item.file.all': Message<{ count: number; shown: string | number }>
  'item.file.members': Message
  'item.edit.title': Message<{ name: string | number }>
  'item.edit.details': Message
  'item.edit.refused': Message
  'item.edit.official': Message
  'item.edit.visibility': Message
  'item.edit.address': Message<{ path: string | number }, 'code'>
  'item.edit.version': Message
  'item.edit.versionAbout': Message<{ version: string | number }>
  'item.edit.filePackage': Message
  'item.edit.fileArchive': Message<{ endings: string | number }>
  'item.edit.fileJson': Message
  'item.edit.publish': Message
  'item.edit.number': Message
  'item.edit.numberHelp': Message<{ version: string | number }>
  'item.edit.new': Message
  'item.edit.newHelp': Message
  'item.edit.newHelpPackage': Message
  'item.edit.answer': Message
  'item.edit.answerHelp': Message
  'item.edit.answerSave': Message
  'item.edit.makeOfficial': Message
  'item.edit.makeOfficialHelp': Message
  'item.edit.makeOfficialSubmit': Message
  'item.edit.owners': Message
  'item.edit.ownersAbout': Message<{ kind: 'workflow' | 'automation' | 'org' | string }, 'link'>
  'item.edit.ownersTeam': Message<{ kind: 'workflow' | 'automation' | 'org' | string }, 'link'>
  'item.edit.webhooks': Message
  'item.edit.webhooksAbout': Message<{ kind: 'workflow' | 'automation' | 'org' | string }, 'link'>
  'item.edit.publishers': Message
  'item.edit.publishersAbout': Message<{ kind: 'workflow' | 'automation' | 'org' | string }, 'link'>
  'item.edit.delete': Message
  'item.edit.deleteThis': Message<{ kind: 'workflow' | 'automation' | 'org' | string }>
  'item.edit.deleteHelp': Message
  'item.compare.one': Message<{ name: string | number; version: string | number }>
  'item.compare.two': Message<{ name: string | number; from: string | number; to: string | number }>
  'item.compare.description': Message<{ name: string | number }>
  'item.compare.fromTo': Message<{ from: string | number; to: string | number }>
  'item.compare.version': Message<{ version: string | number }>
  'item.compare.from': Message
  'item.compare.to': Message
  'item.compare.submit': Message
  'item.compare.mayDo': Message
  'item.compare.newIn': Message<{ version: string | number }>
  'item.compare.new': Message
  'item.compare.nothingNew': Message<{ to: string | number; from: string | number }>
  'item.compare.nothing': Message
  'item.compare.gone': Message
  'item.compare.more': Message
  'item.outcomes': Message
  'item.outcomes.rate': Message<{ count: number; rate: string | number; shown: string | number }>
  'item.outcomes.bound': Message<{ bound: string | number }>
  'item.outcomes.errors': Message
  'item.outcomes.error.install': Message
  'item.outcomes.error.start': Message
  'item.outcomes.error.permission': Message
  'item.outcomes.error.network': Message
  'item.outcomes.error.input': Message
  'item.outcomes.error.timeout': Message
  'item.outcomes.error.crash': Message
  'item.outcomes.error.other': Message
  'item.outcomes.ask': Message
  'item.outcomes.about': Message
  'item.outcomes.outcome': Message
  'item.outcomes.worked': Message
  'item.outcomes.failed': Message
  'item.outcomes.class': Message
  'item.outcomes.noClass': Message
  'item.outcomes.text': Message
  'item.outcomes.textHelp': Message
  'item.outcomes.send': Message
  'item.outcomes.thanks': Message
  'item.outcomes.texts': Message
  'item.outcomes.textsAbout': Message
  'item.outcomes.worse': Message<{ to: string | number; from: string | number }>
  'item.feedback': Message<{ version: string | number }>
  'item.feedback.none': Message
  'item.feedback.bugs': Message
  'item.feedback.features': Message
  'item.feedback.comments': Message
  'item.feedback.all': Message<{ count: string | number }>
  'item.feedback.report': Message
  'item.feedback.ask': Message
  'item.feedback.link': Message
  'item.feedback.linkOf': Message<{ version: string | number }>
  'item.feedback.closes': Message
  'item.feedback.closesHelp': Message
  'item.feedback.version': Message
  'item.feedback.noVersion': Message
}
