// What lanes of `npm run test:wide` share: a program that runs for minutes or hours, with its output in a log. A lane says in its name
// what it needs, and skips with a reason that begins with a verb, as in `needs Docker`: the run repeats it at its end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LOGS = join(import.meta.dirname, '../../node_modules/.cache/tests/wide')
/** Of a log that is printed when its program fails. */
const LINES = 200

/** Words after `--` that name no lane: they choose among what a lane runs. */
export const words: readonly string[] = (process.env['TEST_WORDS'] ?? '').split(' ').filter(Boolean)

/** What the programs of a lane have of the environment: nothing that this run of tests set for its own. */
export const outside: NodeJS.ProcessEnv = { ...process.env }
delete outside['NODE_TEST_CONTEXT']

/** Runs a program to its end; gives what it wrote, which is in a log while it runs. The end of this process is its end too. */
export async function runLong(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  mkdirSync(LOGS, { recursive: true })
  const path = join(LOGS, `${name}.log`)
  const log = createWriteStream(path)
  await once(log, 'open')
  const [command = '', ...rest] = args
  const child = spawn(command, rest, { env, stdio: ['ignore', log, log] })
  log.close()
  const end = () => child.kill('SIGTERM')
  process.once('SIGTERM', end)
  const [code] = await once(child, 'close')
  process.off('SIGTERM', end)
  const said = readFileSync(path, 'utf8')
  if (code !== 0) {
    throw new Error(
      `${args.join(' ')} ended with ${code}; ${path} has all:\n${said.split('\n').slice(-LINES).join('\n')}`,
    )
  }
  return said
}
