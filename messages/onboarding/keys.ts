// The messages of the area onboarding, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message, None } from '../../src/language/words.ts'

export interface OnboardingMessages {
  'onboarding.username.title': Message
  'onboarding.username.intro': Message
  'onboarding.username.label': Message
  'onboarding.username.help': Message
  'onboarding.save': Message
  'onboarding.verify': Message<None, 'verify'>
  'onboarding.welcome.title': Message
  'onboarding.welcome.hello': Message<{ name: string | number }>
  'onboarding.welcome.intro': Message
  'onboarding.first.post': Message
  'onboarding.first.postAbout': Message
  'onboarding.first.install': Message
  'onboarding.first.installAbout': Message
  'onboarding.first.profile': Message
  'onboarding.first.profileAbout': Message
  'onboarding.people': Message
  'onboarding.follow': Message
  'onboarding.followOne': Message<{ username: string | number }>
  'onboarding.unfollow': Message
  'onboarding.unfollowOne': Message<{ username: string | number }>
  'onboarding.done': Message
}
