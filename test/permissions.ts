// Files that name permissions, and what is told of them, each as `type: name`.
import { readFileSync } from 'node:fs'
import { type PermissionSource, permissionsOf } from '../src/formats/permissions.ts'

export const told = (source: PermissionSource): string[] =>
  permissionsOf(source).map(({ type, name }) => `${type}: ${name}`)
export const fixture = (name: string) =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'))

export const workflow = (nodes: object[], more: object = {}) =>
  told({ kind: 'workflow', definition: { nodes, ...more } })
export const config = (given: object, type = 'step.some') => workflow([{ type, name: 'One', config: given }])
export const org = (role: object, more: object = {}) =>
  told({ kind: 'org', definition: { roles: [{ id: 'a', ...role }], ...more } })
export const bound = { allowTools: [], fileRead: [], fileWrite: [], webAllow: [], git: 'none' }
export const packaged = (manifest: object, files: Record<string, string | undefined> = {}) =>
  told({
    kind: 'automation',
    files: [
      { path: 'automation.json', text: JSON.stringify({ permissions: { steps: [] }, ...manifest }) },
      ...Object.entries(files).map(([path, text]) => ({ path, text })),
    ],
  })
export const script = (text: string) =>
  packaged({}, { 'scripts/a.js': text }).filter((line) => line !== 'script: scripts/a.js')
export const site = (domain: string) => packaged({ site: { domains: [domain] } })
