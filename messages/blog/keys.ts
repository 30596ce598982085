// The messages of the area blog, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface BlogMessages {
  'blog.title': Message
  'blog.description': Message
  'blog.feed': Message
  'blog.empty': Message
  'blog.emptyText': Message
}
