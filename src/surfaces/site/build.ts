// The site's build: made when its sources are not those it was made from, so that `npm start` stays the whole set-up.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, watch, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const SITE = join(ROOT, 'site')
/** Where the built site is. */
export const BUILD = join(SITE, 'build')
const STAMP = join(BUILD, 'sources.sha256')

/** Everything the build is made from. */
const SOURCES = [
  ...['site/src/**/*', 'site/static/**/*', 'content/docs/**', 'content/pages/**', 'docs/reference.md'],
  ...['src/oauth/scopes.ts', 'site/package.json', 'site/vite.config.ts', 'package-lock.json'],
]

/** Builds the site if its sources changed since it was built, and tells `say` so. Throws when it cannot be built. */
export function buildSite(say: (sentence: string) => void): void {
  const sources = fingerprint()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return
  say(existsSync(STAMP) ? 'Building the site: its sources changed.' : 'Building the site, for the first time.')
  const started = performance.now()
  // Built beside the old one and put in its place whole: a process that serves the old one has loaded what it needs.
  const fresh = join(SITE, `build-${process.pid}`)
  const vite = join(dirname(createRequire(join(SITE, 'package.json')).resolve('vite/package.json')), 'bin/vite.js')
  const built = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: SITE,
    env: { ...process.env, NODE_ENV: 'production', SITE_BUILD: fresh },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  if (built.status !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    throw new Error(`The site cannot be built:\n${built.stdout}${built.stderr}`)
  }
  writeFileSync(join(fresh, 'sources.sha256'), sources)
  rmSync(BUILD, { recursive: true, force: true })
  renameSync(fresh, BUILD)
  say(`Built in ${Math.round((performance.now() - started) / 100) / 10} s.`)
}

/** For development: builds again when a source changes; `node --watch` then starts the server again. */
export function watchSite(say: (sentence: string) => void): void {
  let waiting: NodeJS.Timeout | undefined
  watch(join(SITE, 'src'), { recursive: true }, () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      try {
        buildSite(say)
      } catch (error) {
        say((error as Error).message)
      }
    }, 100)
  })
}

/** The hash of every source with its name. */
function fingerprint(): string {
  const hash = createHash('sha256')
  for (const path of globSync(SOURCES, { cwd: ROOT }).sort()) {
    const file = join(ROOT, path)
    if (statSync(file).isFile()) hash.update(path).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

if (import.meta.main) buildSite(console.log)
