// The messages of the area chat, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface ChatMessages {
  'chat.help': Message
  'chat.linkFirst': Message
  'chat.refused': Message<{ reason: string | number }>
  'chat.searchWhat': Message
  'chat.nothing': Message
  'chat.bugHow': Message
  'chat.waits': Message
  'chat.filed': Message
  'chat.openLink': Message
  'chat.slow': Message
}
