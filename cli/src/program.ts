// The command line: reads the words, runs the command, tells what went wrong by a sentence and an exit code.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import type { Client } from '../../client/src/create-client.ts'
import { createClient } from '../../client/src/main-node.ts'
import { accountCommands } from './account-commands.ts'
import { apiCommand, runApi } from './api-command.ts'
import type { Command, Context, Options, Values } from './command.ts'
import { communityCommands } from './community-commands.ts'
import { exitCodes, failureOf, NotSignedInError, UsageError } from './failure.ts'
import { profileTokens } from './profiles.ts'
import { jsonText, plain } from './text.ts'

const commands: Readonly<Record<string, Command>> = { ...accountCommands, ...communityCommands }

const shared: Options = {
  server: { type: 'string' },
  profile: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
}

/** The shared options at the front of the words of `api`, whose own options belong to the operation. */
function splitApi(words: readonly string[]): { before: string[]; after: string[] } | undefined {
  const before: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (word === 'api') return { before, after: words.slice(at + 1) }
    if (!word.startsWith('--')) return undefined
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
  const name = commands[two] ? two : (positionals[0] ?? 'help')
  const options = { ...shared, ...commands[name]?.options }
  const { positionals: words, values } = parseArgs({ args: [...argv], options, allowPositionals: true })
  return { name, words: words.slice(name.split(' ').length), values: values as Values }
}

function help(name?: string): string {
  const command = name === 'api' ? apiCommand : name === undefined ? undefined : commands[name]
  if (command)
    return `guildhall ${name} ${command.usage}\n\n${command.summary}.\n${command.details ? `\n${command.details}\n` : ''}`
  const lines = Object.entries({ ...commands, api: apiCommand }).map(
    ([other, { usage, summary }]) => `  ${`${other} ${usage}`.trim()}\n      ${summary}`,
  )
  return `guildhall: the community and the library at the command line

${lines.join('\n')}

Everywhere:
  --server URL     the server (GUILDHALL_URL, or where the profile is signed in)
  --profile NAME   whose credentials (GUILDHALL_PROFILE, or default)
  --json           the result as JSON
  --help, --version

Exit codes: 0 done, 1 refused, 2 written wrongly, 3 sign in, 4 no answer for now, 130 interrupted
`
}

const version = () =>
  (
    JSON.parse(
      readFileSync(
        new URL(import.meta.url.endsWith('.ts') ? '../package.json' : '../../../package.json', import.meta.url),
        'utf8',
      ),
    ) as { version: string }
  ).version

/** Where a program reads and writes. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>
  stdin: Readable
  stdout: Writable
  stderr: Writable
  /** Ends the command. */
  signal: AbortSignal
}

function contextOf(values: Values, { environment, stdin, stdout, stderr, signal }: Terminal): Context {
  const profile = (values['profile'] as string | undefined) ?? environment['GUILDHALL_PROFILE'] ?? 'default'
  const server = (values['server'] as string | undefined) ?? environment['GUILDHALL_URL']
  const tokens = profileTokens(profile, environment)
  const url = async () => {
    const found = server ?? (await tokens.read())?.url
    if (found === undefined) throw new UsageError('Which server? Give --server https://..., or run guildhall login')
    return found.replace(/\/+$/, '')
  }
  const client = async (): Promise<Client> => {
    const known = await tokens.read()
    // Credentials are for their own server; others are read without.
    const isOwn = known?.url === (await url())
    return createClient({ url: await url(), signal, ...(isOwn && { tokens }) })
  }
  const write = (bytes: Uint8Array | string) =>
    new Promise<void>((resolve) => void stdout.write(bytes, () => resolve()))
  return {
    environment,
    profile,
    tokens,
    signal,
    server,
    url,
    client,
    async ownClient() {
      if ((await tokens.read())?.url !== (await url())) throw new NotSignedInError()
      return client()
    },
    say: (text) => void (values['json'] || stdout.write(`${plain(text)}\n`)),
    report: (value) => void (values['json'] && stdout.write(`${jsonText(value)}\n`)),
    show: (text) => void stderr.write(`${plain(text)}\n`),
    write,
    ask: (question) => ask(question, { stdin, stderr, signal }),
    readInput: () => readAll(stdin),
  }
}

async function ask(
  question: string,
  { stdin, stderr, signal }: Pick<Terminal, 'stdin' | 'stderr' | 'signal'>,
): Promise<string> {
  const terminal = createInterface({ input: stdin, output: stderr })
  try {
    return await terminal.question(question, { signal })
  } finally {
    terminal.close()
  }
}

async function readAll(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

async function run(argv: readonly string[], terminal: Terminal): Promise<void> {
  const print = (text: string) => void terminal.stdout.write(text)
  const { name, words, values } = parse(argv)
  if (values['version']) return print(`${version()}\n`)
  if (name === 'help') return print(help(words.join(' ') || undefined))
  if (values['help']) return print(help(name))
  const context = contextOf(values, terminal)
  if (name === 'api') return runApi(context, words)
  const command = commands[name]
  if (!command) throw new UsageError(`There is no command ${name}: guildhall help lists all of them`)
  const [least, most] = command.words
  if (words.length < least || words.length > most) throw new UsageError(`guildhall ${name} ${command.usage}`)
  await command.run(context, { words, values })
}

/** Runs the command that these words name; resolves with the exit code. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await run(argv, terminal)
    return 0
  } catch (error) {
    if (terminal.signal.aborted) return exitCodes.interrupted
    const { exitCode, ...failure } = failureOf(error)
    const isJson = argv.includes('--json')
    terminal.stderr.write(isJson ? `${JSON.stringify({ error: failure })}\n` : `${plain(failure.message)}\n`)
    return exitCode
  }
}
