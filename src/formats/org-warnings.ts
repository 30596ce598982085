// Warnings about an org definition: references to roles that are not there, and values that are not read.
import { isObject } from './permission-set.ts'
import { type Findings, objectsIn } from './warning.ts'

export function orgWarnings(org: Record<string, unknown>, findings: Findings): void {
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
