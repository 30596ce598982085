// What a workflow may do: its nodes, its triggers, and the automations that it needs or carries (formats.md section 3).
// Part of permissions.ts, which the command line bundles: nothing here uses an API of Node.
import { automationPermissions, type PackagedFile } from './permission-automation.ts'
import { isObject, isTemplate, type PermissionSet } from './permission-set.ts'
import { addStep, addValue, type Place } from './permission-values.ts'

/** What a workflow is, and what is read by a function of its own. Edges between nodes name nothing. */
const READ = ['$schema', 'id', 'name', 'description', 'version', 'created_at', 'updated_at', 'connections'].concat([
  ...['nodes', 'automations', 'unbundledAutomations'],
])

export function workflowPermissions(
  found: PermissionSet,
  definition: unknown,
  packages: ReadonlyMap<string, readonly PackagedFile[]>,
): void {
  if (!isObject(definition)) {
    found.addAny('step', 'site', 'script')
    return
  }
  const { nodes, automations, unbundledAutomations } = definition
  for (const [index, node] of Array.isArray(nodes) ? nodes.entries() : []) addNode(found, node, index)
  addAutomations(found, unbundledAutomations)
  addAutomations(found, automations)
  for (const [id, automation] of isObject(automations) ? Object.entries(automations) : []) {
    if (!isObject(automation) || !automation['mpkg']) continue
    const files = packages.get(id)
    if (files) automationPermissions(found, files)
    else found.addAny('step', 'site', 'script', 'secret', 'connector', 'download')
  }
  addValue({ found, place: 'the workflow' }, '', { value: definition, without: READ })
}

function addAutomations(found: PermissionSet, automations: unknown): void {
  found.addDeclared('connector', automations)
}

/** A node that is disabled counts: it can be enabled without a new version. */
function addNode(found: PermissionSet, node: unknown, index: number): void {
  if (!found.visit()) return
  if (!isObject(node) || typeof node['type'] !== 'string') {
    found.addAny('step')
    return
  }
  const { type, name, id } = node
  const named = typeof name === 'string' && name !== '' ? name : id
  const place: Place = { found, place: typeof named === 'string' && named !== '' ? named : `node ${index}` }
  const without = ['id', 'type', 'name', 'position']
  if (/^triggers?(?:[._-]|$)/i.test(type)) {
    const { config } = node
    addTrigger(found, type, isObject(config) ? Object.entries(config) : [])
    addValue(place, 'config', { value: config, without: isObject(config) ? Object.keys(config).filter(isTime) : [] })
    without.push('config')
  } else addStep(place, type, node)
  addValue(place, '', { value: node, without })
}

const isTime = (key: string): boolean =>
  /^(?:expr|expression|cron|schedule|interval|every|at|time|path|event|unit|days?|hours?|minutes?|seconds?)$/i.test(key)

/** A trigger with when it starts: `trigger.cron expr 0 7 * * *`. */
function addTrigger(found: PermissionSet, type: string, config: [string, unknown][]): void {
  const times = config.filter(([key]) => isTime(key))
  // What only a person starts has no schedule.
  if (/^triggers?[._-]manual$/i.test(type) && times.length === 0) return
  const isOpen = times.some(([, value]) => typeof value === 'object' || isTemplate(String(value)))
  if (isOpen || isTemplate(type)) {
    found.addAny('schedule')
    return
  }
  const words = times.map(([key, value]) => `${key} ${value}`).sort()
  found.addExactly('schedule', `${type} ${words.join(', ')}`)
}
