// The command line, with a home of its own: in this process, or as a program.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { oauthClient } from '../../test/oauth.ts'
import type { World } from '../../test/world.ts'
import { main } from '../src/program.ts'

export interface Result {
  code: number | null
  output: string
  errors: string
}

export interface Running {
  home: string
  environment?: Record<string, string>
  /** Where the person is: the home unless told. */
  folder?: string
  /** What is typed. */
  input?: string
  /** Whether the streams are those of a terminal, where questions can be asked. */
  isTerminal?: boolean
  /** Called when there is new output on the standard error output, with all of it. Where it fails, the command ends and the run fails. */
  onErrors?(errors: string, type: (line: string) => void): void | Promise<void>
  /** The same of the standard output. */
  onOutput?(output: string): void
  signal?: AbortSignal
}

const environmentOf = ({ home, environment }: Running) => ({
  PATH: process.env['PATH'],
  HOME: home,
  GUILDHALL_CONFIG: join(home, 'config'),
  GUILDHALL_KEYRING: 'off',
  ...environment,
})

/** Runs `guildhall` with these words to its end, in this process. */
export async function guildhall(words: string[], running: Running): Promise<Result> {
  const { input, folder = running.home } = running
  const failing = new AbortController()
  const signal = AbortSignal.any([failing.signal, ...(running.signal ? [running.signal] : [])])
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  if (running.isTerminal) for (const stream of [stdin, stdout, stderr]) Object.assign(stream, { isTTY: true })
  const result = collect({ stdin, stdout, stderr }, running, (error) => failing.abort(error))
  if (input !== undefined) stdin.end(input)
  const code = await main(words, { environment: environmentOf(running), folder, stdin, stdout, stderr, signal })
  stdout.end()
  stderr.end()
  await Promise.all([stdout, stderr].map((stream) => stream.readableEnded || once(stream, 'end')))
  failing.signal.throwIfAborted()
  return { ...result, code }
}

/** The same as a process: `program` comes before the words. */
export async function guildhallProcess(program: string[], words: string[], running: Running): Promise<Result> {
  const [command = '', ...first] = program
  const { folder: cwd } = running
  const child = spawn(command, [...first, ...words], { env: environmentOf(running), ...(cwd !== undefined && { cwd }) })
  const failing = new AbortController()
  const result = collect(child, running, (error) => {
    failing.abort(error)
    child.kill()
  })
  if (running.input !== undefined) child.stdin.end(running.input)
  const [code] = await once(child, 'close')
  failing.signal.throwIfAborted()
  return { ...result, code }
}

interface Streams {
  stdin: NodeJS.WritableStream
  stdout: NodeJS.ReadableStream
  stderr: NodeJS.ReadableStream
}

function collect(
  { stdin, stdout, stderr }: Streams,
  { onErrors, onOutput }: Running,
  fail: (error: unknown) => void,
): Result {
  const result: Result = { code: null, output: '', errors: '' }
  // A sign of several bytes may come in two pieces.
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    result.output += chunk
    onOutput?.(result.output)
  })
  stderr.setEncoding('utf8').on('data', (chunk: string) => {
    result.errors += chunk
    const type = (line: string) => void stdin.write(`${line}\n`)
    void (async () => onErrors?.(result.errors, type))().catch(fail)
  })
  return result
}

/** Answers the first question with these words. */
export function answering(question: string, answer: () => string | Promise<string>): NonNullable<Running['onErrors']> {
  let isAnswered = false
  return async (errors, type) => {
    if (isAnswered || !errors.includes(question)) return
    isAnswered = true
    type(await answer())
  }
}

/** Types the code that is mailed to this address. */
export const typingCode = (world: World, email: string) => answering('Code: ', () => oauthClient(world).code(email))
