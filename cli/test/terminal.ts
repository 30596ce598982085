// A person at a terminal, with a home of its own and a server that listens.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Open } from '../../test/databases.ts'
import { listening } from '../../test/listening.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import type { Person, World } from '../../test/world.ts'
import { guildhall, type Result, type Running, typingCode } from './run-cli.ts'

export interface RunOptions extends Omit<Running, 'home'> {
  /** The code that the command must end with. */
  expected?: number
  home?: string
}

export interface Terminal {
  world: World
  home: string
  server: string
  /** Runs a command; fails unless it ends with the code that is expected, 0 unless told. */
  run(words: string[], given?: number | RunOptions, input?: string): Promise<Result>
  /** The same with --json, read. */
  json<T>(words: string[], given?: RunOptions): Promise<T>
  /** Signs in with a mailed code. */
  login(profile?: string, given?: RunOptions & { person?: Person; words?: string[] }): Promise<Result>
}

/** A test of commands, on SQLite unless told. */
export function onTerminal(sentence: string, body: (terminal: Terminal) => Promise<void>, open?: Open): void {
  it(sentence, async (t) => {
    const home = await temporaryDirectory(t)
    await listening(t, async (world) => body(terminalOf(world, home)), { ...(open && { open }) })
  })
}

/** A terminal of this world, with this home. */
export function terminalOf(world: World, home: string): Terminal {
  const server = world.dependencies.config.baseUrl
  const run: Terminal['run'] = async (words, given = 0, input) => {
    const { expected = 0, ...running } = typeof given === 'number' ? { expected: given } : given
    const result = await guildhall(words, { home, ...running, ...(input !== undefined && { input }) })
    assert.equal(result.code, expected, `guildhall ${words.join(' ')}\n${result.output}${result.errors}`)
    return result
  }
  const login: Terminal['login'] = async (
    profile = 'default',
    { expected = 0, person = world.alice, words = [], ...given } = {},
  ) => {
    await person.account()
    const { email } = person
    const all = ['login', '--server', server, '--email', email, '--profile', profile, ...words]
    const result = await guildhall(all, { home, ...given, onErrors: typingCode(world, email) })
    assert.equal(result.code, expected, result.errors)
    return result
  }
  const json = async <T>(words: string[], given: RunOptions = {}) =>
    JSON.parse((await run([...words, '--json'], given)).output) as T
  return { world, home, server, run, json, login }
}
