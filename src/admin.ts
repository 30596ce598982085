// The operator's commands: `npm run admin -- <command>`. They work while the server runs.
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from './config/config.ts'
import { backup, backups, restore } from './operator/backup.ts'
import { check } from './operator/check.ts'
import type { Command } from './operator/command.ts'
import { logKey, newKey } from './operator/keys.ts'
import { migrate } from './operator/migrating.ts'
import { move } from './operator/move.ts'
import { openOutput } from './operator/output.ts'
import { reindex } from './operator/reindex.ts'
import { grant } from './operator/roles.ts'
import { rotateKey } from './operator/rotate-key.ts'
import { stats } from './operator/stats.ts'
import { users } from './operator/users.ts'
import { whyItFailed } from './runtime/why-it-failed.ts'
import { verify } from './verify/verify.ts'

const commands: Record<string, Command> = {
  check,
  stats,
  users,
  grant,
  'new-key': newKey,
  'log-key': logKey,
  'rotate-key': rotateKey,
  migrate,
  reindex,
  verify: {
    usage: 'verify [<head>]',
    summary: `looks at every file, page, count and act of the audit log, and says what is wrong;
<head> is what an earlier run printed of the audit log`,
    parameters: [0, 1],
    run: ({ settings, parameters, output }) => verify(settings(), output, parameters[0]),
  },
  backup,
  backups,
  restore,
  move,
}

const WIDTH = 24

function help(): string {
  const lines = Object.values(commands).map(({ usage, summary }) => {
    const [first, ...rest] = summary.split('\n')
    const indented = rest.map((line) => `\n  ${' '.repeat(WIDTH)} ${line}`).join('')
    const start = usage.length > WIDTH ? `${usage}\n  ${' '.repeat(WIDTH)}` : usage.padEnd(WIDTH)
    return `  ${start} ${first}${indented}`
  })
  return `Usage: npm run admin -- <command> [--json]\n\n${lines.join('\n')}`
}

/** The call that the arguments ask for; undefined when they fit no command. */
function parse([name = '', ...args]: string[]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return undefined
  const options = { json: { type: 'boolean' }, ...command.options } as const
  const { values, positionals: parameters } = parseArgs({ args, options, allowPositionals: true })
  const [least, most] = command.parameters
  if (parameters.length < least || parameters.length > most || parameters.includes('')) return undefined
  return { command, parameters, options: values, isJson: values['json'] === true }
}

async function run(args: string[]): Promise<number> {
  let asked: ReturnType<typeof parse>
  try {
    asked = parse(args)
  } catch {
    // An option that the command does not have.
  }
  if (!asked) {
    console.error(help())
    return 2
  }
  const { command, parameters, options, isJson } = asked
  const output = openOutput({ isJson })
  return command.run({ settings: () => readConfig(process.env), parameters, options, output })
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `It failed: ${whyItFailed(error)}`)
  process.exitCode = 1
}
