// The messages of the area widget, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface WidgetMessages {
  'widget.title': Message
  'widget.close': Message
  'widget.views': Message
  'widget.view.bug': Message
  'widget.view.ideas': Message
  'widget.view.news': Message
  'widget.guest': Message
  'widget.similar': Message
  'widget.shot': Message
  'widget.shot.help': Message
  'widget.shot.capture': Message
  'widget.shot.file': Message
  'widget.shot.preview': Message
  'widget.shot.left': Message
  'widget.shot.right': Message
  'widget.shot.top': Message
  'widget.shot.bottom': Message
  'widget.shot.drop': Message
  'widget.send.bug': Message
  'widget.send.idea': Message
  'widget.idea': Message
  'widget.vote.guest': Message
}
