// Finds modules without asking the disk for each: a start has 5,000 imports, and Node looks for the file and the package of every one, which
// is a quarter of its CPU time. Only what is exactly the same is answered here; all else is left to Node.
import { type ResolveFnOutput, type ResolveHookContext, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { bundledLibraries } from '../runtime/bundled-libraries.ts'

type Next = (specifier: string, context?: Partial<ResolveHookContext>) => ResolveFnOutput

/** A path from the importing file to one with an ending: `./rules.ts`, `../../request/handler.ts`. */
const RELATIVE = /^(?:\.\/|(?:\.\.\/)+)(?:[\w-][\w.-]*\/)*[\w-][\w.-]*(\.[a-z]+)$/
/** Modules of this folder, and of those in it, have the same `node_modules` above them. */
const SOURCES = new URL('../', import.meta.url).href

/** What Node said of a folder and an ending: they decide the format of a file (its package has one `type`). */
const formats = new Map<string, ResolveFnOutput['format']>()
/** What Node said of a package or a built-in module that the sources import. */
const packages = new Map<string, ResolveFnOutput>()

/** Libraries of which the build has made one file, for all that import them. */
const bundled = new Map<string, ResolveFnOutput>()

/** The hook: where the module of an import is, and its format. */
export function resolve(specifier: string, context: ResolveHookContext, next: Next): ResolveFnOutput {
  const { parentURL, conditions } = context
  if (!parentURL?.startsWith('file:') || !conditions.includes('import')) return next(specifier, context)
  const library = bundled.get(specifier)
  if (library !== undefined) return library
  const ending = RELATIVE.exec(specifier)?.[1]
  if (ending !== undefined) return beside(specifier, parentURL, ending) ?? asked(specifier, context, next)
  if (specifier.startsWith('.') || !parentURL.startsWith(SOURCES)) return next(specifier, context)
  let found = packages.get(specifier)
  if (found === undefined) {
    found = { ...next(specifier, context), shortCircuit: true }
    packages.set(specifier, found)
  }
  return found
}

/** The file at a path from another one, where Node has said of a file beside it what it is. */
function beside(specifier: string, parentURL: string, ending: string): ResolveFnOutput | undefined {
  let end = parentURL.lastIndexOf('/')
  let begin = specifier.startsWith('./') ? 2 : 0
  for (; specifier.startsWith('../', begin); begin += 3) end = parentURL.lastIndexOf('/', end - 1)
  const url = `${parentURL.slice(0, end + 1)}${specifier.slice(begin)}`
  const format = formats.get(placeOf(url, ending))
  return format ? { url, format, shortCircuit: true } : undefined
}

function asked(specifier: string, context: ResolveHookContext, next: Next): ResolveFnOutput {
  const found = next(specifier, context)
  const ending = /\.[a-z]+$/.exec(found.url)?.[0]
  if (ending !== undefined) formats.set(placeOf(found.url, ending), found.format)
  return found
}

const placeOf = (url: string, ending: string) => `${url.slice(0, url.lastIndexOf('/'))} ${ending}`

/**
 * Imports from now on are found by this file, and libraries that the build has bundled are those. To be called once, before the
 * application is imported.
 */
export function resolveQuickly(): void {
  const build = fileURLToPath(new URL('../../site/build', import.meta.url))
  for (const [specifier, url] of bundledLibraries(build))
    bundled.set(specifier, { url, format: 'module', shortCircuit: true })
  registerHooks({ resolve })
}
