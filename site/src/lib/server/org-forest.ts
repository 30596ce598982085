// Who reports to whom, from an org definition in which anything may be written: ids twice, nobody's id, circles.
// What comes out is always a forest.

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
}

const LONGEST_ANCHOR = 80

/**
 * The anchor of each role in the page, `role-<id>`: what the chart links to and what the details of a role have as id.
 * No two are the same, and each can stand in an address as it is.
 */
export function roleAnchors(roles: readonly { id: string }[]): string[] {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  return roles.map(({ id }) => {
    const plain = `role-${id.slice(0, LONGEST_ANCHOR).replace(/[^\w.-]+/g, '-')}`
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

/** A role that reports to nobody here is a root, and so is the first role of a circle. */
export function forestOf(roles: readonly ChartRole[], places: ReadonlyMap<string, number>): Forest {
  const parents = roles.map(({ reports_to }) => (reports_to === null ? undefined : places.get(reports_to)))
  breakCircles(parents)
  const children: number[][] = roles.map(() => [])
  const roots: number[] = []
  for (const [at, parent] of parents.entries()) (parent === undefined ? roots : children[parent]!).push(at)
  return { parents, children, roots }
}

function breakCircles(parents: (number | undefined)[]): void {
  // Whose walk upwards came by here first. To meet one's own steps is a circle.
  const walks: number[] = []
  for (const start of parents.keys()) {
    let at: number | undefined = start
    while (at !== undefined && walks[at] === undefined) {
      walks[at] = start
      at = parents[at]
    }
    if (at === undefined || walks[at] !== start) continue
    let first = at
    for (let on = parents[at]!; on !== at; on = parents[on]!) first = Math.min(first, on)
    parents[first] = undefined
  }
}
