// The help, from the table of commands.
import type { Command } from './command.ts'
import { apiCommand, commands } from './commands.ts'
import { shared } from './shared-options.ts'
import { bold, paint } from './style.ts'

/** The help of a command, or of all. */
export function help(name: string | undefined, isColoured: boolean): string {
  const strong = (text: string) => paint([bold(text)], isColoured)
  const command: Pick<Command, 'usage' | 'summary' | 'details'> | undefined =
    name === 'api' ? apiCommand : name === undefined ? undefined : commands[name]
  if (command)
    return `${strong(`guildhall ${name} ${command.usage}`.trim())}\n\n${command.summary}.\n${command.details ? `\n${command.details}\n` : ''}`
  const lines = Object.entries({ ...commands, api: apiCommand }).map(
    ([other, { usage, summary }]) => `  ${`${strong(other)} ${usage}`.trim()}\n      ${summary}`,
  )
  return `guildhall: the community and the library at the command line

${lines.join('\n')}

KIND/SLUG is an item such as workflow/morning-digest, or its id. A thing has a number such as 128, or an id.

Everywhere:
  --server URL     the server (GUILDHALL_URL, or where the profile is signed in)
  --profile NAME   whose credentials (GUILDHALL_PROFILE, or default)
  --json           the result as JSON
  -h, --help, -v, --version

Exit codes: 0 done, 1 refused, 2 written wrongly, 3 sign in, 4 no answer for now, 5 waits for your yes, 130 interrupted
`
}

/** Every command, for programs. */
export const commandTable = () =>
  Object.entries({ ...commands, api: { ...apiCommand, options: {} } }).map(
    ([name, { usage, summary, details, options }]) => ({
      name,
      usage: `guildhall ${name} ${usage}`.trim(),
      summary,
      details: details ?? null,
      options: Object.keys({ ...options, ...shared }).map((option) => `--${option}`),
    }),
  )
