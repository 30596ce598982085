// verify, mirror and key: what is trusted, and why. The work is in modules that are read when a command runs.
import type { Command } from './command.ts'
import { keyPath } from './profiles.ts'

const verify: Command = {
  usage: '[KIND/SLUG...|FOLDER]',
  summary: 'Check installed items, or a copy, against their signed statements and the public log',
  details: `  Without names, everything that is installed; FOLDER is another home, or what mirror made. It needs no server: proofs are kept when an item is installed.
  The key of a server's log is trusted when it is first seen; a log that does not continue what was seen is refused.`,
  words: [0, 500],
  run: async (context, given) => (await import('./verify.ts')).verify(context, given),
}

const mirror: Command = {
  usage: 'SERVER FOLDER',
  summary: 'Keep a verified copy of everything public at a server',
  details: `  guildhall mirror https://guildhall.example ./copy
  Run it again to go on where it stopped. What is withdrawn or deleted at the server goes from the copy;
  yanked versions stay. Every file is checked against its statement, and the whole log against its checkpoint,
  also what was copied before: what is broken is said, and copied again.`,
  words: [2, 2],
  run: async (context, given) => (await import('./mirror.ts')).mirror(context, given),
}

const key: Command = {
  usage: 'new [NAME] | list | revoke ID | sign KIND/SLUG@VERSION  [--file KEY.json]',
  summary: 'Make a key, and sign with it what you publish',
  details: `  guildhall key new Laptop
  guildhall key sign workflow/morning-digest@1.2.0
  --file   where the secret half is kept, with mode 0600; publisher-key.json beside the profiles unless told`,
  options: { file: { type: 'string' } },
  words: [1, 2],
  async run(context, { words, values }) {
    const { key } = await import('./key.ts')
    const path = typeof values['file'] === 'string' ? values['file'] : keyPath(context.environment)
    await key(context, { words, path })
  },
}

export const trustCommands = { verify, mirror, key }
