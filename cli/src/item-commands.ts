// owners, invite, accept, transfer, rename, visibility, unpublish, scan: what acts on an item. The work is in modules that are read when a command runs.
import type { Command } from './command.ts'

const owners: Command = {
  usage: 'KIND/SLUG [USER --role owner|maintainer | USER --remove]',
  summary: 'Show who owns and maintains an item, change a role, or remove a person',
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

const rename: Command = {
  usage: 'KIND/SLUG NEW-SLUG',
  summary: 'Give an item of yours another name in its address',
  details: '  Every former name leads to the item for ever, and no other item gets it.',
  words: [2, 2],
  run: async (context, given) => (await import('./item-changes.ts')).rename(context, given),
}

const visibility: Command = {
  usage: 'KIND/SLUG [private|public] [--reason TEXT]',
  summary: 'Show who sees an item, or decide it',
  details: '  Admins move items into and out of official. --reason is for the audit log.',
  options: { reason: { type: 'string' } },
  words: [1, 2],
  run: async (context, given) => (await import('./item-changes.ts')).visibility(context, given),
}

const unpublish: Command = {
  usage: 'KIND/SLUG[@VERSION] [--yes] [--reason TEXT]',
  summary: 'Delete an item of yours, or one version of it, for ever',
  details: `  --yes           do not ask; needed without a terminal
  --reason TEXT   for the audit log
  What was public goes only in its first 72 hours, below 10 downloads and while nothing uses it: afterwards yank or deprecate it.`,
  options: { yes: { type: 'boolean' }, reason: { type: 'string' } },
  words: [1, 1],
  run: async (context, given) => (await import('./item-changes.ts')).unpublish(context, given),
}

const scan: Command = {
  usage: 'KIND/SLUG[@VERSION] [--answer TEXT|-]',
  summary: 'Show what the scan of the server found in an item',
  details: `  --answer TEXT   what you say to it, as one of its people; readers see it beside the findings ('' takes it back)
  Exit code 1 where something severe was found or the scan could not finish. A file of yours: guildhall publish FILE --dry-run.`,
  options: { answer: { type: 'string' } },
  words: [1, 1],
  run: async (context, given) => (await import('./scan.ts')).scan(context, given),
}

export const itemCommands = { owners, invite, accept, transfer, rename, visibility, unpublish, scan }
