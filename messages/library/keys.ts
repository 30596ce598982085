// The messages of the area library, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface LibraryMessages {
  'library.updated': Message
  'library.inGallery': Message
  'library.moreTags': Message<{ count: number }>
  'library.visibility.private': Message
  'library.visibility.public': Message
  'library.visibility.official': Message
  'library.visibility.choice': Message<{ state: string | number; meaning: string | number }>
  'library.detect': Message
}
