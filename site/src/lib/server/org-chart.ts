// An org as a chart and as a list, both as plain data: a component draws them, and no reader needs script to see them.
import { fitText } from './fit-text.ts'
import { type ChartRole, type Forest, forestOf, placesOf, roleAnchors } from './org-forest.ts'
import { BOX_WIDTH, columnsWithin, type Layout, layOutForest, layOutGrid } from './org-layout.ts'
import { type ChartLink, flowOf, type Link, linksOf, pathOf } from './org-links.ts'

export { roleAnchors } from './org-forest.ts'

export interface ChartNode {
  /** `role-<id>`; as in `roleAnchors` */
  anchor: string
  id: string
  title: string
  type: string
  /** title of the role above */
  reportsTo: string | null
  /** the title as it fits into the box */
  lines: string[]
  /** the type as it fits into the box */
  kind: string
  x: number
  y: number
  width: number
  height: number
}

export interface ChartEdge {
  /** to the roles below one, in one line; or between two that talk */
  kind: 'reports' | 'talks'
  d: string
  /** talks: whether it goes both ways */
  both?: boolean
  /** talks: who to whom, and what */
  label?: string
}

export interface ChartBranch {
  anchor: string
  title: string
  type: string
  /** title of the role above, where the list does not show it */
  reportsTo?: string
  talksTo: { anchor: string; title: string }[]
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
  edges: ChartEdge[]
  tree: ChartBranch[]
  /** roles and links that are not drawn, because there are too many */
  leftOut: { roles: number; links: number }
}

const MOST_ROLES = 1_000
const MOST_LINKS = 150
const MOST_TALKS = 12
/** A list nested deeper than this has no room on a phone. */
const MOST_DEPTH = 8
const LONGEST_NAME = 300
/** Five boxes beside each other; a page shows them a little smaller. */
const WIDTH = 1_056
const MARGIN = 24
const PADDING = 12
const TITLE = { size: 14, line: 18 }
const KIND_SIZE = 13

/**
 * Draws an org.
 *
 * @param options.width what the chart should not be wider than, in px; a box and the steps to it are always there
 */
export function orgChart(
  org: { roles: readonly ChartRole[]; communication: readonly ChartLink[]; roleCount?: number },
  { width: limit = WIDTH }: { width?: number } = {},
): OrgChart {
  const roles = org.roles.slice(0, MOST_ROLES)
  const places = placesOf(roles)
  const forest = forestOf(roles, places)
  const anchors = roleAnchors(roles)
  const links = linksOf(org.communication, places)
  const room = BOX_WIDTH - 2 * PADDING
  const titles = roles.map(titleOf)
  const lines = titles.map((title) => fitText(title, room / TITLE.size, 2))
  const boxHeight = lines.some(({ length }) => length > 1) ? 80 : 60
  const layout = layOut(forest, links, boxHeight, limit - 2 * MARGIN)
  const nodes = inOrder(forest).map((at): ChartNode => {
    const { id, type } = roles[at]!
    const { x, y } = layout.boxes[at]!
    return {
      anchor: anchors[at]!,
      id: shortened(id),
      title: titles[at]!,
      type: shortened(type),
      reportsTo: titles[forest.parents[at] ?? -1] ?? null,
      lines: lines[at]!,
      kind: fitText(type, room / KIND_SIZE, 1)[0] ?? '',
      x,
      y,
      width: BOX_WIDTH,
      height: boxHeight,
    }
  })
  const aside = links.filter(({ from, to }) => forest.parents[from] !== to && forest.parents[to] !== from)
  const [width, height] = [layout.width + 2 * MARGIN, layout.height + 2 * MARGIN]
  return {
    width,
    height,
    viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`,
    nodes,
    edges: edgesOf(layout, aside.slice(0, MOST_LINKS), boxHeight, titles),
    tree: treeOf({ roles, forest, anchors, titles, links }),
    leftOut: {
      roles: (org.roleCount ?? org.roles.length) - roles.length,
      links: Math.max(0, aside.length - MOST_LINKS),
    },
  }
}

const shortened = (text: string) =>
  (text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text).toWellFormed()
const titleOf = ({ title, id }: ChartRole) => shortened(title?.trim() || id)

/** Where nobody reports to anybody, the boxes follow the work or stand in a square. */
function layOut(forest: Forest, links: readonly Link[], boxHeight: number, limit: number): Layout {
  const { length } = forest.parents
  if (forest.roots.length < length || length === 1) return layOutForest(forest, boxHeight, limit)
  const flow = flowOf(length, links)
  const most = columnsWithin(limit)
  const columns = flow ? most : Math.min(most, Math.ceil(Math.sqrt(length)))
  return layOutGrid(flow ?? forest.roots, columns, boxHeight)
}

function edgesOf(layout: Layout, links: readonly Link[], boxHeight: number, titles: readonly string[]): ChartEdge[] {
  return [
    ...layout.lines.map(({ d }): ChartEdge => ({ kind: 'reports', d })),
    ...links.map((link): ChartEdge => {
      const { from, to, both, type } = link
      const words = `${titles[from]} ${both ? 'and' : 'to'} ${titles[to]}`
      return {
        kind: 'talks',
        d: pathOf(link, layout.boxes, boxHeight),
        both,
        label: type ? `${words}: ${shortened(type)}` : words,
      }
    }),
  ]
}

/** Each role before those who report to it, as in the list. */
function inOrder({ roots, children }: Forest): number[] {
  const order: number[] = []
  const next = roots.toReversed()
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    order.push(at)
    next.push(...children[at]!.toReversed())
  }
  return order
}

interface Named {
  roles: readonly ChartRole[]
  forest: Forest
  anchors: readonly string[]
  titles: readonly string[]
  links: readonly Link[]
}

function treeOf({ roles, forest, anchors, titles, links }: Named): ChartBranch[] {
  const talks: number[][] = roles.map(() => [])
  for (const { from, to, both } of links) {
    talks[from]!.push(to)
    if (both) talks[to]!.push(from)
  }
  const branches = roles.map(
    ({ type }, at): ChartBranch => ({
      anchor: anchors[at]!,
      title: titles[at]!,
      type: shortened(type),
      talksTo: talks[at]!.slice(0, MOST_TALKS).map((to) => ({ anchor: anchors[to]!, title: titles[to]! })),
      talksToMore: Math.max(0, talks[at]!.length - MOST_TALKS),
      children: [],
    }),
  )
  const tree: ChartBranch[] = []
  const depths: number[] = []
  /** whose list a role is in: the role above, or one further up where the list is as deep as it gets */
  const listed: (number | undefined)[] = []
  for (const at of inOrder(forest)) {
    const parent = forest.parents[at]
    depths[at] = parent === undefined ? 1 : depths[parent]! + 1
    listed[at] = parent !== undefined && depths[at] > MOST_DEPTH ? listed[parent] : parent
    if (listed[at] !== parent) branches[at]!.reportsTo = titles[parent!]!
    const list = listed[at] === undefined ? tree : branches[listed[at]]!.children
    list.push(branches[at]!)
  }
  return tree
}
