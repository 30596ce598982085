// The messages of the area share, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface ShareMessages {
  'share.by': Message<{ name: string | number }>
  'share.byMember': Message
  'share.votes': Message<{ count: number }>
  'share.org': Message<{ count: number }>
  'share.person': Message
  'share.contributions': Message<{ count: number }>
  'share.team': Message
  'share.members': Message<{ count: number }>
  'share.items': Message<{ count: number }>
  'share.blog': Message
  'share.feed': Message<{ title: string | number }>
  'share.feedEntry': Message<{ kind: string | number; title: string | number }>
}
