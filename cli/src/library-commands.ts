// info, publish, yank, deprecate, team. The work is in modules that are read when a command runs.
import type { Command } from './command.ts'

const info: Command = {
  usage: 'KIND/SLUG[@VERSION]',
  summary: 'Show an item: who publishes it, its versions, and what it may do',
  words: [1, 1],
  run: async (context, given) => (await import('./info.ts')).info(context, given),
}

const publish: Command = {
  usage: 'FILE [--dry-run] [--visibility public]',
  summary: 'Publish a file or the folder of an automation: a new item, or a new version of yours',
  details: `  --dry-run              check it and show what would be published
  --visibility WHO       private or public; a new item is private unless told
  --version VERSION      default: that of automation.json, or the next patch
  --item KIND/SLUG       the item of which it is a version, when the name says something else
  --new                  a new item, even if you have one of this name
  --team SLUG            for a team of yours: a new version of its item of this name, otherwise a new item of the team
  --changelog TEXT       what is new in this version (-: from the standard input)
  --closes 128,131       bugs about the item that a new version resolves
  --stop-for WHAT        suspicious or severe: publish nothing if the server's scan finds this; severe unless told
  --accept RULE,...      publish although the scan found this: secret,fetch-and-run (unfinished: a scan that did not finish)
  --key FILE             the key to sign with; that of 'key new' unless told, if there is one
  --unsigned             do not sign
  --ci                   publish --item KIND/SLUG as a run of GitHub Actions or GitLab CI, without a stored secret
  --publisher ID         with --ci: which of several publishers of a name that is not taken
  --name, --description, --tags a,b

  An automation is known by its id, a workflow and an org by the name in the file. The file is checked
  and scanned before it is published; what was found, and what the version may newly do, is shown.`,
  options: {
    'dry-run': { type: 'boolean' },
    visibility: { type: 'string' },
    version: { type: 'string' },
    item: { type: 'string' },
    new: { type: 'boolean' },
    team: { type: 'string' },
    name: { type: 'string' },
    description: { type: 'string' },
    tags: { type: 'string' },
    changelog: { type: 'string' },
    closes: { type: 'string' },
    'stop-for': { type: 'string' },
    accept: { type: 'string', multiple: true },
    key: { type: 'string' },
    unsigned: { type: 'boolean' },
    ci: { type: 'boolean' },
    publisher: { type: 'string' },
  },
  words: [1, 1],
  run: async (context, given) => (await import('./publish.ts')).publish(context, given),
}

const publishers: Command = {
  usage: 'list [KIND/SLUG] | add KIND/SLUG --repository OWNER/NAME --workflow FILE --ref BRANCH | remove ID',
  summary: 'CIs that may publish an item of yours without a stored secret',
  details: `  guildhall publishers add workflow/morning-digest --repository mira/digest --workflow publish.yml --ref main
  guildhall publishers add workflow/new-name --new --issuer gitlab --repository mira/new --workflow .gitlab-ci.yml --environment release
  --issuer       github (unless told), gitlab, or the address of one that the server takes
  --ref          a branch, or a ref such as refs/tags/v*
  --environment  of the run; with --ref both must match
  --new          a name that is not taken, to publish there first`,
  options: {
    issuer: { type: 'string' },
    repository: { type: 'string' },
    workflow: { type: 'string' },
    ref: { type: 'string' },
    environment: { type: 'string' },
    new: { type: 'boolean' },
  },
  words: [1, 2],
  run: async (context, given) => (await import('./publishers.ts')).publishers(context, given),
}

const staged: Command = {
  usage: 'list KIND/SLUG | approve-url ID',
  summary: 'Versions of an item of yours that wait until a person agrees, and where that is done',
  details: `  guildhall staged list workflow/morning-digest
  An owner or a maintainer agrees in a browser, with a passkey; approve-url shows the address.`,
  words: [2, 2],
  run: async (context, given) => (await import('./staged.ts')).staged(context, given),
}

const yank: Command = {
  usage: 'KIND/SLUG@VERSION [--reason TEXT] [--undo]',
  summary: 'Yank a version of yours: only its exact number finds it then',
  options: { reason: { type: 'string' }, undo: { type: 'boolean' } },
  words: [1, 1],
  run: async (context, given) => (await import('./life.ts')).yank(context, given),
}

const deprecate: Command = {
  usage: 'KIND/SLUG --message TEXT [--successor KIND/SLUG] [--undo]',
  summary: 'Say of an item of yours that others should use something else',
  options: { message: { type: 'string' }, successor: { type: 'string' }, undo: { type: 'boolean' } },
  words: [1, 1],
  run: async (context, given) => (await import('./life.ts')).deprecate(context, given),
}

const team: Command = {
  usage:
    'list | info SLUG | new SLUG [--name NAME] | invite SLUG USER [--role owner] | join SLUG | remove SLUG USER | leave SLUG',
  summary: 'Teams, which own items together: yours, their people, and a new one',
  details: `  guildhall team new night-shift --name "Night shift"
  guildhall team invite night-shift bob
  guildhall publish digest.json --team night-shift`,
  options: { name: { type: 'string' }, description: { type: 'string' }, role: { type: 'string' } },
  words: [1, 3],
  run: async (context, given) => (await import('./team.ts')).team(context, given),
}

export const libraryCommands = { info, publish, publishers, staged, yank, deprecate, team }
