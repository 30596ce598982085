// Run by npm after it installed packages (`dependencies` in package.json), in plain JavaScript that an older Node can run: takes out
// what npm puts there and nothing here reads.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageOfRuntime } from './runtime.js'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const LOCK = join(ROOT, 'package-lock.json')
const WORKSPACES = ['.', 'site']
const environment = process.env

/**
 * The lock file names no engines. npm would compare them with the Node that runs npm, and warn; but packages are run by the Node
 * that bin/node.js finds.
 */
function withoutEngines() {
  const text = readFileSync(LOCK, 'utf8')
  const lock = JSON.parse(text)
  for (const [path, entry] of Object.entries(lock.packages)) if (path !== '') delete entry.engines
  const plain = `${JSON.stringify(lock, null, 2)}\n`
  if (plain !== text) writeFileSync(LOCK, plain)
}

/** The C headers and manuals of the pinned Node, half as large as the Node itself, and what npm 10 keeps of another platform. */
function withoutOtherMachines() {
  const name = packageOfRuntime()
  if (!name) return
  for (const path of [`${name}/include`, `${name}/share`, '@img/sharp-wasm32']) {
    rmSync(join(ROOT, 'node_modules', path), { recursive: true, force: true })
  }
}

/**
 * For `--omit=dev`. npm keeps a development package that another package can use, such as TypeScript; and type declarations, source
 * maps and documents are for those who develop.
 */
async function withoutDevelopment() {
  for (const workspace of WORKSPACES) {
    const folder = join(ROOT, workspace)
    const { devDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    for (const name of Object.keys(devDependencies)) {
      rmSync(join(folder, 'node_modules', name), { recursive: true, force: true })
    }
    await prune(join(folder, 'node_modules'))
  }
}

const UNREAD = /\.d\.[cm]?ts$|\.map$|^(?:readme|changelog|history|contributing|security)\b.*\.md$/i
/** Tests of packages; builds for other tools than Node, which reads `lib`, `dist-cjs` and the like; style sheets nothing links to. */
const UNREAD_FOLDERS = [
  /\/node_modules\/(?:@[\w.-]+\/)?[\w.-]+\/(?:tests?|examples?|docs|bench|benchmarks?)$/,
  /\/(?:@aws-sdk|@smithy)\/[\w-]+\/dist-(?:es|types)$/,
  /\/(?:highlight\.js\/(?:scss|styles|types)|zod\/src|quickjs-wasi\/extensions)$/,
]

async function prune(folder) {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name)
      if (!entry.isDirectory()) return UNREAD.test(entry.name) ? rm(path) : undefined
      const plain = path.replaceAll('\\', '/')
      return UNREAD_FOLDERS.some((folder) => folder.test(plain)) ? rm(path, { recursive: true }) : prune(path)
    }),
  )
}

if (environment.npm_command !== 'ci') withoutEngines()
withoutOtherMachines()
if (/\bdev\b/.test(environment.npm_config_omit || '')) await withoutDevelopment()
