// The site's build: runs when the sources changed since the last one, so that `npm start` is the whole set-up.
import { spawn } from 'node:child_process'
import { renameSync, rmSync, watch } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesIn, fingerprintOf, hasStamp, isBuiltFrom, writeStamp } from '../../runtime/built-from.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const SITE = join(ROOT, 'site')
/** Where the built site is. */
export const BUILD = join(SITE, 'build')
const STAMP = join(BUILD, 'sources.sha256')

/** Everything the build is made from: whole folders, files, and what the site imports of the server. */
const FOLDERS = [
  'site/src',
  'site/static',
  'content/docs',
  'content/pages',
  'src/contract',
  'src/surfaces/reference',
  'src/language',
  'messages',
]
const FILES = [
  ...['site/package.json', 'site/vite.config.ts', 'package-lock.json'],
  ...['src/api.ts', 'src/subjects.ts', 'src/community/orgs/rules.ts'],
  ...['src/budgets/rules.ts', 'src/surfaces/openapi/examples.ts'],
]
const IMPORTED = /\/(subject|contract|[\w-]+-contract|area|audit-actions)\.ts$/

/**
 * Builds the site if its sources changed since the last build, and reports that to `say`. It runs in a separate process while the
 * start continues. Whether it had to; rejects when the build fails.
 */
export async function buildSite(say: (sentence: string) => void): Promise<boolean> {
  if (isBuiltFrom(STAMP, ROOT, listSources)) return false
  const sources = fingerprintOf(ROOT, listSources())
  say(hasStamp(STAMP) ? 'Building the site: its sources changed.' : 'Building the site, for the first time.')
  const started = performance.now()
  // Built into a separate folder and swapped in as a whole: a process that serves the old build has loaded what it needs.
  const fresh = join(SITE, `build-${process.pid}`)
  const remove = () => rmSync(fresh, { recursive: true, force: true })
  try {
    await runVite(fresh)
    writeStamp(join(fresh, 'sources.sha256'), sources)
    rmSync(BUILD, { recursive: true, force: true })
    renameSync(fresh, BUILD)
  } catch (error) {
    remove()
    throw error
  }
  say(`Built in ${Math.round((performance.now() - started) / 100) / 10} s.`)
  return true
}

function runVite(folder: string): Promise<void> {
  const vite = join(dirname(createRequire(join(SITE, 'package.json')).resolve('vite/package.json')), 'bin/vite.js')
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: SITE,
    env: { ...process.env, NODE_ENV: 'production', SITE_BUILD: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  // A start that is aborted stops the build too.
  const end = () => child.kill()
  process.once('exit', end)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      process.off('exit', end)
      if (code === 0) resolve()
      else if (/ENOSPC|EDQUOT|quota exceeded|system error -122/.test(said))
        reject(new Error('The site cannot be built: the disk is full; make room on it.'))
      else reject(new Error(`The site cannot be built:\n${said}`))
    })
  })
}

/** For development: builds again when a source changes; `node --watch` then starts the server again. */
export function watchSite(say: (sentence: string) => void): void {
  let waiting: NodeJS.Timeout | undefined
  watch(join(SITE, 'src'), { recursive: true }, () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => void buildSite(say).catch((error: Error) => say(error.message)), 100)
  })
}

const listSources = (): string[] => [
  ...FILES,
  ...FOLDERS.flatMap((folder) => filesIn(ROOT, folder)),
  ...filesIn(ROOT, 'src').filter((path) => IMPORTED.test(path)),
]
