// download. The work is in a module that is read when the command runs.
import type { Command } from './command.ts'

const download: Command = {
  usage: 'KIND/SLUG[@VERSION] [-o FILE] [--force]',
  summary: 'Write the file of an item somewhere, without installing it',
  details: `  -o, --output FILE   default: SLUG.json, or SLUG.mpkg of an automation; - is the standard output
  --force             replace a file that is there

  The bytes are checked against the hash that the server says. install checks the proof of the public log too.`,
  options: { output: { type: 'string', short: 'o' }, force: { type: 'boolean' } },
  words: [1, 1],
  run: async (context, given) => (await import('./download.ts')).download(context, given),
}

export const readingCommands = { download }
