// The messages of the area orgs, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface OrgsMessages {
  'orgs.gallery.none': Message
  'orgs.gallery.help': Message
  'orgs.gallery.first': Message
  'orgs.ofRoles': Message<{ count: number }>
  'orgs.roleCount': Message<{ count: number; shown: string | number }>
  'orgs.chart': Message
  'orgs.goal': Message
  'orgs.definition': Message
  'orgs.topology': Message
  'orgs.notSpecified': Message
  'orgs.roles': Message
  'orgs.size': Message
  'orgs.updated': Message
  'orgs.hash': Message
  'orgs.hash.copy': Message
  'orgs.definition.download': Message
  'orgs.edit.refused': Message
  'orgs.edit.choosePicture': Message
  'orgs.edit.pictureLarge': Message
  'orgs.edit': Message
  'orgs.edit.about': Message
  'orgs.edit.name': Message
  'orgs.edit.tagline': Message
  'orgs.edit.taglineHelp': Message
  'orgs.edit.bannerNow': Message
  'orgs.edit.bannerRemove': Message
  'orgs.edit.bannerChange': Message
  'orgs.edit.banner': Message
  'orgs.edit.bannerHelp': Message
  'orgs.edit.description': Message
  'orgs.edit.descriptionHelp': Message
  'orgs.edit.text': Message
  'orgs.edit.textHelp': Message
  'orgs.edit.picture': Message
  'orgs.edit.pictureHelp': Message
  'orgs.edit.pictureUpload': Message
  'orgs.edit.pictureDone': Message
  'orgs.edit.pictureAlt': Message
  'orgs.edit.notOwner': Message
  'orgs.edit.webhooks': Message<None, 'link'>
  'orgs.edit.delete': Message
  'orgs.edit.deleteHelp': Message
  'orgs.run.noFile': Message
  'orgs.run.file': Message<{ file: string | number; org: string | number }>
  'orgs.run.wrote': Message<{ org: string | number }>
  'orgs.run.wroteLabel': Message<{ org: string | number; label: string | number }>
  'orgs.runs': Message
  'orgs.run.open': Message
  'orgs.run.files': Message
  'orgs.run.sandbox': Message
  'orgs.run.plain': Message
  'orgs.new.large': Message
  'orgs.new.size': Message<{ bytes: string | number }>
  'orgs.new.encoding': Message
  'orgs.new.choose': Message
  'orgs.new.at': Message<{ problem: string | number }>
  'orgs.new.about': Message
  'orgs.new.file': Message
  'orgs.new.fileHelp': Message
  'orgs.new.pasteHelp': Message
  'orgs.new.upload': Message
  'orgs.links': Message
  'orgs.links.between': Message
  'orgs.links.from': Message
  'orgs.links.to': Message
  'orgs.links.type': Message
  'orgs.links.more': Message<{ count: string | number }>
  'orgs.runCount': Message<{ count: number; shown: string | number }>
  'orgs.role.id': Message
  'orgs.role.reportsTo': Message
  'orgs.role.noOne': Message
  'orgs.role.unknown': Message
  'orgs.role.skills': Message
  'orgs.role.responsibilities': Message
  'orgs.role.policy': Message
  'orgs.role.noPolicy': Message
  'orgs.roles.all': Message<{ count: string | number }>
  'orgs.roles.more': Message<{ count: string | number }, 'link'>
  'orgs.runs.none': Message
  'orgs.runs.unlabeled': Message
  'orgs.runs.delete': Message
  'orgs.runs.deleteHelp': Message
  'orgs.runs.about': Message
  'orgs.runs.pages': Message
  'orgs.runs.newer': Message
  'orgs.runs.older': Message
  'orgs.runs.hidden': Message
  'orgs.runs.attach': Message
  'orgs.runs.labelHelp': Message
  'orgs.runs.files': Message
  'orgs.runs.filesHelp': Message
  'orgs.runs.submit': Message
  'orgs.runs.signIn': Message<None, 'link'>
  'orgs.chart.spoken': Message<{ role: string | number }>
  'orgs.chart.reportsTo': Message<{ role: string | number }>
  'orgs.chart.talksTo': Message<{ roles: string | number }>
  'orgs.chart.talksToMore': Message<{ roles: string | number; count: string | number }>
  'orgs.chart.legend': Message
  'orgs.chart.moreRoles': Message<{ count: string | number }>
  'orgs.chart.moreLinks': Message<{ count: string | number }>
  'orgs.untitled': Message
  'orgs.fact.model': Message
  'orgs.fact.provider': Message
  'orgs.fact.runtime': Message
  'orgs.fact.instructions': Message
  'orgs.fact.budget': Message
  'orgs.fact.tokens': Message
  'orgs.fact.tokenCount': Message<{ count: string | number }>
  'orgs.fact.turns': Message
  'orgs.fact.atMost': Message<{ count: string | number }>
  'orgs.rule.allowTools': Message
  'orgs.rule.denyTools': Message
  'orgs.rule.autoApproveTools': Message
  'orgs.rule.fileRead': Message
  'orgs.rule.fileWrite': Message
  'orgs.rule.webAllow': Message
  'orgs.rule.maxTokens': Message
  'orgs.rule.maxUsd': Message
  'orgs.rule.git': Message
  'orgs.rule.fence': Message
  'orgs.git.none': Message
  'orgs.git.read': Message
  'orgs.git.commit': Message
  'orgs.git.push': Message
  'orgs.fence.on': Message
  'orgs.fence.off': Message
  'orgs.fence.pii': Message
  'orgs.fence.messages': Message
  'orgs.fence.output': Message
  'orgs.fence.stops': Message<{ threshold: string | number }>
  'orgs.fence.exceptions': Message<{ count: string | number }>
  'orgs.fence.nothing': Message
  'orgs.nothing': Message
  'orgs.chart.zoom': Message
  'orgs.chart.zoomIn': Message
  'orgs.chart.zoomOut': Message
  'orgs.chart.fit': Message
  'orgs.chart.zoomHelp': Message
  'orgs.chart.role': Message
  'orgs.chart.close': Message
  'orgs.runs.compare': Message
  'orgs.runs.compareHelp': Message
  'orgs.runs.compareOne': Message<{ label: string | number }>
  'orgs.edit.bannerNew': Message
  'orgs.edit.bannerNewHelp': Message
  'orgs.edit.pictureNumber': Message<{ number: string | number }>
  'orgs.edit.pictureInsert': Message<{ number: string | number }>
  'orgs.edit.pictureInserted': Message
  'orgs.edit.pictureAppend': Message
  'orgs.compare': Message
  'orgs.compare.of': Message<{ name: string | number }>
  'orgs.compare.about': Message<{ name: string | number }>
  'orgs.compare.runs': Message
  'orgs.compare.first': Message
  'orgs.compare.second': Message
  'orgs.compare.submit': Message
  'orgs.compare.same': Message
  'orgs.compare.changed': Message
  'orgs.compare.alone': Message
  'orgs.compare.unread': Message
  'orgs.compare.tooMany': Message
  'orgs.compare.none': Message
  'orgs.compare.noneHelp': Message
  'orgs.compare.back': Message
  'orgs.compare.twice': Message
  'orgs.compare.twiceHelp': Message
  'orgs.compare.files': Message<{ count: number }>
  'orgs.compare.allSame': Message
  'orgs.compare.differ': Message<{ count: number; total: string | number }>
  'orgs.compare.notFirst': Message
  'orgs.compare.notSecond': Message
  'orgs.compare.unreadHelp': Message
}
