// Makes few large files of the server's sources and of the libraries that it always loads (built-server.ts). It is in none of them itself.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Plugin, PluginContext } from 'rolldown'
import { fingerprintOf, writeStamp } from '../runtime/built-from.ts'
import { BUILDS, isServerBuilt, listSources, NEWEST, programs, ROOT, SHARED, STAMP } from './built-server.ts'

/** How many builds are kept: processes that began before may still load the rest of an older one. */
const KEPT = 3

/** Libraries that are built in with all that they import: those of every start, and what imports one of them. Others are loaded as installed. */
const LIBRARIES =
  /^(?:kysely|zod|hono|pino|intl-messageformat|@formatjs|@hono\/node-server|@modelcontextprotocol\/server|@guildhall)(?:\/|$)/
const isOfSources = (importer: string | undefined) => !importer?.includes('node_modules')
const isElsewhere = (name: string, importer: string | undefined) =>
  name.startsWith('node:') || (isOfSources(importer) && !/^[./]|^[A-Za-z]:\\/.test(name) && !LIBRARIES.test(name))

/** Messages of zod in 60 languages are left out but for English: nothing here asks for another. */
const onlyEnglish: Plugin = {
  name: 'only-english',
  load: (id) => (/\bzod[\\/]v4[\\/]locales[\\/]index\.js$/.test(id) ? `export { default as en } from './en.js'` : null),
}

/** Sources find files beside them, and modules for threads and processes: they do so from where they are, and not from the build. */
const fromSources: Plugin = {
  name: 'from-sources',
  transform(code, id) {
    if (!code.includes('import.meta') || id.includes('node_modules')) return null
    const path = relative(ROOT, id).replaceAll('\\', '/')
    const replaced = code
      .replaceAll('import.meta.url', '__source')
      .replaceAll('import.meta.dirname', `process.getBuiltinModule('node:url').fileURLToPath(new URL('.', __source))`)
      .replaceAll('import.meta.main', 'false')
      .replaceAll(/import\.meta\.resolve\((?=\s*['"`]\.)/g, '((path) => new URL(path, __source).href)(')
    // It has as many lines as before, so that its map stays right.
    const own = JSON.stringify(`../../${path}`)
    return { code: `const __source = new URL(${own}, import.meta.url).href; ${replaced}`, map: null }
  },
}

/** What a start imports later than its first module (serve.ts), in one process on SQLite. */
const AT_START = [
  ...['start/processes', 'start/serve', 'start/open-dependencies', 'app', 'identity/roles', 'accounts/setup/setup'],
  ...['surfaces/http/listen', 'surfaces/site/open', 'surfaces/site/build', 'storage/file-blobs'],
]

/** Puts what every start loads into one file, and what every command loads besides into another; all else is loaded when it is used. */
function inGroups(): { plugin: Plugin; groups: { name: string; test(id: string): boolean }[] } {
  const [server, admin] = [join(ROOT, programs.server), join(ROOT, programs.admin)]
  let found = { start: new Set<string>(), ofServer: new Set<string>(), ofAdmin: new Set<string>() }
  const plugin: Plugin = {
    name: 'in-groups',
    buildEnd() {
      const atStart = AT_START.map((path) => join(ROOT, 'src', `${path}.ts`))
      found = {
        start: importedBy(this, atStart),
        ofServer: importedBy(this, [server], { later: true }),
        ofAdmin: importedBy(this, [admin]),
      }
    },
  }
  const groups = [
    { name: 'start', test: (id: string) => found.start.has(id) && id !== server },
    { name: 'commands', test: (id: string) => found.ofAdmin.has(id) && !found.ofServer.has(id) && id !== admin },
  ]
  return { plugin, groups }
}

/** Modules with all that they import at once, or also what they import later. */
function importedBy(context: PluginContext, ids: readonly string[], { later = false } = {}): Set<string> {
  // A set gives what is added to it during the loop.
  const found = new Set(ids)
  for (const id of found) {
    const module = context.getModuleInfo(id)
    for (const imported of module?.importedIds ?? []) found.add(imported)
    for (const imported of (later && module?.dynamicallyImportedIds) || []) found.add(imported)
  }
  return found
}

/** For one letter that is not of ASCII, Node gives V8 all of a file with two bytes for each. Such letters are only in texts. */
const escaped = (code: string) =>
  code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A map without the sources themselves, which are beside the build: a third of it. */
const withoutSources = (map: string) => JSON.stringify({ ...JSON.parse(map), sourcesContent: undefined })

async function bundle(folder: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const { plugin, groups } = inGroups()
  const made = await rolldown({
    cwd: ROOT,
    input: {
      ...Object.fromEntries(Object.entries(programs).map(([name, path]) => [name, join(ROOT, path)])),
      [SHARED]: SHARED,
    },
    external: isElsewhere,
    plugins: [onlyEnglish, fromSources, plugin],
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await made.generate({
    format: 'esm',
    codeSplitting: { groups, includeDependenciesRecursively: false },
    sourcemap: 'hidden',
    comments: { legal: true, annotation: false, jsdoc: false },
    // Messages of errors name classes.
    keepNames: true,
    // Short names make text and compiled code a fifth smaller. Node keeps both, the code in a buffer of the next power of two: below 2 MB here.
    minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
  })
  await made.close()
  for (const file of output) {
    const path = join(folder, file.fileName)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, file.type === 'chunk' ? escaped(file.code) : withoutSources(String(file.source)))
  }
}

/** Builds the server if its sources changed since the last build, and reports that to `say`. Rejects when the build fails. */
export async function buildServer(say: (sentence: string) => void): Promise<void> {
  if (isServerBuilt()) return
  const began = performance.now()
  const sources = fingerprintOf(ROOT, listSources())
  const name = `${sources.contents.slice(0, 16)}-${process.pid}`
  const folder = join(BUILDS, name)
  try {
    await bundle(folder)
    writeStamp(join(folder, STAMP), sources)
    writeFileSync(`${NEWEST}-${process.pid}`, name)
    renameSync(`${NEWEST}-${process.pid}`, NEWEST)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  removeOlder()
  say(`Built the server in ${Math.round((performance.now() - began) / 100) / 10} s.`)
}

function removeOlder(): void {
  const builds = readdirSync(BUILDS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ path: join(BUILDS, name), at: statSync(join(BUILDS, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at)
  for (const { path } of builds.slice(KEPT)) rmSync(path, { recursive: true, force: true })
}
