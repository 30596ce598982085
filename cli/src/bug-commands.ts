// bug list, bug show. The work is in a module that is read when a command runs; bug new is in community-commands.ts.
import type { Command } from './command.ts'

const list: Command = {
  usage: '[WORDS...] [--status open] [--severity high] [--item workflow/digest] [--sort popular] [--limit 20]',
  summary: 'Show bugs: all of them, or those with these words',
  details: `  --status     open, in_progress, resolved or wontfix; several with commas: open,in_progress
  --severity   low, medium, high or critical; several with commas
  --label      the name of a label; of several with commas, bugs that have one of them
  --item       only those about this item; with --version, about that version of it
  --sort       latest or popular: newest or most voted first`,
  options: {
    status: { type: 'string' },
    severity: { type: 'string' },
    label: { type: 'string' },
    item: { type: 'string' },
    version: { type: 'string' },
    sort: { type: 'string' },
    limit: { type: 'string' },
  },
  words: [0, 100],
  run: async (context, given) => (await import('./bugs.ts')).listBugs(context, given),
}

const show: Command = {
  usage: 'BUG [--limit 20]',
  summary: 'Show a bug with its comments',
  details: '  BUG is a number such as 128, bug/<id>, or an id\n  --limit   how many comments to show, oldest first',
  options: { limit: { type: 'string' } },
  words: [1, 1],
  run: async (context, given) => (await import('./bugs.ts')).showBug(context, given),
}

export const bugCommands = { 'bug list': list, 'bug show': show }
