// Makes the files that the demo publishes: automations out of their folders, workflow exports out of short descriptions.
import { hash } from 'node:crypto'
import { zipSync } from 'fflate'
import { compareVersions } from '../formats/version.ts'
import { parseJson, required } from '../runtime/untyped.ts'
import { readFolder, readJson } from './content.ts'

interface Manifest {
  version: string
  actions: string[]
  permissions: { scripts: string[] }
}

/** Of every file in a package, as zip has it, which knows no time zone: the same content has the same hash everywhere. */
const MODIFIED = new Date(2026, 0, 1)

/** Later changes: the version in which a file or a node first appears. */
export type Since = ReadonlyMap<string, string>

const isThere = (since: string | undefined, version: string) =>
  since === undefined || compareVersions(since, version) <= 0

/** An automation as it was at `version`, with its CHECKSUMS. */
export async function packAutomation(id: string, { version, since }: { version: string; since: Since }): Promise<File> {
  const all = await readFolder(`automations/${id}`)
  const files = new Map([...all].filter(([path]) => isThere(since.get(path), version)))
  const manifest = parseJson<Manifest>(required(all.get('automation.json')).toString())
  const then = {
    ...manifest,
    version,
    actions: manifest.actions.filter((action) => files.has(`actions/${action}.json`)),
    permissions: { ...manifest.permissions, scripts: manifest.permissions.scripts.filter((path) => files.has(path)) },
  }
  files.set('automation.json', Buffer.from(`${JSON.stringify(then, null, 2)}\n`))
  const checksums = [...files].map(([path, bytes]) => `${hash('sha256', bytes)}  ${path}\n`)
  files.set('CHECKSUMS', Buffer.from(checksums.join('')))
  const entries = Object.fromEntries([...files].map(([path, bytes]) => [path, new Uint8Array(bytes)]))
  return new File([zipSync(entries, { level: 9, mtime: MODIFIED })], `${id}-${version}.mpkg`, {
    type: 'application/zip',
  })
}

/** The workflow syntax of demo/workflows: a node follows the one before it unless it names its predecessors. */
interface Workflow {
  name: string
  description: string
  nodes: { type: string; name: string; config?: object; after?: string[]; since?: string }[]
  needs?: Record<string, { version?: string; reason: string }>
}

/** The export of a workflow as it was at `version`, the `count`th of its versions. */
export async function exportWorkflow(
  slug: string,
  { version, count }: { version: string; count: number },
): Promise<File> {
  const { nodes: told, needs, ...workflow } = await readJson<Workflow>(`workflows/${slug}.json`)
  const there = told.filter(({ since }) => isThere(since, version))
  const ids = new Map(there.map(({ name }, index) => [name, `n${index + 1}`]))
  const columns = new Map<string, number>()
  const rows = new Map<number, number>()
  const edges: [string, string][] = []
  const nodes = there.map(({ type, name, config = {}, after }, index) => {
    const previous = there[index - 1]
    const sources = (after ?? (previous ? [previous.name] : [])).filter((source) => ids.has(source))
    edges.push(...sources.map((source): [string, string] => [required(ids.get(source)), required(ids.get(name))]))
    const column = Math.max(-1, ...sources.map((source) => columns.get(source) ?? 0)) + 1
    columns.set(name, column)
    const row = rows.get(column) ?? 0
    rows.set(column, row + 1)
    return {
      id: ids.get(name),
      type,
      name,
      position: { x: column * 240, y: row * 140 },
      disabled: false,
      config,
      schema: null,
    }
  })
  const connections = edges.map(([source, target], index) => ({
    id: `c${index + 1}`,
    source,
    source_handle: 'main',
    target,
    target_handle: 'main',
  }))
  const file = { id: slug, ...workflow, version: count, is_active: true, nodes, connections }
  const text = JSON.stringify({ ...file, ...(needs && { unbundledAutomations: needs }) }, null, 2)
  return new File([text], `${slug}.json`, { type: 'application/json' })
}
