// Roles below the role they report to. A role that reports to nobody here, or only to itself in the end, stands on top.
import type { RoleView } from './view.ts'

export interface Branch {
  role: RoleView
  below: Branch[]
}

export function treeOf(roles: readonly RoleView[]): Branch[] {
  const branches = roles.map((role): Branch => ({ role, below: [] }))
  const byId = new Map(branches.toReversed().map((branch) => [branch.role.id, branch]))
  const above = (branch: Branch) => (branch.role.reportsTo === null ? undefined : byId.get(branch.role.reportsTo))
  const top: Branch[] = []
  for (const branch of branches) {
    const leader = above(branch)
    if (leader && !leadsTo(leader, branch, above)) leader.below.push(branch)
    else top.push(branch)
  }
  return top
}

/** Whether the way up from `from` comes by `to`, which would make a circle without a top. */
function leadsTo(from: Branch, to: Branch, above: (branch: Branch) => Branch | undefined): boolean {
  const seen = new Set<Branch>()
  for (let at: Branch | undefined = from; at && !seen.has(at); at = above(at)) {
    if (at === to) return true
    seen.add(at)
  }
  return false
}
