// The operator's commands: `npm run admin -- <command>`. They work while the server runs.
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../config/config.ts'
import { app } from '../operator/app.ts'
import { archive, unarchive } from '../operator/archive/archive.ts'
import { backups, backupWith, restore } from '../operator/backup.ts'
import { bounces } from '../operator/bounces.ts'
import { cases } from '../operator/cases.ts'
import { check } from '../operator/check.ts'
import type { Command } from '../operator/command.ts'
import { importCommand } from '../operator/import.ts'
import { jobs, reindex } from '../operator/jobs.ts'
import { logKey, newKey } from '../operator/keys.ts'
import { language } from '../operator/language.ts'
import { migrate } from '../operator/migrating.ts'
import { move } from '../operator/move.ts'
import { openOutput } from '../operator/output.ts'
import { grant } from '../operator/roles.ts'
import { rotateKey } from '../operator/rotate-key.ts'
import { scimToken } from '../operator/scim-token.ts'
import { settings } from '../operator/settings.ts'
import { setup } from '../operator/setup.ts'
import { stats } from '../operator/stats.ts'
import { trackers } from '../operator/trackers.ts'
import { users } from '../operator/users.ts'
import { optional } from '../optional.ts'
import { asInstalled } from '../runtime/installation.ts'
import { whyItFailed } from '../runtime/outage.ts'
import { toError } from '../runtime/untyped.ts'
import { verify } from '../verify/verify.ts'

const commands: Record<string, Command> = {
  check,
  stats,
  users,
  cases,
  bounces,
  trackers,
  jobs,
  setup,
  grant,
  settings,
  language,
  import: importCommand,
  'scim-token': scimToken,
  app,
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
  backup: backupWith(optional.continuousBackup),
  backups,
  restore,
  move,
  archive,
  unarchive,
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

/** Arguments that fit no command. */
class Usage extends Error {}

/** The call that the arguments ask for. */
function parse([name = '', ...args]: string[]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new Usage(name === '' ? help() : `There is no command ${name}.\n\n${help()}`)
  const options = { json: { type: 'boolean' }, ...command.options } as const
  const { values, positionals: parameters } = parsed(command, () =>
    parseArgs({ args, options, allowPositionals: true }),
  )
  const [least, most] = command.parameters
  if (parameters.length < least || parameters.length > most || parameters.includes(''))
    throw new Usage(`Usage: ${usageOf(command)}`)
  return { command, parameters, options: values, isJson: values['json'] === true }
}

const usageOf = ({ usage, summary }: Command) => `npm run admin -- ${usage} [--json]\n\n${summary}`

function parsed<Result>(command: Command, parsing: () => Result): Result {
  try {
    return parsing()
  } catch (error) {
    // An option that the command does not have, or one without its value.
    throw new Usage(`${toError(error).message.split(/\.?(?:\s|$)(?=[A-Z]|$)/)[0]}.\nUsage: ${usageOf(command)}`)
  }
}

async function run(args: string[]): Promise<number> {
  if (args[0] === '--help' || args[0] === 'help') {
    console.log(asInstalled(help()))
    return 0
  }
  const { command, parameters, options, isJson } = parse(args)
  const output = openOutput({ isJson })
  const call = { settings: () => readConfig(process.env), parameters, options, output }
  await command.before?.(call)
  return command.run(call)
}

function complain(error: unknown): number {
  const isSaid = error instanceof ConfigError || error instanceof Usage
  console.error(asInstalled(isSaid ? error.message : `It failed: ${whyItFailed(error)}`))
  return error instanceof Usage ? 2 : 1
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.exitCode = complain(error)
}
