// The command line: reads the words, runs the command, tells what went wrong by a sentence and an exit code.
import { parseArgs } from 'node:util'
import type { Options, Values } from './command.ts'
import { commands } from './commands.ts'
import { contextOf, type Terminal } from './context.ts'
import { exitCodes } from './exit-codes.ts'
import { commandTable, help } from './help.ts'
import { nearest } from './nearest.ts'
import { shared } from './shared-options.ts'
import { hasColours, paint, red } from './style.ts'
import { jsonText } from './text.ts'
import { UsageError } from './usage.ts'
import { version } from './version.ts'

/** The shared options at the front of the words of `api`, whose own options belong to the operation. */
function splitApi(words: readonly string[]): { before: string[]; after: string[] } | undefined {
  const before: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (word === 'api') return { before, after: words.slice(at + 1) }
    if (!word.startsWith('-')) return undefined
    before.push(word)
    if (/^--(server|profile)$/.test(word)) before.push(words[++at] ?? '')
  }
  return undefined
}

interface Parsed {
  name: string
  words: string[]
  values: Values
}

/** The command, its words and its options. */
function parse(argv: readonly string[]): Parsed {
  const api = splitApi(argv)
  if (api)
    return { name: 'api', words: api.after, values: parseArgs({ args: api.before, options: shared }).values as Values }
  const all = Object.assign({}, shared, ...Object.values(commands).map(({ options }) => options)) as Options
  const { positionals } = parseArgs({ args: [...argv], options: all, allowPositionals: true, strict: false })
  const two = positionals.slice(0, 2).join(' ')
  const name = Object.hasOwn(commands, two) ? two : (positionals[0] ?? 'help')
  const options = { ...shared, ...(Object.hasOwn(commands, name) && commands[name]?.options) }
  const { positionals: words, values } = parseArgs({ args: [...argv], options, allowPositionals: true })
  return { name, words: words.slice(name.split(' ').length), values: values as Values }
}

/** With the commands that begin with it, or the one that is spelled most like it. */
function noCommand(name: string): UsageError {
  const all = [...Object.keys(commands), 'api', 'help']
  const longer = all.filter((one) => one.startsWith(`${name} `))
  const meant = longer.length > 0 ? longer.join(' or ') : nearest(name, all)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return new UsageError(`There is no command ${name}.${hint} guildhall help lists all of them`)
}

async function run(argv: readonly string[], terminal: Terminal): Promise<void> {
  const print = (text: string) => void terminal.stdout.write(text)
  const { name, words, values } = parse(argv)
  if (values['version'] === true) return print(`${version()}\n`)
  const isColoured = hasColours(terminal.stdout, terminal.environment)
  if (name === 'help' && values['json'] === true) return print(`${jsonText(commandTable())}\n`)
  if (name === 'help') return print(help(words.join(' ') || undefined, isColoured))
  const isAsking = name === 'api' && /^(?:-h|--help)$/.test(words[0] ?? '')
  if (values['help'] || isAsking) return print(help(name, isColoured))
  const context = contextOf(values, terminal)
  if (name === 'api') return (await import('./api-command.ts')).runApi(context, words)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw noCommand(name)
  const [least, most] = command.words
  if (words.length < least || words.length > most) throw new UsageError(`guildhall ${name} ${command.usage}`.trim())
  await command.run(context, { words, values })
}

/** Runs the command that these words name; resolves with the exit code. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await run(argv, terminal)
    return 0
  } catch (error) {
    if (terminal.signal.aborted) return exitCodes.interrupted
    const { failureOf } = await import('./failure.ts')
    const { exitCode, ...failure } = failureOf(error)
    const words = paint([red(failure.message)], hasColours(terminal.stderr, terminal.environment))
    terminal.stderr.write(argv.includes('--json') ? `${jsonText({ error: failure }, 0)}\n` : `${words}\n`)
    return exitCode
  }
}
