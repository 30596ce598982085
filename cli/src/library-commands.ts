// info, publish, yank, deprecate. The work is in modules that are read when a command runs.
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
  --changelog TEXT       what is new in this version (-: from the standard input)
  --stop-for WHAT        suspicious or severe: publish nothing if the server's scan finds this
  --name, --description, --tags a,b

  An automation is known by its id, a workflow and an org by the name in the file. The file is checked before it is sent.`,
  options: {
    'dry-run': { type: 'boolean' },
    visibility: { type: 'string' },
    version: { type: 'string' },
    item: { type: 'string' },
    new: { type: 'boolean' },
    name: { type: 'string' },
    description: { type: 'string' },
    tags: { type: 'string' },
    changelog: { type: 'string' },
    'stop-for': { type: 'string' },
  },
  words: [1, 1],
  run: async (context, given) => (await import('./publish.ts')).publish(context, given),
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

export const libraryCommands = { info, publish, yank, deprecate }
