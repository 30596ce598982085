// owners, invite, accept, transfer: the people of an item. The work is in modules that are read when a command runs.
import type { Command } from './command.ts'

const owners: Command = {
  usage: 'KIND/SLUG [USER --role owner|maintainer | USER --remove]',
  summary: 'Show who owns and maintains an item, change a role, or remove somebody',
  details: `  Owners see open invitations too. --remove with your own username leaves the item.
  guildhall owners workflow/morning-digest bob --role owner`,
  options: { role: { type: 'string' }, remove: { type: 'boolean' } },
  words: [1, 2],
  run: async (context, given) => (await import('./owners.ts')).owners(context, given),
}

const invite: Command = {
  usage: 'KIND/SLUG USER [--role owner] [--withdraw]',
  summary: 'Invite an account to maintain or own an item of yours',
  details: `  --role ROLE   maintainer (publishes versions) or owner (decides everything); maintainer unless told
  --withdraw    take the invitation back
  The account accepts within 7 days. People of a team: guildhall team invite.`,
  options: { role: { type: 'string' }, withdraw: { type: 'boolean' } },
  words: [2, 2],
  run: async (context, given) => (await import('./owners.ts')).invite(context, given),
}

const accept: Command = {
  usage: '[KIND/SLUG|team/SLUG|ID] [--decline]',
  summary: 'Accept an invitation, or an item that is offered to you; without a name, list what waits',
  details: '  --decline   say no instead',
  options: { decline: { type: 'boolean' } },
  words: [0, 1],
  run: async (context, given) => (await import('./accept.ts')).accept(context, given),
}

const transfer: Command = {
  usage: 'KIND/SLUG USER | KIND/SLUG --team TEAM | KIND/SLUG --withdraw',
  summary: 'Offer an item of yours to another account or a team, which accepts it or not',
  details: '  It goes over with all its versions when they accept, within 7 days. --withdraw takes the offer back.',
  options: { team: { type: 'string' }, withdraw: { type: 'boolean' } },
  words: [1, 2],
  run: async (context, given) => (await import('./owners.ts')).transfer(context, given),
}

export const itemCommands = { owners, invite, accept, transfer }
