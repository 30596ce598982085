// Who reports to whom, from an org definition in which anything may be written: ids twice, ids of no role, circles.
// The result is always a forest.

export interface ChartRole {
  id: string
  title: string | null
  type: string
  reports_to: string | null
}

/** A role with its place in the forest, and in the drawing once it is laid out. */
export interface Member {
  /** `role-<id>`; as in `roleAnchors` */
  anchor: string
  title: string
  type: string
  parent: Member | undefined
  /** those who report to it, in the order of the definition */
  team: Member[]
  /** titles of the roles that it talks to */
  talksTo: string[]
  /** its places in the definition and in `order`, how many are above it, and how many it is with all below it */
  place: number
  start: number
  depth: number
  size: number
  /** top left corner of its box, in px */
  x: number
  y: number
}

export interface Forest {
  /** in the order of the definition */
  members: Member[]
  /** the first of each id */
  byId: ReadonlyMap<string, Member>
  roots: Member[]
  /** each before those who report to it */
  order: Member[]
}

const MAX_ANCHOR_LENGTH = 80
const MAX_NAME_LENGTH = 300

/** Gives each role an anchor. No two are the same, and each can stand in an address as it is. */
function anchors(): (role: { id: string }) => string {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  return ({ id }) => {
    const plain = `role-${id.slice(0, MAX_ANCHOR_LENGTH).replace(/[^\w.-]+/g, '-')}`
    let anchor = plain
    let n = next.get(plain) ?? 2
    while (taken.has(anchor)) anchor = `${plain}-${n++}`
    next.set(plain, n)
    taken.add(anchor)
    return anchor
  }
}

/** The anchor of each role in the page, `role-<id>`: what the chart links to and what the details of a role have as id. */
export const roleAnchors = (roles: readonly { id: string }[]): string[] => roles.map(anchors())

const shortened = (text: string) =>
  (text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text).toWellFormed()

/** A role that reports to no role here is a root, and so is the first role of a circle. */
export function forestOf(roles: readonly ChartRole[]): Forest {
  const anchorOf = anchors()
  const byId = new Map<string, Member>()
  const members = roles.map((role, place) => {
    const title = shortened(role.title?.trim() || role.id)
    const names = { anchor: anchorOf(role), title, type: shortened(role.type) }
    const links = { parent: undefined, team: [], talksTo: [] }
    const member: Member = { ...names, ...links, place, start: 0, depth: 0, size: 1, x: 0, y: 0 }
    if (!byId.has(role.id)) byId.set(role.id, member)
    return member
  })
  for (const [at, { reports_to }] of roles.entries()) {
    const member = members[at]
    if (member && reports_to !== null) member.parent = byId.get(reports_to)
  }
  breakCircles(members)
  const roots: Member[] = []
  for (const member of members) (member.parent?.team ?? roots).push(member)
  return { members, byId, roots, order: orderOf(roots) }
}

/** Sets what each member knows of its place in the order. */
function orderOf(roots: readonly Member[]): Member[] {
  const order: Member[] = []
  const next = roots.toReversed()
  for (let member = next.pop(); member; member = next.pop()) {
    member.start = order.length
    member.depth = member.parent ? member.parent.depth + 1 : 0
    order.push(member)
    next.push(...member.team.toReversed())
  }
  for (const { parent, size } of order.toReversed()) if (parent) parent.size += size
  return order
}

function breakCircles(members: readonly Member[]): void {
  // The role from which each role was first reached upwards. To reach a role twice from the same start is a circle.
  const reachedFrom = new Map<Member, Member>()
  for (const start of members) {
    let at: Member | undefined = start
    for (; at && !reachedFrom.has(at); at = at.parent) reachedFrom.set(at, start)
    if (!at || reachedFrom.get(at) !== start) continue
    let first = at
    for (let on = at.parent; on && on !== at; on = on.parent) if (on.place < first.place) first = on
    first.parent = undefined
  }
}
