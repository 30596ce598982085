// The messages of the area ui, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface UiMessages {
  'ui.deletedUser': Message
  'ui.aMember': Message
  'ui.bounds.title': Message
  'ui.bounds.later': Message
  'ui.csv': Message
  'ui.copy': Message
  'ui.copy.of': Message<{ label: string | number; text: string | number }>
  'ui.breadcrumb': Message
  'ui.new': Message
  'ui.via.signed': Message<{ agent: string | number; host: string | number }>
  'ui.via': Message<{ agent: string | number }>
  'ui.comments': Message<{ count: number; shown: string | number }>
  'ui.hit.on': Message
  'ui.hit.votes': Message
  'ui.preview': Message
  'ui.markdown': Message
  'ui.pager.pages': Message
  'ui.pager.previous': Message
  'ui.pager.next': Message
  'ui.pager.page': Message<{ number: string | number }>
  'ui.titleOfPage': Message<{ title: string | number; number: string | number }>
  'ui.reason': Message
  'ui.reason.help': Message
  'ui.search': Message
  'ui.search.any': Message<{ filter: string | number }>
  'ui.search.apply': Message
  'ui.search.clear': Message
  'ui.vote.up': Message<{ title: string | number }>
  'ui.vote.down': Message<{ title: string | number }>
  'ui.vote.net': Message<{ count: number }>
  'ui.vote.score': Message
  'ui.justNow': Message
  'ui.via.helper': Message
  'ui.agent.wrote': Message
  'ui.agent.unverified': Message
  'ui.written': Message
  'ui.written.people': Message
  'ui.written.agents': Message
  'ui.reaction.thumbs_up': Message
  'ui.reaction.heart': Message
  'ui.reaction.hooray': Message
  'ui.reaction.laugh': Message
  'ui.reaction.confused': Message
  'ui.reaction.eyes': Message
  'ui.task.done': Message
  'ui.task.todo': Message
  'ui.footnote.back': Message<{ number: string | number }>
}
