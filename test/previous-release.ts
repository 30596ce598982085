// The release before this one, as a folder that runs: its sources from the history of the repository, with the packages that are installed
// here. It is the commit that last changed release/before.json, in which each release writes its version.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const MARK = 'release/before.json'

const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, maxBuffer: 1e9 })
const textOf = (...args: string[]) =>
  git(...args)
    .stdout?.toString()
    .trim() ?? ''

export const before = {
  version: (JSON.parse(readFileSync(join(ROOT, MARK), 'utf8')) as { version: string }).version,
  /** Empty where there is no history. */
  commit: textOf('log', '-1', '--format=%H', '--', MARK),
}

/** Why it cannot be had: a copy of the sources without their history. */
export function whyNoRelease(): string | undefined {
  const isWhole = before.commit !== '' && textOf('rev-parse', '--is-shallow-repository') === 'false'
  return isWhole ? undefined : 'these need the history of the repository: git fetch --unshallow'
}

/** The files of that release, by their paths. */
export const filesBefore = (): string[] => filesOf(before.commit)

/** The files of a commit, by their paths. */
export const filesOf = (commit: string): string[] => textOf('ls-tree', '-r', '--name-only', commit).split('\n')

/** The text of a file of that release; undefined if it had none. */
export function readBefore(path: string): string | undefined {
  const { status, stdout } = git('show', `${before.commit}:${path}`)
  return status === 0 ? stdout.toString() : undefined
}

/** Makes the folder. Its pages are not built: an API needs none. */
export function makePreviousRelease(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const archive = git('archive', before.commit)
  const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout })
  if (archive.status !== 0 || unpacked.status !== 0) throw new Error(`${archive.stderr}${unpacked.stderr}`)
  for (const place of ['.', 'site']) {
    const packages = join(ROOT, place, 'node_modules')
    if (existsSync(packages)) linkPackages(packages, join(folder, place, 'node_modules'))
  }
  mkdirSync(join(folder, 'site/build'), { recursive: true })
  writeFileSync(join(folder, 'site/build/sources.sha256'), 'released')
  return folder
}

/** Links each package, but for our own: they are links to its folders as they are to those here. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from).filter((name) => name !== '@guildhall'))
    symlinkSync(join(from, name), join(to, name))
  const own = join(from, '@guildhall')
  if (existsSync(own)) cpSync(own, join(to, '@guildhall'), { recursive: true, verbatimSymlinks: true })
}
