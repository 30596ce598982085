// An org as a chart and as a list, both as plain data: a component draws them, and readers need no script to see them.
import { type ChartRole, type Forest, forestOf, placesOf, roleAnchors } from './org-forest.ts'
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
const MAX_NAME_LENGTH = 300
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
  const places = placesOf(roles)
  const forest = forestOf(roles, places)
  const anchors = roleAnchors(roles)
  const links = linksOf(org.communication, places)
  const titles = roles.map(titleOf)
  const { boxes, ...layout } = layOut(forest, links, limit - 2 * MARGIN)
  const aside = links.filter(({ from, to }) => forest.parents[from] !== to && forest.parents[to] !== from)
  const [width, height] = [layout.width + 2 * MARGIN, layout.height + 2 * MARGIN]
  return {
    width,
    height,
    viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`,
    nodes: forest.order.map((at) => ({
      anchor: anchors[at]!,
      title: titles[at]!,
      type: shortened(roles[at]!.type),
      reportsTo: titles[forest.parents[at] ?? -1] ?? null,
      ...boxes[at]!,
    })),
    lines: layout.lines,
    talks: aside
      .slice(0, MAX_LINKS)
      .map(({ from, to, both }) => ({ d: pathOf(boxes[from]!, boxes[to]!, boxes), both })),
    tree: treeOf({ roles, forest, anchors, titles, links }),
    leftOut: {
      roles: (org.roleCount ?? org.roles.length) - roles.length,
      links: Math.max(0, aside.length - MAX_LINKS),
    },
  }
}

const shortened = (text: string) =>
  (text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text).toWellFormed()
const titleOf = ({ title, id }: ChartRole) => shortened(title?.trim() || id)

/** Where no role reports to another, the boxes follow the work or stand in a square. */
function layOut(forest: Forest, links: readonly Link[], limit: number): Layout {
  const { length } = forest.parents
  if (forest.roots.length < length || length === 1) return layOutForest(forest, limit)
  const flow = flowOf(length, links)
  const columns = columnsWithin(limit)
  return layOutGrid(flow ?? forest.roots, flow ? columns : Math.min(columns, Math.ceil(Math.sqrt(length))))
}

interface Named {
  roles: readonly ChartRole[]
  forest: Forest
  anchors: readonly string[]
  titles: readonly string[]
  links: readonly Link[]
}

function treeOf({ roles, forest, anchors, titles, links }: Named): ChartBranch[] {
  const talks: string[][] = roles.map(() => [])
  for (const { from, to, both } of links) {
    talks[from]!.push(titles[to]!)
    if (both) talks[to]!.push(titles[from]!)
  }
  const branches = roles.map(
    ({ type }, at): ChartBranch => ({
      anchor: anchors[at]!,
      title: titles[at]!,
      type: shortened(type),
      talksTo: talks[at]!.slice(0, MAX_TALKS),
      talksToMore: Math.max(0, talks[at]!.length - MAX_TALKS),
      children: [],
    }),
  )
  const tree: ChartBranch[] = []
  /** the role in whose list a role is: the one above, or one further up where the list is as deep as it gets */
  const listed: (number | undefined)[] = []
  for (const at of forest.order) {
    const parent = forest.parents[at]
    listed[at] = parent !== undefined && forest.depths[at]! >= MAX_DEPTH ? listed[parent] : parent
    if (listed[at] !== parent) branches[at]!.reportsTo = titles[parent!]!
    const list = listed[at] === undefined ? tree : branches[listed[at]]!.children
    list.push(branches[at]!)
  }
  return tree
}
