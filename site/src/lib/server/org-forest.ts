// Who reports to whom, from an org definition in which anything may be written: ids twice, ids of no role, circles.
// The result is always a forest.

export interface ChartRole {
  id: string
  title: string | null
  type: string
  reports_to: string | null
}

export interface Forest {
  /** of each role: the place of the role it reports to; undefined for a root */
  parents: (number | undefined)[]
  /** of each role: the places of those who report to it, in the order of the definition */
  children: number[][]
  roots: number[]
  /** each role before those who report to it */
  order: number[]
  /** of each role: its place in `order`, how many are above it, and how many it is with all below it */
  starts: number[]
  depths: number[]
  sizes: number[]
}

const MAX_ANCHOR_LENGTH = 80

/**
 * The anchor of each role in the page, `role-<id>`: what the chart links to and what the details of a role have as id.
 * No two are the same, and each can stand in an address as it is.
 */
export function roleAnchors(roles: readonly { id: string }[]): string[] {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  return roles.map(({ id }) => {
    const plain = `role-${id.slice(0, MAX_ANCHOR_LENGTH).replace(/[^\w.-]+/g, '-')}`
    let anchor = plain
    let n = next.get(plain) ?? 2
    while (taken.has(anchor)) anchor = `${plain}-${n++}`
    next.set(plain, n)
    taken.add(anchor)
    return anchor
  })
}

/** The place of each id; the first role that has it. */
export function placesOf(roles: readonly { id: string }[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const [at, { id }] of roles.entries()) if (!places.has(id)) places.set(id, at)
  return places
}

/** A role that reports to no role here is a root, and so is the first role of a circle. */
export function forestOf(roles: readonly ChartRole[], places: ReadonlyMap<string, number>): Forest {
  const parents = roles.map(({ reports_to }) => (reports_to === null ? undefined : places.get(reports_to)))
  breakCircles(parents)
  const children: number[][] = roles.map(() => [])
  const roots: number[] = []
  for (const [at, parent] of parents.entries()) (parent === undefined ? roots : children[parent]!).push(at)
  const order: number[] = []
  const next = roots.toReversed()
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    order.push(at)
    next.push(...children[at]!.toReversed())
  }
  const starts: number[] = []
  const depths: number[] = []
  const sizes = parents.map(() => 1)
  for (const [start, at] of order.entries()) {
    starts[at] = start
    depths[at] = parents[at] === undefined ? 0 : depths[parents[at]]! + 1
  }
  for (const at of order.toReversed()) if (parents[at] !== undefined) sizes[parents[at]]! += sizes[at]!
  return { parents, children, roots, order, starts, depths, sizes }
}

function breakCircles(parents: (number | undefined)[]): void {
  // The role from which each role was first reached upwards. To reach a role twice from the same start is a circle.
  const reachedFrom: number[] = []
  for (const start of parents.keys()) {
    let at: number | undefined = start
    while (at !== undefined && reachedFrom[at] === undefined) {
      reachedFrom[at] = start
      at = parents[at]
    }
    if (at === undefined || reachedFrom[at] !== start) continue
    let first = at
    for (let on = parents[at]!; on !== at; on = parents[on]!) first = Math.min(first, on)
    parents[first] = undefined
  }
}
