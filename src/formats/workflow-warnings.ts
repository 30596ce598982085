// Warnings about a workflow: nodes that no program has, connections to nothing, and values that are not read.
import { nearest } from '../search/typos.ts'
import { isObject } from './permission-set.ts'
import { type Findings, objectsIn } from './warning.ts'

/** The families of nodes that agents have built in. Other families are the ids of automations. */
const FAMILIES = new Set([
  ...['action', 'agent', 'ai', 'applications', 'browser', 'comm', 'core', 'data', 'db', 'discovery', 'documents'],
  ...['http', 'image', 'org', 'people', 'service', 'system', 'trigger', 'vault'],
])
const TRIGGERS = new Set(['manual', 'schedule', 'cron', 'webhook', 'org', 'file', 'mail'])

export function workflowWarnings(workflow: Record<string, unknown>, findings: Findings): void {
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
