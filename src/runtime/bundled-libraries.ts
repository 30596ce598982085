// Libraries of many small files, which the build puts into one file each: kysely and zod are 350 modules, a fifth of the CPU time of a start;
// hono and pino are 50. Where there is no such file of the installed version, Node loads the library as it is.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const FOLDER = 'libraries'
/** Every way in of a library is in its bundle: what is imported by two of them is there once. */
const LIBRARIES: Record<string, readonly string[]> = {
  kysely: ['kysely', 'kysely/migration'],
  zod: ['zod', 'zod/v4', 'zod/v4/core'],
  // Ways in that @hono/node-server takes are in it too.
  hono: ['hono', 'hono/html', 'hono/router/trie-router', 'hono/utils/mime', 'hono/ws'],
  pino: ['pino'],
}

/** Messages of zod in 60 languages are left out but for English: nothing here asks for another. */
const onlyEnglish = {
  name: 'only-english',
  load: (id: string) =>
    /\bzod[\\/]v4[\\/]locales[\\/]index\.js$/.test(id) ? `export { default as en } from './en.js'` : null,
}

/** For one letter above U+00FF, V8 would keep all of a file with two bytes for each. Such letters are only in texts. */
const escaped = (code: string) =>
  code.replace(/[\u0100-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(new URL(`../../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version

const fileOf = (specifier: string) => `${specifier.replaceAll('/', '-')}.js`

/** Writes the libraries into the folder of a build. */
export async function bundleLibraries(build: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const folder = join(build, FOLDER)
  for (const [name, specifiers] of Object.entries(LIBRARIES)) {
    const input = specifiers.map((specifier) => [
      fileOf(specifier).slice(0, -'.js'.length),
      fileURLToPath(import.meta.resolve(specifier)),
    ])
    const bundle = await rolldown({
      input: Object.fromEntries(input),
      plugins: [onlyEnglish],
      platform: 'node',
      preserveEntrySignatures: 'strict',
    })
    const { output } = await bundle.generate({
      format: 'esm',
      comments: { legal: true, annotation: false, jsdoc: false },
      // Messages of errors name classes.
      keepNames: true,
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    })
    await bundle.close()
    mkdirSync(join(folder, name), { recursive: true })
    for (const file of output)
      if (file.type === 'chunk') writeFileSync(join(folder, name, file.fileName), escaped(file.code))
  }
  const versions = Object.fromEntries(Object.keys(LIBRARIES).map((name) => [name, versionOf(name)]))
  writeFileSync(join(folder, 'versions.json'), JSON.stringify(versions))
}

/** The URLs of what is imported from libraries that a build has in the installed version, by their names in imports. */
export function bundledLibraries(build: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  try {
    const versions: Record<string, string> = JSON.parse(readFileSync(join(build, FOLDER, 'versions.json'), 'utf8'))
    for (const [name, specifiers] of Object.entries(LIBRARIES)) {
      if (versions[name] !== versionOf(name)) continue
      for (const specifier of specifiers) {
        found.set(specifier, pathToFileURL(join(build, FOLDER, name, fileOf(specifier))).href)
      }
    }
  } catch {
    // Not built, or by an earlier release.
  }
  return found
}
