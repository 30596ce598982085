// `npm run release [-- <folder>]`: one folder with all that a server needs: sources, the built site, production packages and the Node that
// runs them, with `guildhall-server` to start it. It needs no npm, no network and no other Node, and writes nothing into itself.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RELEASED } from '../src/runtime/built-from.ts'
import { buildServer } from '../src/start/build-server.ts'
import { NEWEST, newestBuild, STAMP } from '../src/start/built-server.ts'
import { buildSite } from '../src/surfaces/site/build.ts'
import { productionPackages } from './packages.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What a running server reads, besides its packages. */
const PARTS = [
  ...[
    'src',
    'migrations',
    'messages',
    'content',
    'demo',
    'deploy',
    'packages',
    'docs/openapi.json',
    'docs/reference.md',
    'docs/settings.md',
  ],
  ...['docs/spec', 'site/src', 'site/static', 'site/build', 'site/package.json', 'site/vite.config.ts'],
  ...['package.json', 'package-lock.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'SECURITY.md'],
]

const isTest = (path: string) => /\.test\.ts$|\/test(\/|$)/.test(path.slice(ROOT.length))

const PROGRAM = 'guildhall-server'
const LAUNCHER = `#!/bin/sh
# Starts the server; with arguments it is \`npm run admin\`: guildhall-server backup /var/backups/guildhall
here=$(dirname "$(readlink -f "$0")")
node="$here/runtime/node"
# As bin/node.js of the sources sets it.
export MALLOC_ARENA_MAX="\${MALLOC_ARENA_MAX:-1}"
export MALLOC_MMAP_THRESHOLD_="\${MALLOC_MMAP_THRESHOLD_:-131072}"
export MALLOC_TRIM_THRESHOLD_="\${MALLOC_TRIM_THRESHOLD_:-131072}"
export NODE_OPTIONS="--max-semi-space-size=16\${NODE_OPTIONS:+ $NODE_OPTIONS}"
case "\${1:-start}" in
  start) exec "$node" "$here/src/main.ts" ;;
  --version) exec "$node" -p 'require(process.argv[1]).version' "$here/package.json" ;;
  demo) exec "$node" "$here/src/demo/main.ts" ;;
  *) exec "$node" "$here/src/admin.ts" "$@" ;;
esac
`

async function release(folder: string): Promise<void> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty: name another folder, or remove it yourself`)
  await buildSite(console.log)
  await buildServer(console.log)
  mkdirSync(dirname(folder), { recursive: true })
  // It gets its name when it is whole. A folder that is there may be a disk of its own, in one that others own: it is filled from within.
  const isThere = existsSync(folder)
  // Before it is there: from then on it must be removed.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  const made = mkdtempSync(isThere ? join(folder, '.unfinished-') : `${folder}.unfinished-`)
  process.once('exit', () => rmSync(made, { recursive: true, force: true }))
  const packages = await fill(made)
  if (isThere) moveParts(made, folder)
  else {
    chmodSync(made, 0o755)
    renameSync(made, folder)
  }
  const { stdout } = spawnSync('du', ['-sm', folder], { encoding: 'utf8' })
  const launcher = join(folder, PROGRAM)
  console.log(`${folder}: ${packages} packages, ${stdout.split('\t')[0]} MB. Start it with ${launcher}`)
}

/** Moves what is in a folder to another one: all of it or nothing. */
function moveParts(from: string, to: string): void {
  const moved: string[] = []
  try {
    for (const name of readdirSync(from)) {
      renameSync(join(from, name), join(to, name))
      moved.push(join(to, name))
    }
  } catch (error) {
    for (const path of moved) rmSync(path, { recursive: true, force: true })
    throw error
  }
}

/** Puts all parts into a folder; the number of packages. Signals are heard between the parts. */
async function fill(folder: string): Promise<number> {
  for (const part of PARTS) await copy(part, folder, (path) => !isTest(path))
  writeFileSync(join(folder, 'site/build/sources.sha256'), RELEASED)
  await copyServer(folder)
  const packages = productionPackages(ROOT)
  for (const path of packages) await copy(path, folder, (file) => isOwn(join(ROOT, path), file))
  await copyRuntime(folder)
  const launcher = join(folder, PROGRAM)
  writeFileSync(launcher, LAUNCHER)
  chmodSync(launcher, 0o755)
  makeReadable(folder)
  return packages.length
}

/** For every account: the server runs as one of its own, and a checkout may be private, as what a start builds is. */
function makeReadable(folder: string): void {
  if (process.platform === 'win32') return
  const { status, stderr } = spawnSync('chmod', ['-R', 'a+rX', folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the files could not be made readable: ${stderr.trim()}`)
}

async function copy(path: string, folder: string, filter: (path: string) => boolean): Promise<void> {
  const target = join(folder, path)
  mkdirSync(dirname(target), { recursive: true })
  // An own package is a link to its folder in packages, as npm made it.
  await cp(join(ROOT, path), target, { recursive: true, verbatimSymlinks: true, filter })
}

/** A package inside another one is copied by itself, if it is needed. */
const isOwn = (root: string, file: string) => !file.slice(root.length).startsWith('/node_modules')

/** The newest build of the server, without those before it. */
async function copyServer(folder: string): Promise<void> {
  const build = relative(ROOT, newestBuild() ?? '')
  await copy(build, folder, () => true)
  writeFileSync(join(folder, build, STAMP), RELEASED)
  writeFileSync(join(folder, relative(ROOT, NEWEST)), basename(build))
}

/** The Node that runs this: bin/node.js has found the pinned one. */
async function copyRuntime(folder: string): Promise<void> {
  mkdirSync(join(folder, 'runtime'))
  await cp(process.execPath, join(folder, 'runtime/node'))
}

try {
  await release(resolve(process.argv[2] ?? join(ROOT, 'release/guildhall')))
} catch (error) {
  console.error(`No release was made: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
