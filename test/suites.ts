// The suites of test files by name, and which files of a suite are run: all, those that are named by their paths, or those whose
// paths have a word. No file is in two suites.
import { globSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

/** What is installed, upgraded and operated: packages and releases are made, and the programs in `deploy` run. */
const deploy = [
  'test/deploy/**/*.test.ts',
  'test/{upgrade,rolling-deploy,other-clients}.test.ts',
  '{cli,client}/test/{packed,journey}.test.ts',
]
const browser = ['test/browser/**/*.test.ts']
/** What needs more than the usual machine: each file is a lane, which is named like the file. */
const wide = ['test/wide/*.test.ts']
/** What starts Guildhall as a process, or fails a disk. */
const PROCESSES = /\b(startServer|runProgram|watchedServer|powercut|modelDisk)\(/
/** And files that work or wait for longer than others, in their order; of every suite they are begun first. */
const LONG = [
  'test/browser/pages.test.ts',
  'test/deploy/handbook.test.ts',
  'test/rolling-deploy.test.ts',
  'test/faults.test.ts',
  'test/import-killed.test.ts',
  'test/archive.test.ts',
  'test/archive-hostile.test.ts',
  'test/archive-accounts.test.ts',
  'test/trackers-random.test.ts',
  'src/operator/backup.test.ts',
  'src/operator/restoring.test.ts',
  'src/operator/trusted-backup.test.ts',
  'src/operator/move.test.ts',
  'src/content/webhooks/sending.test.ts',
  'src/library/hostile.test.ts',
  'test/hostile-text.test.ts',
  'test/mcp/untrusted.test.ts',
  'test/replica.test.ts',
  'test/replicas.test.ts',
  'test/many-processes.test.ts',
  'src/content/notifications/streams.test.ts',
  'test/mcp/subscriptions.test.ts',
  'test/mcp/conformance.test.ts',
  'test/workers.test.ts',
  'test/failing-checkpoint.test.ts',
  'test/demo.test.ts',
  'test/stand-still/operations.test.ts',
  'test/powercut.test.ts',
  'test/server.test.ts',
]
/** Whether it has a process to itself, and is begun before others. */
export const isNamed = (path: string) => LONG.some((long) => path.endsWith(long))
/** A file of `npm run test:long`, not of `npm test`. */
const isLong = (path: string) => isNamed(path) || PROCESSES.test(readFileSync(path, 'utf8'))
interface Suite {
  files: readonly string[]
  but?: readonly string[]
  only?: (path: string) => boolean
}
const all: Suite = {
  files: ['{src,cli/test,client/test,packages/*/test,site/test,test}/**/*.test.ts'],
  but: [...deploy, ...browser, ...wide],
}
const suites: Record<string, Suite> = {
  server: { ...all, only: (path) => !isLong(path) },
  long: { ...all, only: isLong },
  deploy: { files: deploy },
  browser: { files: browser },
  wide: { files: wide },
}

/** The size of most files tells how long they take. */
export const weigh = (path: string) => (isNamed(path) ? 1e9 : statSync(path).size)

/** What asks for an engine (test/databases.ts and what is made of it). */
const ENGINES = /\b(on(Every|Engines|Postgres|Old)\w*|withWorldOn)\(/

export const suiteNames = Object.keys(suites)

/** A path or a word that no file has. */
export class NoFile extends Error {}

function filesOf(suite: string): string[] {
  const { files, but = [], only = () => true } = suites[suite] ?? { files: [] }
  // Without SQLite, what asks for no engine is tested elsewhere.
  const asks = (path: string) =>
    suite === 'wide' || process.env['TEST_SQLITE'] !== 'off' || ENGINES.test(readFileSync(path, 'utf8'))
  return globSync([...files], { exclude: [...but] }).filter((path) => only(path) && asks(path))
}

/** The files of a suite that are asked for. A path may name any test file; what is no path is a word. */
export function wantedOf(suite: string, asked: readonly string[]): string[] {
  if (asked.length === 0) return filesOf(suite).map((path) => resolve(path))
  const found = asked.flatMap((one) => {
    const named = globSync(one).filter((path) => statSync(path).isFile())
    const files = named.length > 0 ? named : filesOf(suite).filter((path) => path.includes(one))
    if (files.length === 0) throw new NoFile(`There is no test file ${one}`)
    return files.map((path) => resolve(path))
  })
  return [...new Set(found)]
}

/** The lanes that are asked for, all if none is, and the words for them: `postgres-18 library`; `postgres` is three of them. */
export function lanesOf(asked: readonly string[]): { lanes: string[]; words: string[] } {
  const found = new Map(asked.map((one) => [one, globSync(`test/wide/${one}*.test.ts`)]))
  const lanes = [...found.values()].flat()
  return {
    lanes: (lanes.length > 0 ? lanes : filesOf('wide')).sort().map((path) => resolve(path)),
    words: asked.filter((one) => found.get(one)?.length === 0),
  }
}
