// Runs test files, one more at a time than there are cores: `npm test`, `npm run test:browser`. The suites are named here; paths after
// `--` run these files alone.
import { globSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/** A test that takes longer hangs; the slowest takes a tenth of it on a quiet machine. */
const TIMEOUT_MILLISECONDS = 240_000

const suites: Record<string, readonly string[]> = {
  server: [
    'src/**/*.test.ts',
    'cli/test/**/*.test.ts',
    'client/test/**/*.test.ts',
    'site/test/**/*.test.ts',
    'test/{*,!(browser)/**/*}.test.ts',
  ],
  browser: ['test/browser/**/*.test.ts'],
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
const patterns = paths.length > 0 ? paths : suites[suite]
if (!patterns) {
  console.error(`Usage: node bin/node.js test/run.ts ${Object.keys(suites).join('|')} [path...]`)
  process.exit(2)
}

// The longest files are begun first, so that the last to end is a short one; the size of most tells it well enough.
const files = globSync([...patterns])
  .map((path) => resolve(path))
  .sort((a, b) => weigh(b) - weigh(a))
// Every file is a process that loads the same modules: they are compiled once.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/tests')
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => interruption.abort())

// Tests of the server wait for a third of their time. Browsers use several processes each; two at a time would wait for each other.
const concurrency = suite === 'browser' ? 1 : availableParallelism() + 1
const tests = run({ files, concurrency, timeout: TIMEOUT_MILLISECONDS, signal: interruption.signal })
tests.on('test:fail', () => {
  process.exitCode = 1
})
tests.compose(new spec()).pipe(process.stdout)
