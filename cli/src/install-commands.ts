// init, install, update, outdated, audit, list, remove. The work is in modules that are read when a command runs.
import type { Command } from './command.ts'

const HOME = `  Items are kept beside guildhall.lock: in the folder of the project, if this one or one above has a guildhall.lock, otherwise in
  one folder of yours. GUILDHALL_HOME names another, for every project.`

/** Of consent.ts. */
const consent = {
  allow: { type: 'string', multiple: true },
  yes: { type: 'boolean' },
  force: { type: 'boolean' },
  unproven: { type: 'boolean' },
} as const

const consentDetails = `  --allow SITE,...   say yes to what a version may newly do: site:example.com,script (script: all of them)
  --force            replace files that were changed by hand
  --unproven         also what the server proves in no way, where its key is not known yet
  --yes              ask nothing else; new permissions need --allow all the same`

const reporting = { report: { type: 'boolean' } } as const
const reportDetails = `  --report           tell the server that the versions could be installed, or could not (see report)`

const init: Command = {
  usage: '',
  summary: 'Make a guildhall.lock in this folder: what is installed here belongs to this project',
  details: HOME,
  words: [0, 0],
  run: async (context) => (await import('./init.ts')).init(context),
}

const install: Command = {
  usage: '[KIND/SLUG[@VERSION]...]',
  summary: 'Install items; without names, exactly what guildhall.lock says',
  details: `  guildhall install workflow/morning-digest automation/harbor-board@^1.2 skill/pdf-tools
${consentDetails}
${reportDetails}
  --agent NAME,...   put skills where it reads them: claude (.claude/skills), codex (.codex/skills), copilot (.github/skills);
                     unless told, where such a folder is there already, otherwise for claude
  --dir FOLDER       put skills into this folder too
  --client NAME,...  put MCP servers into its configuration: claude (.mcp.json), vscode (.vscode/mcp.json), cursor (.cursor/mcp.json),
                     codex (~/.codex/config.toml); secrets are never written: the client asks, or reads its environment

  A version that may do more than the one before is not installed unless you say so. Nothing that is installed is run.
  The keys in guildhall.lock are trusted: what is not signed by the key of its server there is not installed.
${HOME}`,
  options: {
    ...consent,
    ...reporting,
    agent: { type: 'string', multiple: true },
    dir: { type: 'string' },
    client: { type: 'string', multiple: true },
  },
  words: [0, 500],
  run: async (context, given) => (await import('./install.ts')).install(context, given),
}

const update: Command = {
  usage: '[KIND/SLUG...]',
  summary: 'Install the newest version in the range of each item',
  details: `${consentDetails}\n${reportDetails}\n\n  The range is what followed @ when it was installed; without one it is latest.`,
  options: { ...consent, ...reporting },
  words: [0, 500],
  run: async (context, given) => (await import('./install.ts')).update(context, given),
}

const outdated: Command = {
  usage: '[KIND/SLUG...]',
  summary: 'Show which items have newer versions, or were yanked or deprecated',
  words: [0, 500],
  run: async (context, given) => (await import('./install.ts')).outdated(context, given),
}

const audit: Command = {
  usage: '[KIND/SLUG...]',
  summary: 'Show what is installed and was yanked, hidden or found severe since, or is signed with a revoked key',
  details: `  yanked        its publisher took the version back
  hidden        the server shows it no more: it is hidden or deleted, or not for you
  severe        the scan of the server found something severe in it
  other file    the server has another file of this version than guildhall.lock
  key revoked   it is signed with a key that its publisher revoked since
  doubted       what the server proves of it now does not hold

  Nothing is changed. It ends with exit code 1 where there is a problem.`,
  words: [0, 500],
  run: async (context, given) => (await import('./audit.ts')).audit(context, given),
}

const list: Command = {
  usage: '',
  summary: 'Show what is installed',
  details: HOME,
  words: [0, 0],
  run: async (context) => (await import('./installed.ts')).list(context),
}

const remove: Command = {
  usage: 'KIND/SLUG... [--force]',
  summary: 'Remove installed items',
  details: '  --force   also those that were changed by hand',
  options: { force: { type: 'boolean' } },
  words: [1, 500],
  run: async (context, given) => (await import('./installed.ts')).remove(context, given),
}

const report: Command = {
  usage: 'worked|failed KIND/SLUG[@VERSION]',
  summary: 'Report whether a version worked, after you ran it',
  details: `  --error CLASS   of what failed: install, start, permission, network, input, timeout, crash or other
  --text TEXT     for those who publish the item alone

  Your account must have downloaded that version in the last 90 days. It is told with the system, the processor and the version
  of this program. Nobody learns who reported; others see how many, from five accounts on.`,
  options: { error: { type: 'string' }, text: { type: 'string' } },
  words: [2, 2],
  run: async (context, given) => (await import('./outcomes.ts')).report(context, given),
}

export const installCommands = { init, install, update, outdated, audit, list, remove, report }
