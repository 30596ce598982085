// Runs test files: `npm test`, `npm run test:deploy`, `npm run test:browser`. The suites are named here; paths after `--` run these files alone. Most files of
// the server share a process with others: to load the application takes longer than most tests, and code that ran before runs faster.
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'

/** A process that takes longer hangs; the slowest takes a tenth of it on a quiet machine. TEST_TIMEOUT sets another number of seconds. */
const TIMEOUT_MILLISECONDS = Number(process.env['TEST_TIMEOUT'] || 600) * 1_000

/** What is installed, upgraded and operated: packages and releases are made, and the programs in `deploy` run. */
const deploy = [
  'test/deploy/**/*.test.ts',
  'test/{upgrade,rolling-deploy}.test.ts',
  '{cli,client}/test/{packed,journey}.test.ts',
]
const browser = ['test/browser/**/*.test.ts']
const suites: Record<string, { files: readonly string[]; but?: readonly string[] }> = {
  server: { files: ['{src,cli/test,client/test,site/test,test}/**/*.test.ts'], but: [...deploy, ...browser] },
  deploy: { files: deploy },
  browser: { files: browser },
}

/** Files that work or wait for long, whatever their size. */
const LONG = [
  'test/faults.test.ts',
  'test/workers.test.ts',
  'test/failing-checkpoint.test.ts',
  'src/content/webhooks/sending.test.ts',
  'test/demo.test.ts',
  'test/stand-still/operations.test.ts',
  'test/powercut.test.ts',
  'test/server.test.ts',
]
const weigh = (path: string) => (LONG.some((long) => path.endsWith(long)) ? 1e9 : statSync(path).size)

const [suite = '', ...paths] = process.argv.slice(2)
const wanted = paths.length > 0 ? { files: paths } : suites[suite]
if (!wanted) {
  console.error(`Usage: node bin/node.js test/run.ts ${Object.keys(suites).join('|')} [path...]`)
  process.exit(2)
}

/** What starts processes, changes its own or measures it has one to itself. */
const ALONE =
  /node:(child_process|cluster|perf_hooks|v8)'|\/(server|processes|standby|browser)\.ts'|process\.(env|chdir|on|once|memoryUsage)\b|createHook|\.prototype\b|\bmock\.|^(before|beforeEach)\(/m
const SHARED_PROCESSES = 12

const isAlone = (path: string) => LONG.some((long) => path.endsWith(long)) || ALONE.test(readFileSync(path, 'utf8'))

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

const cache = join(import.meta.dirname, '../node_modules/.cache/tests')
mkdirSync(cache, { recursive: true })
const groups = mkdtempSync(join(cache, 'groups-'))
process.once('exit', () => rmSync(groups, { recursive: true }))
const files = programsOf(
  globSync([...wanted.files], { exclude: [...(wanted.but ?? [])] }).map((path) => resolve(path)),
  groups,
)
// Every process loads the same modules: they are compiled once.
process.env['NODE_COMPILE_CACHE'] ??= cache
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interruption.abort())

// Tests of the server wait for a third of their time. Browsers use several processes each; two at a time would wait for each other.
const concurrency = suite === 'browser' ? 1 : availableParallelism() + 2
const execArgv = ['--require', join(import.meta.dirname, 'untracked-promises.cjs')]
const tests = run({ files, execArgv, concurrency, timeout: TIMEOUT_MILLISECONDS, signal: interruption.signal })
tests.on('test:fail', () => {
  process.exitCode = 1
})
tests.compose(new spec()).pipe(process.stdout)
