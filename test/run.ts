// Runs test files: `npm test` and `npm run test:long`, `test:deploy` and `test:browser`. The suites are named here; paths after `--` run
// these files alone. Most files of the server share a process: to load the application takes longer than most tests, and what ran before is faster.
// TEST_POSTGRES_URL names a PostgreSQL; without it, one is started where it is installed. TEST_POSTGRES=off leaves it out.
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { type OwnPostgres, startPostgres } from './own-postgres.ts'

/** What is installed, upgraded and operated: packages and releases are made, and the programs in `deploy` run. */
const deploy = [
  'test/deploy/**/*.test.ts',
  'test/{upgrade,rolling-deploy,other-clients}.test.ts',
  '{cli,client}/test/{packed,journey}.test.ts',
]
const browser = ['test/browser/**/*.test.ts']
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
const isNamed = (path: string) => LONG.some((long) => path.endsWith(long))
/** A file of `npm run test:long`, not of `npm test`. */
const isLong = (path: string) => isNamed(path) || PROCESSES.test(readFileSync(path, 'utf8'))
interface Suite {
  files: readonly string[]
  but?: readonly string[]
  only?: (path: string) => boolean
}
const all: Suite = {
  files: ['{src,cli/test,client/test,packages/*/test,site/test,test}/**/*.test.ts'],
  but: [...deploy, ...browser],
}
const suites: Record<string, Suite> = {
  server: { ...all, only: (path) => !isLong(path) },
  long: { ...all, only: isLong },
  deploy: { files: deploy },
  browser: { files: browser },
}

/** The size of most files tells how long they take. */
const weigh = (path: string) => (isNamed(path) ? 1e9 : statSync(path).size)

const [suite = '', ...paths] = process.argv.slice(2)
const wanted: Suite | undefined = paths.length > 0 ? { files: paths } : suites[suite]
if (!wanted) {
  console.error(`Usage: node bin/node.js test/run.ts ${Object.keys(suites).join('|')} [path...]`)
  process.exit(2)
}

/** What starts processes, changes its own or measures it has one to itself. */
const ALONE =
  /node:(child_process|cluster|perf_hooks|v8)'|\/(server|processes|standby|browser)\.ts'|process\.(chdir|on|once|memoryUsage)\b|(delete |assign\()process\.env\b|process\.env\S* \?*=[^=]|createHook|\.prototype\b|\bmock\.|^(before|beforeEach)\(/m
const SHARED_PROCESSES = 12
/** Young objects have more room, and the garbage collector no helpers: a tenth less of the processor, for 180 MB more of memory (docs/testing.md). */
const QUICK_FLAGS = ['--max-semi-space-size=64', '--single-threaded-gc']
/** What saves memory in a server (bin/node.js), and gives it back at every turn. */
const SAVING = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_']
/** All tests at once need a quarter of it. */
const MEMORY_BYTES = 4 * 1024 ** 3

const isAlone = (path: string) => ALONE.test(readFileSync(path, 'utf8'))

/** Programs that run the files of one group each, in `folder`; the groups are about as large as each other. */
function groupsOf(paths: readonly string[], folder: string): string[] {
  const groups = Array.from({ length: SHARED_PROCESSES }, () => ({ size: 0, program: '' }))
  for (const path of paths) {
    const smallest = groups.reduce((least, group) => (group.size < least.size ? group : least))
    smallest.size += statSync(path).size
    smallest.program += `await import(${JSON.stringify(pathToFileURL(path).href)})\n`
  }
  return groups.map(({ program }, number) => {
    const path = join(folder, `${number}.mjs`)
    writeFileSync(path, program)
    return path
  })
}

/** The files to run: the longest are begun first, so that the last to end is a short one; the size of most tells it well enough. */
function programsOf(files: readonly string[], folder: string): string[] {
  const sorted = files.toSorted((a, b) => weigh(b) - weigh(a))
  if (suite !== 'server' || paths.length > 0) return sorted
  const alone = sorted.filter(isAlone)
  const groups = groupsOf(
    sorted.filter((path) => !alone.includes(path)),
    folder,
  )
  return mixed(groups, alone)
}

/** Evenly among the others, from the first on, but not last: groups keep a processor busy, while files of processes mostly wait. */
function mixed(groups: readonly string[], others: readonly string[]): string[] {
  const perGroup = Math.ceil(others.length / (groups.length + 1))
  return [
    ...groups.flatMap((group, n) => [group, ...others.slice(n * perGroup, (n + 1) * perGroup)]),
    ...others.slice(groups.length * perGroup),
  ]
}

/** A folder in memory, where there is room: thousands of databases and folders are made and removed, which takes a disk longer. */
function memoryFolder(): string | undefined {
  if (process.env['TMPDIR'] || process.platform !== 'linux') return
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize <= MEMORY_BYTES) return
    const folder = mkdtempSync('/dev/shm/guildhall-tests-')
    // As in /tmp, a program of another user gets to its own folder (test/standby.ts).
    chmodSync(folder, 0o711)
    return folder
  } catch {
    return undefined
  }
}

const cache = join(import.meta.dirname, '../node_modules/.cache/tests')
mkdirSync(cache, { recursive: true })
const groups = mkdtempSync(join(cache, 'groups-'))
process.once('exit', () => rmSync(groups, { recursive: true }))
/** A path that is wrong would leave its tests out, and all others would pass. */
const absent = paths.filter((path) => globSync(path).length === 0)
if (absent.length > 0) {
  console.error(`There is no test file ${absent.join(', ')}`)
  process.exit(2)
}
const files = programsOf(
  globSync([...wanted.files], { exclude: [...(wanted.but ?? [])] })
    .map((path) => resolve(path))
    .filter(wanted.only ?? (() => true)),
  groups,
)
// Every process loads the same modules: they are compiled once.
process.env['NODE_COMPILE_CACHE'] ??= cache
const memory = suite === 'server' && memoryFolder()
if (memory) {
  process.env['TMPDIR'] = memory
  process.once('exit', () => rmSync(memory, { recursive: true, force: true }))
}
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interruption.abort())

// Half of the requests on PostgreSQL go to a second process.
if (suite === 'server' || suite === 'long') process.env['TEST_PROCESSES'] ??= '2'
const postgres = await findPostgres()
if (postgres.url) process.env['TEST_POSTGRES_URL'] = postgres.url
else delete process.env['TEST_POSTGRES_URL']
await runAll().finally(() => postgres.stop?.())
if (postgres.why) console.log(`Not tested: what runs on PostgreSQL, because ${postgres.why}.`)

interface PostgresForTests extends Partial<OwnPostgres> {
  /** Why there is none. */
  why?: string
}

async function findPostgres(): Promise<PostgresForTests> {
  if (process.env['TEST_POSTGRES'] === 'off') return { why: 'TEST_POSTGRES is off' }
  const url = process.env['TEST_POSTGRES_URL']
  if (url) return { url }
  try {
    const how = 'install it (on Debian: apt-get install postgresql), or set TEST_POSTGRES_URL'
    return (await startPostgres()) ?? { why: `PostgreSQL 15 or later is not installed: ${how}` }
  } catch (error) {
    return { why: `PostgreSQL does not start here: ${(error as Error).message}` }
  }
}

async function runAll(): Promise<void> {
  // Tests of the server wait for a third of their time, those in browsers do not.
  const concurrency = suite === 'browser' ? availableParallelism() : availableParallelism() + 2
  const isQuick = suite === 'server' && paths.length === 0
  if (isQuick) for (const name of SAVING) delete process.env[name]
  const execArgv = ['--require', join(import.meta.dirname, 'untracked-promises.cjs'), ...(isQuick ? QUICK_FLAGS : [])]
  /** A process that takes longer hangs; the slowest takes a tenth of it on a quiet machine. TEST_TIMEOUT sets another number of seconds. */
  const timeout = Number(process.env['TEST_TIMEOUT'] || (suite === 'browser' ? 1_800 : 1_200)) * 1_000
  const tests = run({ files, execArgv, concurrency, timeout, signal: interruption.signal })
  tests.on('test:fail', () => {
    process.exitCode = 1
  })
  await pipeline(tests.compose(new spec()), process.stdout, { end: false })
}
