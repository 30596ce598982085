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
  'item.deprecate.this': Message<{ kind: 'workflow' | 'automation' | string }>
  'item.deprecate.about': Message<{ kind: 'workflow' | 'automation' | string }>
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
  'item.owners.team': Message<{ kind: 'workflow' | 'automation' | string; name: string | number }, 'team'>
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
  'item.edit.ownersAbout': Message<{ kind: 'workflow' | 'automation' | string }, 'link'>
  'item.edit.ownersTeam': Message<{ kind: 'workflow' | 'automation' | string }, 'link'>
  'item.edit.webhooks': Message
  'item.edit.webhooksAbout': Message<{ kind: 'workflow' | 'automation' | string }, 'link'>
  'item.edit.delete': Message
  'item.edit.deleteThis': Message<{ kind: 'workflow' | 'automation' | string }>
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
}
