// What a version may do that another may not. A permission for all of a type covers each of it, so it is no news beside it.
// Part of permissions.ts, which the command line bundles: nothing here uses an API of Node.
import { anyOf, groupOf, type Permission } from './permission-set.ts'

export interface PermissionChanges {
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
