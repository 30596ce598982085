// The messages of the area profile, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface ProfileMessages {
  'profile.description': Message<{ name: string | number }>
  'profile.tab.activity': Message
  'profile.tab.posts': Message
  'profile.tab.comments': Message
  'profile.tab.items': Message
  'profile.tab.orgs': Message
  'profile.picture': Message<{ name: string | number }>
  'profile.edit': Message
  'profile.did': Message
  'profile.items': Message<{ count: number }>
  'profile.empty.own': Message
  'profile.empty.ownHelp': Message
  'profile.empty.item': Message
  'profile.empty.org': Message
  'profile.empty.post': Message
  'profile.empty.ownComments': Message
  'profile.empty.comments': Message<{ name: string | number }>
  'profile.empty': Message<{ name: string | number }>
  'profile.empty.ownAppears': Message
  'profile.empty.appears': Message
  'profile.blocked': Message
  'profile.blocked.title': Message<{ username: string | number }>
  'profile.blocked.help': Message
  'profile.job': Message<{ title: string | number; company: string | number }>
  'profile.since': Message<{ day: string | number }>
  'profile.trust': Message<{ level: string | number }>
  'profile.badges': Message
  'profile.badge.first_fix': Message
  'profile.badge.first_fix.about': Message
  'profile.badge.ten_fixes': Message
  'profile.badge.ten_fixes.about': Message
  'profile.badge.shipped': Message
  'profile.badge.shipped.about': Message
  'profile.badge.publisher': Message
  'profile.badge.publisher.about': Message
  'profile.badge.ten_thanked': Message
  'profile.badge.ten_thanked.about': Message
  'profile.block.reason': Message
  'profile.unblock': Message<{ username: string | number }>
  'profile.block': Message
  'profile.block.button': Message<{ username: string | number }>
  'profile.block.help': Message<{ username: string | number }>
}
