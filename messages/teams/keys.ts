// The messages of the area teams, with their variables and tags.
// Derived by npm run derive; do not edit.
import type { Message } from '../../src/language/words.ts'

export interface TeamsMessages {
  'teams.about': Message
  'teams.yours': Message
  'teams.members': Message<{ count: number; shown: string | number }>
  'teams.items': Message<{ count: number; shown: string | number }>
  'teams.since': Message
  'teams.created': Message
  'teams.none': Message
  'teams.noneHelp': Message
  'teams.with': Message<{ count: number; shown: string | number }>
  'teams.picture': Message<{ name: string | number }>
  'teams.publish': Message
  'teams.peopleAndSettings': Message
  'teams.asModerator': Message
  'teams.noItems': Message
  'teams.noItemsHelp': Message
  'teams.mayPublish': Message
  'teams.role.owner': Message
  'teams.role.member': Message
  'teams.role.maintainer': Message
  'teams.role.transfer': Message
  'teams.leave': Message
  'teams.leaveHelp': Message
  'teams.edit.refused': Message
  'teams.role.memberHelp': Message
  'teams.role.ownerHelp': Message
  'teams.edit.title': Message<{ name: string | number }>
  'teams.saved': Message
  'teams.make.member': Message
  'teams.make.maintainer': Message
  'teams.make.owner': Message
  'teams.makeOf': Message<{ act: string | number; name: string | number }>
  'teams.remove': Message<{ name: string | number }>
  'teams.removeHelp': Message<{ name: string | number }>
  'teams.invitations': Message
  'teams.until': Message
  'teams.withdrawOf': Message<{ name: string | number }>
  'teams.withdraw': Message
  'teams.invite': Message
  'teams.role': Message
  'teams.inviteSend': Message
  'teams.name': Message
  'teams.description': Message
  'teams.address': Message
  'teams.addressHelp': Message
  'teams.delete': Message
  'teams.delete.own': Message
  'teams.delete.asModerator': Message
  'teams.delete.help': Message
  'teams.settings.about': Message
  'teams.invited': Message<{ count: number }, 'link'>
  'teams.state.held': Message
  'teams.state.hidden': Message
  'teams.state.removed': Message
  'teams.state.blocked': Message
  'teams.state.draft': Message
  'teams.settings.shown': Message
  'teams.settings.notShown': Message
  'teams.settings.hide': Message
  'teams.settings.show': Message
  'teams.settings.none': Message
  'teams.settings.make': Message
  'teams.settings.addressHelp': Message
  'teams.settings.submit': Message
}
