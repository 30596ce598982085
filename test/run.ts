// Runs the test files of a suite (test/suites.ts): `npm test`, and `npm run test:long`, `test:deploy`, `test:browser` and `test:wide`.
// What follows `--` are paths, or words that paths have. Most files of the server share a process: to load the application takes longer
// than most tests, and what ran before is faster. TEST_POSTGRES_URL names a PostgreSQL; without it, one is started where it is
// installed. TEST_POSTGRES=off leaves it out, and TEST_SQLITE=off the other engine.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { type OwnPostgres, startPostgres } from './own-postgres.ts'
import { isNamed, lanesOf, NoFile, suiteNames, wantedOf, weigh } from './suites.ts'

const [suite = '', ...asked] = process.argv.slice(2)
if (!suiteNames.includes(suite)) {
  console.error(`Usage: node bin/node.js test/run.ts ${suiteNames.join('|')} [path or word...]`)
  process.exit(2)
}
const isWide = suite === 'wide'

/** What starts processes, changes its own or measures it has one to itself. */
const ALONE =
  /node:(child_process|cluster|perf_hooks|v8)'|\/(processes|standby|browser)\.ts'|process\.(chdir|on|once|memoryUsage)\b|(delete |assign\()process\.env\b|process\.env\S* \?*=[^=]|createHook|\.prototype\b|\bmock\.|^(before|beforeEach)\(/m
/** Into how many processes the others are put: pages in browsers into as few as have work for every core, since each starts a Chromium. */
const SHARED_PROCESSES: Readonly<Record<string, number>> = { server: 12, browser: 4 }
/** As many files have a process each. */
const FILES_OF_GROUP = 10
/** Young objects have more room, and the collector no helpers: a tenth less of the processor, 180 MB more of memory (docs/testing.md). */
const QUICK_FLAGS = ['--max-semi-space-size=64', '--single-threaded-gc']
/** What saves memory in a server (bin/node.js), and gives it back at every turn. */
const SAVING = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_']
/** Seconds of a process that hangs; on a quiet machine the slowest takes a tenth of it. TEST_TIMEOUT sets another number. */
const PATIENCE: Readonly<Record<string, number>> = { browser: 1_800, wide: 6 * 3_600 }
/** All tests at once need a quarter of it. */
const MEMORY_BYTES = 4 * 1024 ** 3

const isAlone = (path: string) => isNamed(path) || ALONE.test(readFileSync(path, 'utf8'))

/** Programs that run the files of one group each, in `folder`; the groups are about as large as each other. */
function groupsOf(paths: readonly string[], folder: string): string[] {
  const length = Math.min(SHARED_PROCESSES[suite] ?? 1, Math.ceil(paths.length / FILES_OF_GROUP))
  const groups = Array.from({ length }, () => ({ size: 0, program: '' }))
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
  if (isWide) return [...files]
  const sorted = files.toSorted((a, b) => weigh(b) - weigh(a))
  if (!isShared) return sorted
  const alone = sorted.filter(isAlone)
  const groups = groupsOf(
    sorted.filter((path) => !alone.includes(path)),
    folder,
  )
  return suite === 'browser' ? [...alone, ...groups] : mixed(groups, alone)
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
const wanted = filesOrEnd()
const isShared = SHARED_PROCESSES[suite] !== undefined && wanted.length > FILES_OF_GROUP
const files = programsOf(wanted, groups)
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

/** A path that is wrong would leave its tests out, and all others would pass. */
function filesOrEnd(): string[] {
  try {
    if (!isWide) return wantedOf(suite, asked)
    const { lanes, words } = lanesOf(asked)
    process.env['TEST_WORDS'] = words.join(' ')
    return lanes
  } catch (error) {
    if (!(error instanceof NoFile)) throw error
    console.error(error.message)
    process.exit(2)
  }
}

interface PostgresForTests {
  url: string | undefined
  stop?: OwnPostgres['stop']
  /** Why there is none. */
  why?: string
}

async function findPostgres(): Promise<PostgresForTests> {
  if (process.env['TEST_POSTGRES'] === 'off') return { url: undefined, why: 'TEST_POSTGRES is off' }
  const url = process.env['TEST_POSTGRES_URL']
  // Lanes start what they need.
  if (url || isWide) return { url }
  try {
    const how = 'install it (on Debian: apt-get install postgresql), or set TEST_POSTGRES_URL'
    return (await startPostgres()) ?? { url: undefined, why: `PostgreSQL 15 or later is not installed: ${how}` }
  } catch (error) {
    return { url: undefined, why: `PostgreSQL does not start here: ${(error as Error).message}` }
  }
}

/** Tests of the server wait for a third of their time, those in browsers do not, and a lane has the machine. */
function concurrencyOf(): number {
  if (isWide) return 1
  return suite === 'browser' ? availableParallelism() : availableParallelism() + 2
}

async function runAll(): Promise<void> {
  if (isShared) for (const name of SAVING) delete process.env[name]
  const loaded = process.env['TEST_TIMES'] ? ['untracked-promises.cjs', 'times.cjs'] : ['untracked-promises.cjs']
  const execArgv = loaded.flatMap((name) => ['--require', join(import.meta.dirname, name)])
  if (isShared) execArgv.push(...QUICK_FLAGS)
  const timeout = Number(process.env['TEST_TIMEOUT'] || (PATIENCE[suite] ?? 1_200)) * 1_000
  const tests = run({ files, execArgv, concurrency: concurrencyOf(), timeout, signal: interruption.signal })
  tests.on('test:fail', () => {
    process.exitCode = 1
  })
  const left: string[] = []
  tests.on('test:pass', ({ name, skip }) => {
    if (isWide && skip) left.push(`Not tested: ${name}, because it ${skip}.`)
  })
  await pipeline(tests.compose(new spec()), process.stdout, { end: false })
  for (const line of left) console.log(line)
}
