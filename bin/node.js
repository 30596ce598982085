// Runs the Node that the lock file pins, with the arguments given: `node bin/node.js src/main.ts`. Plain JavaScript that an older
// Node can run, because it is what every npm script starts with. It passes signals on and ends as the program does.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageOfRuntime } from './runtime.js'

/** The oldest Node that runs the sources as they are. */
const OLDEST = 26
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const PARENT_MILLISECONDS = 250
/** Ends the program when this process is gone, however it ended. */
const LEASH = fileURLToPath(new URL('leash.cjs', import.meta.url))

const ownIsNewEnough = Number.parseInt(process.versions.node, 10) >= OLDEST

/** Says in a sentence why there is no Node to run with, and ends. */
function refuse(reason) {
  console.error(
    `Guildhall needs Node ${OLDEST} or later and brings its own, but ${reason}; this is Node ${process.versions.node}.`,
  )
  process.exit(1)
}

/** The path of the pinned Node; that of the running one where the pinned one is missing and this one will do. */
function findRuntime() {
  const name = packageOfRuntime()
  if (!name) {
    return ownIsNewEnough
      ? process.execPath
      : refuse(`has none for ${process.platform}-${process.arch}: install Node ${OLDEST} and run npm with it`)
  }
  let manifest
  try {
    manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
  } catch {
    return ownIsNewEnough
      ? process.execPath
      : refuse(`the package ${name} is not installed: run \`npm ci\` without leaving out optional packages`)
  }
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin.node)
}

/** Starts `runtime`; where it cannot be run at all (another C library, no permission) the running Node takes its place. */
function start(runtime) {
  const child = spawn(runtime, ['--require', LEASH, ...process.argv.slice(2)], {
    env: {
      ...process.env,
      // What the program starts by the name `node` is the same Node.
      PATH: dirname(runtime) + delimiter + (process.env.PATH || ''),
      // Malloc of glibc keeps what is free, apart for each thread: with one heap, eight uploads hold 30 MB less at the same CPU time.
      MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX || '1',
      // What is free goes back in pieces of 128 KB. Otherwise malloc keeps larger ones after each of these that was freed.
      MALLOC_MMAP_THRESHOLD_: process.env.MALLOC_MMAP_THRESHOLD_ || '131072',
      MALLOC_TRIM_THRESHOLD_: process.env.MALLOC_TRIM_THRESHOLD_ || '131072',
      // Young objects of V8 have 32 MB instead of 64, which a mix of all work fills (bench/endurance.ts).
      NODE_OPTIONS: ['--max-semi-space-size=16', process.env.NODE_OPTIONS].filter(Boolean).join(' '),
      // Modules are compiled once. Where a program turns this on itself, the compiler of TypeScript is loaded for its first file.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE || join(tmpdir(), 'node-compile-cache'),
    },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  child.once('error', (error) => {
    if (child.pid !== undefined) return
    if (ownIsNewEnough && runtime !== process.execPath) start(process.execPath)
    else refuse(`${runtime} does not run on this machine (${error.code}): install Node ${OLDEST} and run npm with it`)
  })
  child.once('spawn', () => accompany(child))
}

/** Passes signals on to `child`, and ends as it ends. */
function accompany(child) {
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  if (process.env.npm_lifecycle_event) endWithNpm(child)
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const name of SIGNALS) process.removeAllListeners(name)
    process.exitCode = 128 + constants.signals[signal]
    process.kill(process.pid, signal)
    // A signal that does not end this process, such as one that is ignored.
    setTimeout(() => process.exit(), 500)
  })
}

/**
 * npm passes SIGTERM to the shell of the script, which ends without passing it on, and other signals to nobody. So the program
 * is told to end when the shell is gone, or npm is.
 */
function endWithNpm(child) {
  const shell = process.ppid
  const npm = findNpm()
  const watching = setInterval(() => {
    if (process.ppid === shell && (npm === undefined || isAlive(npm))) return
    clearInterval(watching)
    child.kill('SIGTERM')
  }, PARENT_MILLISECONDS)
  watching.unref()
}

/** The process of npm above this one, where the system shows what runs (Linux). */
function findNpm() {
  try {
    for (let pid = process.ppid; pid > 1; ) {
      if (/^npm\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))) return pid
      // The name in brackets may hold anything; after it come the state and the parent.
      pid = Number(/.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
    }
  } catch {
    // Another system: the shell alone is looked at.
  }
  return undefined
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

start(findRuntime())
