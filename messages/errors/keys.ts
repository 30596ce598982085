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
  'errors.page.missing.help': Message
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
  'errors.tooMany': Message<{ retry: string | number }>
  'errors.retrySoon': Message
  'errors.retryMinutes': Message<{ count: number }>
  'errors.retrySeconds': Message<{ count: number }>
  'errors.blocked': Message
  'errors.proof': Message
  'errors.noPermission': Message
  'errors.sessionOver': Message
  'errors.numbered': Message<{ number: string | number; words: string | number }>
  'errors.code.400': Message<{ message: string | number }>
  'errors.code.403': Message
  'errors.code.404': Message
  'errors.code.409': Message<{ message: string | number }>
  'errors.code.413': Message
  'errors.code.429': Message
  'errors.code.503': Message
  'errors.readers.title': Message
  'errors.readers.about': Message<{ email: string | number }>
}
