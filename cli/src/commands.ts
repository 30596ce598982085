// Every command by its name. The help, the completion of shells and the reading of options are derived from this table.
import { accountCommands } from './account-commands.ts'
import { bugCommands } from './bug-commands.ts'
import type { Command } from './command.ts'
import { communityCommands } from './community-commands.ts'
import { diffCommands } from './diff-commands.ts'
import { installCommands } from './install-commands.ts'
import { itemCommands } from './item-commands.ts'
import { libraryCommands } from './library-commands.ts'
import { lintCommands } from './lint-commands.ts'
import { readingCommands } from './reading-commands.ts'
import { toolCommands } from './tool-commands.ts'
import { trustCommands } from './trust-commands.ts'

export const commands: Readonly<Record<string, Command>> = {
  ...accountCommands,
  ...communityCommands,
  ...bugCommands,
  ...diffCommands,
  ...installCommands,
  ...itemCommands,
  ...libraryCommands,
  ...lintCommands,
  ...readingCommands,
  ...toolCommands(() => ({ ...commands, api: apiCommand })),
  ...trustCommands,
}

/** Its options belong to the operation that it calls, so it reads them itself. */
export const apiCommand: Pick<Command, 'usage' | 'summary' | 'details' | 'options'> = {
  usage: '[OPERATION [--field value]...]',
  summary: 'Call any operation; without one, list them all',
  details: `  Texts are taken as they are, other values are JSON, files are paths.
  guildhall api bugs.list --status open
  guildhall api library.download --id ID --output item.json
  guildhall api OPERATION --help shows what it takes`,
}
