// What an org may do: its schedule and the runtimes, models, providers, policies and commands of its roles (formats.md section 1).
// A role without a policy for something is not restricted there.
// Part of permissions.ts, which the command line bundles: nothing here uses an API of Node.
import { anyOf, isObject, type PermissionSet } from './permission-set.ts'
import { addSite } from './permission-sites.ts'
import { addValue } from './permission-values.ts'

const READ = ['$schema', 'name', 'topology', 'status', 'schedule', 'roles', 'communication', 'fence']
const READ_OF_ROLE = ['id', 'title', 'type', 'reports_to', 'policy', 'ui', 'budget_tokens', 'budget_usd']

export function orgPermissions(found: PermissionSet, definition: unknown): void {
  if (!isObject(definition)) {
    found.addAny('step', 'site', 'script')
    return
  }
  const { schedule, roles, run_config: config } = definition
  if (typeof schedule === 'number') found.addExactly('schedule', String(schedule))
  else found.addDeclared('schedule', schedule)
  const workspace = isObject(config) ? config['workspace'] : undefined
  if (typeof workspace === 'string') found.addExactly('step', `workspace ${workspace}`)
  for (const role of Array.isArray(roles) ? roles : []) addRole(found, role)
  addValue({ found, place: 'the org' }, '', { value: definition, without: READ })
}

function addRole(found: PermissionSet, role: unknown): void {
  if (!found.visit()) return
  if (!isObject(role)) {
    found.addAny('step')
    return
  }
  const { id, provider, policy } = role
  if (isObject(provider)) {
    for (const key of ['kind', 'vendor']) if (typeof provider[key] === 'string') found.add('connector', provider[key])
    const { kind, apiKeyEnv } = provider
    if (typeof kind === 'string' && kind.endsWith('api-key') && !apiKeyEnv) found.add('secret', kind)
  }
  addPolicy(found, isObject(policy) ? policy : {})
  addValue({ found, place: `role ${id}` }, '', { value: role, without: READ_OF_ROLE })
}

function addPolicy(found: PermissionSet, policy: Record<string, unknown>): void {
  addTools(found, policy)
  addPaths(found, 'read file', policy['fileRead'])
  addPaths(found, 'write file', policy['fileWrite'])
  if (policy['autoApproveTools'] !== undefined) addPaths(found, 'without asking', policy['autoApproveTools'])
  const sites = policy['webAllow']
  if (!Array.isArray(sites)) found.addAny('site')
  else for (const site of sites) addSite(found, String(site))
  addGit(found, policy['git'])
  addValue({ found, place: 'policy' }, '', {
    value: policy,
    without: ['allowTools', 'denyTools', 'fileRead', 'fileWrite', 'autoApproveTools', 'webAllow', 'git', 'fence'],
  })
}

/** Tools that are allowed, each without what is denied of it. */
function addTools(found: PermissionSet, { allowTools, denyTools }: Record<string, unknown>): void {
  const denied = (Array.isArray(denyTools) ? denyTools : []).map(String).sort()
  if (!Array.isArray(allowTools)) {
    found.addExactly('step', exceptOf(anyOf('step'), denied))
    return
  }
  for (const tool of allowTools.map(String).filter((name) => !denied.includes(name))) {
    const stem = tool.split(/[(*:]/)[0] ?? ''
    const parts = denied.filter((name) => name.startsWith(stem) || stem === '')
    if (parts.length > 0) found.addExactly('step', exceptOf(stem === '' ? anyOf('step') : tool, parts))
    else found.add('step', tool)
  }
}

const exceptOf = (name: string, denied: readonly string[]): string =>
  denied.length === 0 ? name : `${name} except ${denied.join(', ')}`

function addPaths(found: PermissionSet, what: string, paths: unknown): void {
  if (!Array.isArray(paths)) found.addExactly('step', `${what} *`)
  else for (const path of paths) found.addExactly('step', `${what} ${path}`)
}

const gitLevels = ['none', 'read', 'commit', 'push']

/** Each level has those below it. */
function addGit(found: PermissionSet, given: unknown): void {
  const level = typeof given === 'string' ? gitLevels.indexOf(given) : -1
  for (const name of gitLevels.slice(1, level === -1 ? undefined : level + 1)) found.addExactly('step', `git ${name}`)
}
