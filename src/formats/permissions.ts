// What a version may do: the sites, scripts, connectors, secrets, schedules, models, downloads and steps that its file names. The
// server and the command line use this function alike, so nothing in it uses an API of Node. What cannot be told is "any".
import { automationPermissions, type PackagedFile } from './permission-automation.ts'
import { orgPermissions } from './permission-org.ts'
import { anyOf, groupOf, type Permission, PermissionSet } from './permission-set.ts'
import { workflowPermissions } from './permission-workflow.ts'

// What a version may do that another may not. A permission for all of a type covers each of it, so it is no news beside it.

interface PermissionChanges {
  /** What the later one may do and the earlier one may not. */
  added: Permission[]
  removed: Permission[]
  /** What both may do, named by either. */
  kept: Permission[]
}

const ALL_BUT = `${anyOf('step')} except `

/** Whether having `one` is having `other`: the same, all of its type or group, or a pattern that fits. */
export function covers(one: Permission, other: Permission): boolean {
  if (one.type !== other.type || groupOf(one) !== groupOf(other)) return false
  if (one.name === other.name || one.name === anyOf(one.type)) return true
  if (one.type === 'site') return one.name.startsWith('*.') && other.name.endsWith(one.name.slice(1))
  if (one.type !== 'step') return false
  if (one.name.startsWith(ALL_BUT)) return coversAllBut(one.name.slice(ALL_BUT.length).split(', '), other.name)
  return one.name.endsWith('*') && other.name.startsWith(one.name.replace(/\*+$/, ''))
}

function coversAllBut(denied: readonly string[], name: string): boolean {
  if (name.startsWith(ALL_BUT)) {
    const deniedThere = name.slice(ALL_BUT.length).split(', ')
    return denied.every((tool) => deniedThere.includes(tool))
  }
  // A pattern or a part of a tool can be what is denied.
  return (
    name !== anyOf('step') &&
    !denied.some((tool) => stemOf(tool).startsWith(stemOf(name)) || name.startsWith(stemOf(tool)))
  )
}

const stemOf = (tool: string): string => tool.split(/[(*:]/)[0] ?? ''

/** Compares what two versions may do; the lists are sorted as those of `permissionsOf` are. */
export function comparePermissions(from: readonly Permission[], to: readonly Permission[]): PermissionChanges {
  const isIn = (list: readonly Permission[]) => {
    const exact = new Set(list.map(keyOf))
    const wide = list.filter(({ type, name }) => name === anyOf(type) || name.includes('*') || name.startsWith(ALL_BUT))
    return (one: Permission) => exact.has(keyOf(one)) || wide.some((other) => covers(other, one))
  }
  const before = isIn(from)
  const after = isIn(to)
  const kept = new Map([...from.filter(after), ...to.filter(before)].map((one) => [keyOf(one), one]))
  return {
    added: to.filter((one) => !before(one)),
    removed: from.filter((one) => !after(one)),
    kept: [...kept].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, permission]) => permission),
  }
}

const keyOf = ({ type, name }: Permission): string => `${type}\0${name}`

export { MAX_TEXT_BYTES, type PackagedFile, WantedTexts } from './permission-automation.ts'
export { MAX_VALUES, type Permission, type PermissionType } from './permission-set.ts'

/** Higher whenever the function finds something else in the same file, so that what was stored is read from the file again. */
export const PERMISSIONS_REVISION = 2

/** What is read of an item's file. */
export type PermissionSource =
  | {
      kind: 'workflow'
      /** The parsed JSON. */
      definition: unknown
      /** The files of the automations that it carries, by their ids; one that is missing here may do anything. */
      packages?: ReadonlyMap<string, readonly PackagedFile[]>
    }
  | { kind: 'org'; definition: unknown }
  | {
      kind: 'automation'
      /** All files of the archive, with the texts that `WantedTexts` asks for. */
      files: readonly PackagedFile[]
    }

/**
 * The permissions that a file asks for, sorted by type and name, each once: at most 200 names of a type, with at most 200 characters.
 * `any site` and its like mean all of a type: for wildcards, for what is known only when it runs, for what cannot be read, and
 * where there is more than that.
 */
export function permissionsOf(source: PermissionSource): Permission[] {
  const found = new PermissionSet()
  if (source.kind === 'workflow') workflowPermissions(found, source.definition, source.packages ?? new Map())
  else if (source.kind === 'org') orgPermissions(found, source.definition)
  else automationPermissions(found, source.files)
  return found.sorted()
}
