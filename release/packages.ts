// The packages that a running server needs, as Node resolves them: what builds the site, and Node itself, are left out.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

interface Manifest {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** They build the site, or are the runtime, which is copied apart. */
const NOT_NEEDED = /^(rolldown|vite|@sveltejs\/(adapter-node|vite-plugin-svelte)|node-.*)$/

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Folders of packages, relative to `root`. A package that is optional and not installed is left out; any other one is an error. */
export function productionPackages(root: string): string[] {
  const found = new Set<string>()
  // A set gives what is added to it during the loop.
  const folders = new Set([root, join(root, 'site')])
  for (const folder of folders) {
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder)
    for (const name of new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies)])) {
      if (NOT_NEEDED.test(name)) continue
      const place = placeOf(name, folder, root)
      if (place === undefined) {
        if (name in optionalDependencies) continue
        throw new Error(`the package ${name} is not installed: run npm ci`)
      }
      folders.add(place)
      found.add(relative(root, place))
    }
  }
  return [...found].sort()
}

/** Where Node finds a package from a folder: in the nearest node_modules above. */
function placeOf(name: string, from: string, root: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name)
    if (existsSync(join(place, 'package.json'))) return place
    if (folder === root || folder === dirname(folder)) return undefined
  }
}
