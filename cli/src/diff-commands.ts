// diff. The work is in a module that is read when the command runs.
import type { Command } from './command.ts'

const diff: Command = {
  usage: 'KIND/SLUG[@VERSION] [VERSION or FILE]',
  summary: 'Show what changes between two versions, and what the later one may newly do',
  details: `  guildhall diff automation/harbor-board               the version before the current one, and the current one
  guildhall diff automation/harbor-board@1.0.0         1.0.0 and the current one
  guildhall diff automation/harbor-board@1.0.0 1.1.0   two versions
  guildhall diff workflow/morning-digest ./mine.json   the published version and a file of yours

  --text   the lines that changed in small files`,
  options: { text: { type: 'boolean' } },
  words: [1, 2],
  run: async (context, given) => (await import('./diff.ts')).diff(context, given),
}

export const diffCommands = { diff }
