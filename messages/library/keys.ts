// The messages of the area library, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface LibraryMessages {
  'library.updated': Message
  'library.moreTags': Message<{ count: number }>
  'library.visibility.private': Message
  'library.visibility.public': Message
  'library.visibility.official': Message
  'library.visibility.choice': Message<{ state: string | number; meaning: string | number }>
  'library.detect': Message
  'library.title': Message
  'library.titleOf': Message<{ list: string | number }>
  'library.description': Message
  'library.about.all': Message
  'library.about.maintained': Message
  'library.about.mine': Message
  'library.maintained': Message
  'library.mine': Message
  'library.everything': Message
  'library.yours': Message
  'library.tabMaintained': Message
  'library.publisher': Message
  'library.publisher.official': Message
  'library.tag': Message
  'library.order.best': Message
  'library.order.latest': Message
  'library.order.popular': Message
  'library.publish': Message
  'library.kinds': Message
  'library.search': Message
  'library.count': Message<{ count: number; shown: string | number }>
  'library.countMore': Message<{ count: string | number }>
  'library.empty.sought': Message
  'library.empty.soughtText': Message
  'library.empty': Message
  'library.empty.maintained': Message
  'library.empty.mine': Message
  'library.empty.mineText': Message
  'library.empty.publish': Message
  'library.empty.page': Message
  'library.empty.pageText': Message<None, 'first'>
  'library.empty.public': Message
  'library.empty.first': Message
  'library.upload.title': Message
  'library.upload.intro': Message
  'library.upload.file': Message
  'library.upload.kind': Message
  'library.upload.visibility': Message
  'library.upload.visibilityHelp': Message
  'library.upload.for': Message
  'library.upload.forHelp': Message
  'library.upload.yourself': Message
  'library.upload.version': Message
  'library.upload.versionHelp': Message
  'library.upload.fileLabel': Message
  'library.upload.scan': Message
  'library.upload.scanHelp': Message
  'library.upload.stop': Message
  'library.upload.anyway': Message
  'library.upload.uploading': Message
  'library.upload.cancel': Message
  'library.field.name': Message
  'library.field.nameHelp': Message
  'library.field.description': Message
  'library.field.descriptionHelp': Message
  'library.field.descriptionDefault': Message
  'library.field.tags': Message
  'library.field.tagsExample': Message
  'library.field.tagsHelp': Message
  'library.install': Message
  'library.install.copy': Message
  'library.install.elsewhere': Message
  'library.install.copyElsewhere': Message
  'library.install.agent': Message
  'library.install.download': Message<{ version: string | number }>
  'library.install.signIn': Message
  'library.install.other': Message
  'library.install.curl': Message
  'library.install.copyDownload': Message
  'library.install.mcp': Message<{ name: string | number }, 'code' | 'how'>
  'library.install.copyServer': Message
  'library.install.verify': Message<{ version: string | number }, 'code'>
  'library.install.copyVerify': Message
  'library.install.package': Message<None, 'code' | 'name'>
  'library.install.links': Message<{ scheme: string | number }, 'code'>
  'library.life.deprecated': Message<{ kind: 'workflow' | 'automation' | 'org' | string }>
  'library.life.successor': Message<{ name: string | number }, 'link'>
  'library.life.yanked': Message<{ kind: 'workflow' | 'automation' | 'org' | string }>
  'library.hash.copy': Message<{ name: string | number }>
  'library.tags': Message
  'library.tags.items': Message<{ count: number }>
  'library.uses': Message
  'library.uses.deprecated': Message
  'library.uses.unknown': Message
  'library.picture.alt': Message<{ name: string | number; kind: string | number; version: string | number }>
  'library.usedBy': Message<{ items: string | number }>
  'library.item.version': Message<{ version: string | number }>
  'library.item.by': Message<None, 'author'>
  'library.item.byFor': Message<{ name: string | number }, 'author' | 'team'>
  'library.item.privateTeam': Message<{ team: string | number }>
  'library.item.private': Message
  'library.item.makePublic': Message<None, 'link'>
  'library.item.edit': Message
  'library.item.manage': Message
  'library.item.chart': Message
  'library.item.description': Message
  'library.item.readme': Message
  'library.item.facts': Message
  'library.fact.version': Message
  'library.fact.licence': Message
  'library.fact.size': Message
  'library.fact.published': Message
  'library.fact.downloads': Message
  'library.fact.downloadsOf': Message<{ total: string | number; week: string | number }>
  'library.fact.publisher': Message
  'library.fact.built': Message
  'library.fact.run': Message
  'library.fact.approver': Message
  'library.fact.engine': Message
  'library.allUsers': Message
  'library.warning': Message
  'library.more': Message<{ count: string | number }>
  'library.mayDoMore': Message<{ version: string | number; before: string | number }, 'names' | 'link'>
  'library.permission.connector': Message
  'library.permission.download': Message
  'library.permission.model': Message
  'library.permission.schedule': Message
  'library.permission.script': Message
  'library.permission.secret': Message
  'library.permission.site': Message
  'library.permission.step': Message
  'library.versions.count': Message<{ count: number }>
  'library.versions': Message
  'library.versions.earlier': Message<{ count: number }>
  'library.versions.earlierTitle': Message
  'library.versions.pinned': Message<None, 'compare'>
  'library.versions.download': Message
  'library.versions.downloadOf': Message<{ version: string | number }>
  'library.versions.sha': Message
  'library.files': Message
  'library.files.file': Message
  'library.files.more': Message<{ count: string | number }>
  'library.files.in': Message<{ count: number; version: string | number }>
  'library.files.show': Message<{ size: string | number }>
  'library.people': Message
  'library.people.team': Message<{ name: string | number }, 'team'>
  'library.people.owner': Message
  'library.people.maintainer': Message
  'library.people.member': Message
  'library.people.since': Message
  'library.people.manage': Message
  'library.badge': Message
  'library.badge.alt': Message<{ name: string | number; version: string | number }>
  'library.badge.copy': Message
  'library.scan': Message
  'library.scan.clean': Message
  'library.scan.notes': Message
  'library.scan.suspicious': Message
  'library.scan.severe': Message
  'library.scan.unfinished': Message
  'library.severity.note': Message
  'library.severity.suspicious': Message
  'library.severity.severe': Message
  'library.scan.version': Message<{ version: string | number }>
  'library.scan.scanned': Message
  'library.scan.line': Message<{ line: string | number }>
  'library.scan.answer': Message<None, 'when'>
  'library.scan.meaningless': Message<{ count: number }>
  'library.anyOf.connector': Message
  'library.anyOf.download': Message
  'library.anyOf.model': Message
  'library.anyOf.schedule': Message
  'library.anyOf.script': Message
  'library.anyOf.secret': Message
  'library.anyOf.site': Message
  'library.anyOf.step': Message
}
