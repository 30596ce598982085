// The messages of the area errors, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface ErrorsMessages {
  'errors.page.401': Message
  'errors.page.401.help': Message
  'errors.page.403': Message
  'errors.page.403.help': Message
  'errors.page.404': Message
  'errors.page.404.help': Message
  'errors.page.429': Message
  'errors.page.429.help': Message
  'errors.page.503': Message
  'errors.page.503.help': Message
  'errors.page.500': Message
  'errors.page.500.help': Message
  'errors.page.other': Message
  'errors.page.other.help': Message
  'errors.page.status': Message<{ status: string | number }>
  'errors.page.toFeed': Message
  'errors.page.toLibrary': Message
}
