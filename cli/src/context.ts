// What a command is given: whose credentials, which server, and where to read and write.
import type { Interface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import type { Client } from '../../client/src/create-client.ts'
import type { Fetch } from '../../client/src/fetching.ts'
import type { TokenStore } from '../../client/src/tokens.ts'
import type { ClientChoice, Context, Values } from './command.ts'
import { profileTokens } from './profiles.ts'
import { hasColours, isTerminal, paint, type Words } from './style.ts'
import { jsonText, line } from './text.ts'
import { NotSignedInError, UsageError } from './usage.ts'

/** Where a program reads and writes. */
export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>
  stdin: Readable
  stdout: Writable
  stderr: Writable
  /** Where the person is; the working folder of the process unless told. */
  folder?: string
  /** Ends the command. */
  signal: AbortSignal
}

const ERASE_LINE = '\r\u001b[2K'

export function contextOf(values: Values, terminal: Terminal): Context {
  const { environment, folder = process.cwd(), stdin, stdout, stderr, signal } = terminal
  const profile = (values['profile'] as string | undefined) ?? environment['GUILDHALL_PROFILE'] ?? 'default'
  const server = (values['server'] as string | undefined) ?? environment['GUILDHALL_URL']
  const tokens = profileTokens(profile, environment)
  const isJson = values['json'] === true
  const { show, progress } = messagesTo(stderr, environment)
  const say = (words: Words[]) => {
    progress('')
    stdout.write(`${paint(words, hasColours(stdout, environment))}\n`)
  }
  return {
    environment,
    folder,
    profile,
    signal,
    server,
    tokens,
    ...connections({ environment, signal, tokens, server }),
    say: (...words) => void (isJson || say(words)),
    report: (value) => void (isJson && stdout.write(`${jsonText(value)}\n`)),
    show,
    progress: (text) => void (isJson || progress(text)),
    isInteractive: isTerminal(stdin) && isTerminal(stderr),
    write: (bytes) => new Promise<void>((resolve) => void stdout.write(bytes, () => resolve())),
    ask: (question) => ask(question, terminal),
    readInput: () => readAll(stdin),
    stdin,
  }
}

interface ServerIdentity extends Pick<Context, 'environment' | 'signal' | 'server'> {
  tokens: TokenStore
}

function connections({
  environment,
  signal,
  tokens,
  server,
}: ServerIdentity): Pick<Context, 'fetch' | 'url' | 'client' | 'ownClient'> {
  // Loaded by the first request: to start without HTTP and TLS is a third faster.
  const fetchBy =
    (onSent?: ClientChoice['onSent']): Fetch =>
    async (address, init) =>
      (await import('./fetch.ts')).fetchWith(environment, onSent)(address, init)
  const url = async () => {
    const found = server ?? (await tokens.read())?.url
    if (found === undefined) throw new UsageError('Which server? Give --server https://..., or run guildhall login')
    return found.replace(/\/+$/, '')
  }
  const client = async ({ url: other, onSent }: ClientChoice = {}): Promise<Client> => {
    const { createClient } = await import('../../client/src/main-node.ts')
    const address = other ?? (await url())
    // Credentials are for their own server; others are read without.
    const isOwn = (await tokens.read())?.url === address
    return createClient({ url: address, signal, fetch: fetchBy(onSent), ...(isOwn && { tokens }) })
  }
  return {
    fetch: fetchBy(),
    url,
    client,
    async ownClient(choice) {
      if ((await tokens.read())?.url !== (await url())) throw new NotSignedInError()
      return client(choice)
    },
  }
}

/** The standard error output, on which a line of progress may stand that the next message replaces. */
function messagesTo(stderr: Writable, environment: Context['environment']): Pick<Context, 'show' | 'progress'> {
  let isShown = false
  const progress = (text: string) => {
    if (!isTerminal(stderr) || (text === '' && !isShown)) return
    stderr.write(`${ERASE_LINE}${line(text)}`)
    isShown = text !== ''
  }
  return {
    progress,
    show(...words) {
      progress('')
      stderr.write(`${paint(words, hasColours(stderr, environment))}\n`)
    },
  }
}

async function ask(question: string, { stdin, stderr, signal }: Terminal): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const terminal: Interface = createInterface({ input: stdin, output: stderr })
  try {
    // At the end of the input there is no answer.
    const ended = new Promise<string>((resolve) => void terminal.once('close', () => resolve('')))
    return await Promise.race([terminal.question(question, { signal }), ended])
  } finally {
    terminal.close()
  }
}

async function readAll(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
