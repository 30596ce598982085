// The messages of the area search, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface SearchMessages {
  'search.title': Message
  'search.ofSite': Message
  'search.titleOf': Message<{ q: string | number }>
  'search.description': Message
  'search.label': Message
  'search.placeholder': Message
  'search.types': Message
  'search.all': Message<{ count: string | number }>
  'search.countMore': Message<{ count: string | number }>
  'search.corrected': Message<{ words: string | number; nearest: string | number }, 'link'>
  'search.quoted': Message<{ word: string | number }>
  'search.hits': Message
  'search.noPage': Message
  'search.fewerPages': Message
  'search.firstPage': Message
  'search.noneOf': Message<{ types: string | number }>
  'search.otherTypes': Message<{ count: string | number }>
  'search.showAll': Message
  'search.nothing': Message
  'search.tryOther': Message
  'search.openFeed': Message
  'search.browse': Message
  'search.news': Message<None, 'feed'>
  'search.start': Message
  'search.startText': Message
  'search.feedTitle': Message<{ q: string | number }>
  'search.feedEntry': Message<{ type: string | number; title: string | number }>
}
