// The messages of the area docs, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface DocsMessages {
  'docs.tab.guide': Message
  'docs.tab.authentication': Message
  'docs.tab.errors': Message
  'docs.tab.mcp': Message
  'docs.tab.webhooks': Message
  'docs.tab.night': Message
  'docs.tab.reference': Message
  'docs.title': Message
  'docs.tab.operators': Message
  'docs.tab.install': Message
  'docs.tab.proxy': Message
  'docs.tab.stores': Message
  'docs.tab.mail': Message
  'docs.tab.backups': Message
  'docs.tab.upgrades': Message
  'docs.tab.keys': Message
  'docs.tab.sizing': Message
  'docs.tab.watching': Message
}
