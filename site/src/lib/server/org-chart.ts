// An org as a chart and as a list, both as plain data: a component draws them, and readers need no script to see them.
import { type ChartRole, type Forest, forestOf, type Member } from './org-forest.ts'
import { columnsWithin, type Layout, layOutForest, layOutGrid } from './org-layout.ts'
import { type ChartLink, flowOf, type Link, linksOf, pathOf } from './org-links.ts'

export { roleAnchors } from './org-forest.ts'

export interface ChartNode {
  /** `role-<id>`; as in `roleAnchors` */
  anchor: string
  title: string
  type: string
  /** title of the role above */
  reportsTo: string | null
  x: number
  y: number
}

/** A link between two roles that do not report to each other. */
export interface ChartTalk {
  d: string
  both: boolean
}

export interface ChartBranch {
  anchor: string
  title: string
  type: string
  /** title of the role above, where the list does not show it */
  reportsTo?: string
  talksTo: string[]
  /** how many more it talks to */
  talksToMore: number
  children: ChartBranch[]
}

export interface OrgChart {
  width: number
  height: number
  /** of the same size, with a margin around the boxes */
  viewBox: string
  nodes: ChartNode[]
  /** lines of command, as path data */
  lines: string[]
  talks: ChartTalk[]
  tree: ChartBranch[]
  /** roles and links that are not drawn, because there are too many */
  leftOut: { roles: number; links: number }
}

const MAX_ROLES = 1_000
const MAX_LINKS = 150
const MAX_TALKS = 12
/** A list nested deeper than this has no room on a phone. */
const MAX_DEPTH = 8
/** Five boxes beside each other; a page shows them a little smaller. */
const WIDTH = 1_056
const MARGIN = 24

/**
 * Draws an org.
 *
 * @param options.width what the chart should not be wider than, in px; a list of boxes is always there
 */
export function orgChart(
  org: { roles: readonly ChartRole[]; communication: readonly ChartLink[]; roleCount?: number },
  { width: limit = WIDTH }: { width?: number } = {},
): OrgChart {
  const roles = org.roles.slice(0, MAX_ROLES)
  const forest = forestOf(roles)
  const links = linksOf(org.communication, forest.byId)
  const layout = layOut(forest, links, limit - 2 * MARGIN)
  const aside = links.filter(({ from, to }) => from.parent !== to && to.parent !== from)
  const [width, height] = [layout.width + 2 * MARGIN, layout.height + 2 * MARGIN]
  return {
    width,
    height,
    viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`,
    nodes: forest.order.map(({ anchor, title, type, parent, x, y }) => ({
      ...{ anchor, title, type, reportsTo: parent?.title ?? null },
      ...{ x, y },
    })),
    lines: layout.lines,
    talks: aside.slice(0, MAX_LINKS).map(({ from, to, both }) => ({ d: pathOf(from, to, forest.members), both })),
    tree: treeOf(forest, links),
    leftOut: {
      roles: (org.roleCount ?? org.roles.length) - roles.length,
      links: Math.max(0, aside.length - MAX_LINKS),
    },
  }
}

/** Where no role reports to another, the boxes follow the work or stand in a square. */
function layOut(forest: Forest, links: readonly Link[], limit: number): Layout {
  const { length } = forest.members
  if (forest.roots.length < length || length === 1) return layOutForest(forest, limit)
  const flow = flowOf(forest.members, links)
  const columns = columnsWithin(limit)
  return layOutGrid(flow ?? forest.roots, flow ? columns : Math.min(columns, Math.ceil(Math.sqrt(length))))
}

function treeOf({ order }: Forest, links: readonly Link[]): ChartBranch[] {
  for (const { from, to, both } of links) {
    from.talksTo.push(to.title)
    if (both) to.talksTo.push(from.title)
  }
  const tree: ChartBranch[] = []
  /** the list that each role is in, and its own */
  const lists = new Map<Member, { around: ChartBranch[]; own: ChartBranch[] }>()
  for (const member of order) {
    const { anchor, title, type, parent, depth, talksTo } = member
    const above = parent && lists.get(parent)
    // As deep as it gets, a team is listed beside its lead.
    const isBeside = parent !== undefined && depth >= MAX_DEPTH
    const around = (isBeside ? above?.around : above?.own) ?? tree
    const own: ChartBranch[] = []
    around.push({
      ...{ anchor, title, type, children: own },
      ...(isBeside && { reportsTo: parent.title }),
      talksTo: talksTo.slice(0, MAX_TALKS),
      talksToMore: Math.max(0, talksTo.length - MAX_TALKS),
    })
    lists.set(member, { around, own })
  }
  return tree
}
