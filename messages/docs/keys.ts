// The messages of the area docs, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface DocsMessages {
  'docs.tab.guide': Message
  'docs.tab.authentication': Message
  'docs.tab.formats': Message
  'docs.tab.errors': Message
  'docs.tab.mcp': Message
  'docs.tab.chat': Message
  'docs.tab.webhooks': Message
  'docs.tab.exports': Message
  'docs.tab.publishing': Message
  'docs.tab.night': Message
  'docs.tab.reference': Message
  'docs.title': Message
  'docs.contents': Message
  'docs.tab.operators': Message
  'docs.tab.install': Message
  'docs.tab.movingIn': Message
  'docs.tab.trackerSync': Message
  'docs.tab.provisioning': Message
  'docs.tab.widget': Message
  'docs.tab.private': Message
  'docs.tab.signIn': Message
  'docs.tab.moderating': Message
  'docs.tab.machines': Message
  'docs.tab.languages': Message
  'docs.tab.looks': Message
  'docs.tab.proxy': Message
  'docs.tab.stores': Message
  'docs.tab.mail': Message
  'docs.tab.backups': Message
  'docs.tab.upgrades': Message
  'docs.tab.keys': Message
  'docs.tab.sizing': Message
  'docs.tab.scaling': Message
  'docs.tab.watching': Message
  'docs.operator.unnamed': Message<{ host: string | number }>
  'docs.operator.unnamedFirst': Message<{ host: string | number }>
  'docs.operator.law': Message<{ law: string | number }>
  'docs.operator.lawOfPlace': Message
  'docs.kept': Message<{ count: number }>
  'docs.privacy.classifier': Message
  'docs.privacy.ai': Message
  'docs.privacy.meanings': Message
  'docs.reference': Message
  'docs.reference.of': Message<{ part: string | number }>
  'docs.reference.partDescription': Message<{ about: string | number }>
  'docs.reference.description': Message
  'docs.reference.intro': Message<None, 'openapi' | 'mcp'>
  'docs.reference.english': Message
  'docs.reference.search': Message
  'docs.reference.submit': Message
  'docs.reference.clear': Message
  'docs.reference.found': Message<{ count: number }>
  'docs.reference.none': Message
  'docs.reference.noneHelp': Message<None, 'all'>
  'docs.reference.noPart': Message
  'docs.reference.operations': Message
  'docs.reference.code': Message
  'docs.reference.way.curl': Message
  'docs.reference.way.typescript': Message
  'docs.reference.way.cli': Message
  'docs.reference.noCli': Message
  'docs.reference.inputsOf': Message<{ name: string | number }>
  'docs.reference.input': Message
  'docs.reference.in': Message
  'docs.reference.value': Message
  'docs.reference.optional': Message
  'docs.reference.who': Message
  'docs.reference.budget': Message
  'docs.reference.answer': Message
  'docs.reference.errors': Message
  'docs.reference.audit': Message
  'docs.reference.example': Message
  'docs.operator.unnamedAsked': Message<{ host: string | number }>
  'docs.errors.of': Message<{ code: string | number }>
  'docs.errors.description': Message<{ code: string | number; status: string | number }>
  'docs.errors.none': Message
  'docs.errors.status': Message
  'docs.errors.meaning': Message
  'docs.errors.remedy': Message
  'docs.errors.bodies': Message
  'docs.errors.operations': Message
  'docs.trial': Message
  'docs.trial.token': Message
  'docs.trial.tokenHelp': Message<None, 'link'>
  'docs.trial.body': Message
  'docs.trial.dry': Message
  'docs.trial.send': Message
  'docs.trial.sendOf': Message<{ name: string | number }>
  'docs.trial.failed': Message
  'docs.trial.cut': Message
  'docs.tab.start': Message
  'docs.inEnglish': Message
}
