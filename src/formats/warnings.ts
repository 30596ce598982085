// What a valid file says that means nothing: a field that only resembles a known one, a reference to nothing, a value of a type that
// is not read. A warning refuses nothing.
import type { SchemaKind } from '../contract/files.ts'
import { nearest } from '../search/typos.ts'
import { isObject } from './permission-set.ts'
import { type JsonSchema, schemaOf } from './schemas.ts'
import { Findings, objectsIn, type Warning } from './warning.ts'

// Warnings about an automation: fields of a type that is not read, and files that its manifest names and the archive does not have.

interface AutomationWarningOptions {
  /** The files of the archive, if they are known. */
  paths: readonly string[] | undefined
  findings: Findings
}

/** Fields that are read if they are text. */
const TEXTS = [['description'], ['publisher', 'name'], ['requires', 'native'], ['policy', 'tier'], ['engine']]
const HOST =
  /^(?:[\w*+.-]+:\/\/)?(?:\*|(?:\*\.)?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?)(?::\d+)?(?:\/.*)?$|^<all_urls>$/u

function automationWarnings(manifest: Record<string, unknown>, { paths, findings }: AutomationWarningOptions): void {
  for (const path of TEXTS) {
    const value = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), manifest)
    if (value !== undefined && value !== null && typeof value !== 'string')
      findings.add(path, 'is no text, so it is not read')
  }
  const { site, permissions, actions } = manifest
  if (site !== undefined && !isObject(site)) findings.add(['site'], 'is no object, so it is not read')
  const domains = isObject(site) ? site['domains'] : undefined
  for (const [index, domain] of textsIn(domains)) {
    if (!HOST.test(domain.slice(0, 300))) findings.add(['site', 'domains', index], 'is no name of a site')
  }
  if (permissions !== undefined && !isObject(permissions))
    findings.add(['permissions'], 'is no object, so it is not read')
  const granted = isObject(permissions) ? permissions : {}
  for (const list of ['steps', 'scripts']) mixed(granted[list], ['permissions', list], findings)
  if (!['boolean', 'undefined'].includes(typeof granted['downloads']) && granted['downloads'] !== null)
    findings.add(['permissions', 'downloads'], 'is neither true nor false, so it counts as true')
  if (paths) named({ actions, scripts: granted['scripts'] }, { paths, findings })
}

/** What is expected of a list of texts. */
function mixed(list: unknown, path: string[], findings: Findings): void {
  if (list === undefined || list === null) return
  if (!Array.isArray(list)) findings.add(path, 'is no list, so it is not read')
  else if (list.some((entry) => typeof entry !== 'string'))
    findings.add(path, 'has entries that are no text and are not read')
}

/** Files that have to be there, and files of actions that nothing names. */
function named(
  { actions, scripts }: { actions: unknown; scripts: unknown },
  { paths, findings }: { paths: readonly string[]; findings: Findings },
): void {
  const there = new Set(paths)
  const offered = new Set<string>()
  for (const [index, action] of textsIn(actions)) {
    const file = `actions/${action}.json`
    offered.add(file)
    if (!there.has(file)) findings.add(['actions', index], `the archive has no file ${file}`)
  }
  for (const [index, script] of textsIn(scripts)) {
    if (![script, `scripts/${script}`, `scripts/${script}.js`].some((file) => there.has(file)))
      findings.add(['permissions', 'scripts', index], `the archive has no file scripts/${script}.js`)
  }
  for (const path of paths) {
    if (/^actions\/[^/]+\.json$/.test(path) && !offered.has(path)) findings.add([path], 'is no action of the manifest')
  }
}

const textsIn = (list: unknown): [number, string][] =>
  Array.isArray(list) ? [...list.entries()].filter((pair): pair is [number, string] => typeof pair[1] === 'string') : []

// Warnings about a workflow: nodes that no program has, connections to nothing, and values that are not read.

/** The families of nodes that agents have built in. Other families are the ids of automations. */
const FAMILIES = new Set([
  ...['action', 'agent', 'ai', 'applications', 'browser', 'comm', 'core', 'data', 'db', 'discovery', 'documents'],
  ...['http', 'image', 'org', 'people', 'service', 'system', 'trigger', 'vault'],
])
const TRIGGERS = new Set(['manual', 'schedule', 'cron', 'webhook', 'org', 'file', 'mail'])

function workflowWarnings(workflow: Record<string, unknown>, findings: Findings): void {
  const { nodes, connections, automations, unbundledAutomations } = workflow
  for (const field of ['name', 'description']) {
    if (workflow[field] !== undefined && typeof workflow[field] !== 'string')
      findings.add([field], 'is no text, so it is not read')
  }
  for (const [field, value] of Object.entries({ automations, unbundledAutomations })) {
    if (value !== undefined && value !== null && !isObject(value))
      findings.add([field], 'is no object with ids of automations, so it is not read')
  }
  const packages = new Set([automations, unbundledAutomations].filter(isObject).flatMap((one) => Object.keys(one)))
  const ids = new Set<unknown>()
  for (const [index, { id, type }] of objectsIn(nodes)) {
    const told = typeof type === 'string' ? problemOf(type, packages) : undefined
    if (told) findings.add(['nodes', index, 'type'], told)
    if (id !== undefined && ids.has(id)) findings.add(['nodes', index, 'id'], 'is the id of an earlier node')
    ids.add(id)
  }
  for (const [index, connection] of objectsIn(connections)) {
    for (const end of ['source', 'target']) {
      const id = connection[end]
      if (!ids.has(id) || id === undefined)
        findings.add(['connections', index, end], id === undefined ? 'is missing' : `no node has the id "${id}"`)
    }
  }
}

/** What is wrong with the type of a node; undefined where it can be known. */
function problemOf(type: string, packages: ReadonlySet<string>): string | undefined {
  const dot = type.indexOf('.')
  // Names without a family are from before there were families.
  if (dot === -1) return undefined
  const [family, name] = [type.slice(0, dot), type.slice(dot + 1)]
  if (family === 'trigger') {
    const [meant] = TRIGGERS.has(name) ? [] : nearest(name, TRIGGERS)
    return meant === undefined ? undefined : `no trigger is known by this name; is trigger.${meant} meant?`
  }
  if (FAMILIES.has(family) || packages.has(family)) return undefined
  return `"${family}" is neither built in nor an id in automations or unbundledAutomations`
}

export type { Warning } from './warning.ts'

/** Larger files get no warnings: the value is held in memory for them. */
export const MAX_WARNED_BYTES = 1024 * 1024
/** So many unknown fields are compared with the known ones. */
const MAX_UNKNOWN_FIELDS = 2_000

/**
 * The first warnings about a file that its validator accepts.
 *
 * @param value the parsed file; of an automation, its manifest
 * @param paths the files of an automation, if they are known
 */
export function warningsOf(kind: SchemaKind, value: unknown, paths?: readonly string[]): Warning[] {
  const findings = new Findings()
  if (!isObject(value)) return []
  new UnknownFields(findings).look(value, schemaOf(kind, ''), [])
  if (kind === 'org') orgWarnings(value, findings)
  else if (kind === 'workflow') workflowWarnings(value, findings)
  else automationWarnings(value, { paths, findings })
  return findings.list
}

/** Fields that no reader knows, with a name that is almost one that readers know. */
class UnknownFields {
  readonly #findings: Findings
  #left = MAX_UNKNOWN_FIELDS

  constructor(findings: Findings) {
    this.#findings = findings
  }

  look(value: unknown, schema: JsonSchema, path: readonly (string | number)[]): void {
    if (this.#findings.isFull) return
    if (Array.isArray(value)) {
      const { items } = schema
      if (!isObject(items)) return
      for (const [index, entry] of value.entries()) this.look(entry, items, [...path, index])
    } else if (isObject(value) && isObject(schema['properties'])) {
      const { properties } = schema
      const words = new Map(Object.keys(properties).map((name) => [plainOf(name), name]))
      for (const [name, inner] of Object.entries(value)) {
        const known = Object.hasOwn(properties, name) ? properties[name] : undefined
        if (isObject(known)) this.look(inner, known, [...path, name])
        else this.#unknown(name, { words, path, value })
      }
    }
  }

  #unknown(
    name: string,
    at: { words: ReadonlyMap<string, string>; path: readonly (string | number)[]; value: object },
  ): void {
    if (name.length > 60 || this.#left-- <= 0) return
    const plain = plainOf(name)
    const meant = at.words.get(plain) ?? at.words.get(nearest(plain, at.words.keys())[0] ?? '')
    // Beside the field that it resembles it is one of the program's own.
    if (meant === undefined || meant in at.value) return
    this.#findings.add([...at.path, name], `is not read; ${meant} is`)
  }
}

/** `reportsTo`, `reports-to` and `REPORTS_TO` are the same word. */
const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

// Warnings about an org definition: references to roles that are not there, and values that are not read.

function orgWarnings(org: Record<string, unknown>, findings: Findings): void {
  const roles = objectsIn(org['roles'])
  const ids = new Set<unknown>()
  for (const [index, { id }] of roles) {
    if (ids.has(id))
      findings.add(['roles', index, 'id'], `is the id of an earlier role: what names "${id}" means that one`)
    ids.add(id)
  }
  const titles = new Map(roles.map(([, { id, title }]) => [title, id]))
  const isNamed = (name: unknown, path: readonly (string | number)[]) => {
    if (typeof name !== 'string' || ids.has(name)) return
    const meant = titles.get(name)
    findings.add(
      path,
      meant === undefined ? `no role has the id "${name}"` : `is the title of a role; its id is "${meant}"`,
    )
  }
  for (const [index, { id, reports_to: boss }] of roles) {
    const path = ['roles', index, 'reports_to']
    if (boss === id) findings.add(path, 'is the role itself')
    else isNamed(boss, path)
  }
  for (const [index, edge] of objectsIn(org['communication'])) {
    for (const end of ['from', 'to']) isNamed(edge[end], ['communication', index, end])
  }
  const { run_config: config, topology } = org
  const routing = isObject(config) ? config['failure_routing'] : undefined
  if (isObject(routing)) isNamed(routing['fallbackAssignee'], ['run_config', 'failure_routing', 'fallbackAssignee'])
  if (topology !== undefined && typeof topology !== 'string')
    findings.add(['topology'], 'is no text, so it is not read')
  circles(roles, findings)
}

/** Roles that report to each other in a circle: such a team has no head. */
function circles(roles: [number, Record<string, unknown>][], findings: Findings): void {
  const bosses = new Map(roles.map(([, { id, reports_to: boss }]) => [id, boss]))
  const done = new Set<unknown>()
  for (const [index, { id }] of roles) {
    const walked = new Set<unknown>()
    let at: unknown = id
    while (bosses.has(at) && !done.has(at) && !walked.has(at)) {
      walked.add(at)
      at = bosses.get(at)
    }
    if (walked.has(at) && walked.size > 1 && bosses.get(at) !== at)
      findings.add(['roles', index, 'reports_to'], 'leads in a circle of roles')
    for (const role of walked) done.add(role)
  }
}
