// The messages of the area editor, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface EditorMessages {
  'editor.bold': Message
  'editor.code': Message
  'editor.counter.left': Message<{ count: string | number }>
  'editor.counter.over': Message<{ count: string | number }>
  'editor.describe': Message
  'editor.draft.discard': Message
  'editor.draft.kept': Message
  'editor.draft.restored': Message<None, 'time'>
  'editor.draft.unkept': Message
  'editor.failed': Message<{ why: string | number }>
  'editor.formatting': Message
  'editor.heading': Message
  'editor.italic': Message
  'editor.keys.suggest': Message
  'editor.keys.title': Message
  'editor.link': Message
  'editor.list': Message
  'editor.numbered': Message
  'editor.offline': Message
  'editor.picture': Message
  'editor.pictures': Message
  'editor.previewFailed': Message
  'editor.quote': Message
  'editor.quoteSelection': Message
  'editor.send': Message
  'editor.sending': Message<{ name: string | number }>
  'editor.sent': Message
  'editor.suggestions': Message
  'editor.task': Message
  'editor.types': Message<{ name: string | number }>
  'editor.upload': Message
  'editor.view': Message
  'editor.withKeys': Message<{ label: string | number; keys: string | number }>
  'editor.write': Message
}
