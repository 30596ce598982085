// The server as few large files, which `npm run build` makes of its 1,500 sources (build-server.ts): to find, read and compile each by itself
// is half of a start, and a tenth of what an idle server holds. It is used only where it is of the sources as they are; else they run themselves.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { filesIn, isBuiltFrom } from '../runtime/built-from.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const BUILDS = join(ROOT, 'build')
/** The name of the folder of the newest build. Each has its own: a process that runs loads the rest of its parts later. */
export const NEWEST = join(BUILDS, 'newest')
/** The stamp of what was built, in that folder. */
export const STAMP = 'sources.sha256'

/** What can be started, by its source. */
export const programs = { server: 'src/start/processes.ts', admin: 'src/start/commands.ts' } as const

const FOLDERS = ['src', 'migrations', 'messages', 'packages/durable-sqlite/src', 'packages/verifiable/src']
const FILES = ['package-lock.json']

/** Everything that it is built from. */
export const listSources = (): string[] => [
  ...FILES,
  ...FOLDERS.flatMap((folder) => filesIn(ROOT, folder)).filter((path) => !path.endsWith('.test.ts')),
]

/** The folder of the newest build; undefined where there is none. */
export function newestBuild(): string | undefined {
  try {
    return join(BUILDS, readFileSync(NEWEST, 'utf8').trim())
  } catch {
    return undefined
  }
}

/** Whether the newest build is of the sources as they are. */
export function isServerBuilt(): boolean {
  const folder = newestBuild()
  return folder !== undefined && isBuiltFrom(join(folder, STAMP), ROOT, listSources)
}

/** The library that the built site imports too: there it is the one of the build. */
export const SHARED = 'zod'

/** The URL of a program in the newest build; undefined where the sources are to run: they have changed, or are being worked on. */
export function builtProgram(name: keyof typeof programs): string | undefined {
  const folder = process.env['NODE_ENV'] === 'development' || !isServerBuilt() ? undefined : newestBuild()
  if (folder === undefined) return undefined
  const urlOf = (file: string) => pathToFileURL(join(folder, `${file}.js`)).href
  const shared = { url: urlOf(SHARED), format: 'module', shortCircuit: true } as const
  registerHooks({ resolve: (specifier, context, next) => (specifier === SHARED ? shared : next(specifier, context)) })
  return urlOf(name)
}
