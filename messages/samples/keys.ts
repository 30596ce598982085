// The messages of the area samples, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface SamplesMessages {
  'samples.label.start': Message
  'samples.label.startAbout': Message
  'samples.label.design': Message
  'samples.label.designAbout': Message
  'samples.label.question': Message
  'samples.label.questionAbout': Message
  'samples.post.title': Message
  'samples.post.body': Message
  'samples.bug.slow': Message
  'samples.bug.slowText': Message
  'samples.bug.mail': Message
  'samples.bug.mailText': Message
  'samples.feature.title': Message
  'samples.feature.text': Message
}
