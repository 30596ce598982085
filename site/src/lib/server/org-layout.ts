// Where the boxes of an org chart are, by the tidy tree of d3-hierarchy. A chart stays within its limit: teams that do not fit side by
// side are lists below their lead, in up to five columns. No box overlaps another. (@dagrejs/dagre 3.1.3 took 90 ms for 200 roles and
// 770 ms for 1,000, and has no limit of width; this takes at most 12 ms of CPU for 1,000 roles.)
import { hierarchy, tree } from 'd3-hierarchy'
import type { Forest } from './org-forest.ts'

export const BOX = { width: 184, height: 64 }
const GAP = 16
/** Between a lead and the team, and between the boxes of a list. */
const DROP = 40
const STACK = 12
/** Between boxes that only links connect. */
const APART = 56
const INDENT = 24
const MAX_INDENT = 8
const MAX_COLUMNS = 5
/** Lists start at this level or above it, where anything needs a list. */
const MAX_LEVELS = 4
/** The place of what the roots stand below, which is not drawn. */
const TOP = -1

export interface Point {
  x: number
  y: number
}

/** Top left corners by role, and a line from each role with a team to that team. */
export interface Layout {
  boxes: Point[]
  lines: string[]
  width: number
  height: number
}

interface Entry {
  at: number
  indent: number
}
/** One box, or a list of boxes from its entry `n` on. */
interface Column {
  /** of its first entry */
  level: number
  entries: Entry[]
  n: number
  width: number
}
/** Roles at `level` and below are in lists, in `columns` columns for each lead. The roots are at level 1. */
interface Shape {
  level: number
  columns: number
}

/** The chart with the most levels side by side that fits into `limit`. */
export function layOutForest(forest: Forest, limit: number): Layout {
  const counts = [...Map.groupBy(forest.depths, (depth) => depth)].toSorted(([a], [b]) => a - b)
  const wide = counts.findIndex(([, { length }]) => length * (BOX.width + GAP) - GAP > limit)
  const shapes = wide < 0 ? [{ level: counts.length + 1, columns: 1 }] : []
  for (let level = Math.min(wide < 0 ? counts.length : wide + 1, MAX_LEVELS); level > 0; level--) {
    for (let columns = MAX_COLUMNS; columns > 0; columns--) shapes.push({ level, columns })
  }
  for (const shape of shapes) {
    const drawn = draw(forest, shape, limit)
    if (drawn) return drawn
  }
  return draw(forest, { level: 1, columns: 1 })!
}

/** Boxes in rows, in the order that is given. */
export function layOutGrid(order: readonly number[], columns: number): Layout {
  const [across, down] = [BOX.width + APART, BOX.height + APART]
  const boxes: Point[] = []
  for (const [n, at] of order.entries()) {
    boxes[at] = { x: (n % columns) * across, y: Math.floor(n / columns) * down }
  }
  const rows = Math.ceil(order.length / columns)
  return { boxes, lines: [], width: Math.min(columns, order.length) * across - APART, height: rows * down - APART }
}

/** How many columns of a grid fit. */
export const columnsWithin = (limit: number): number => Math.max(1, Math.floor((limit + APART) / (BOX.width + APART)))

/** Undefined where that is wider than `limit`. */
function draw(forest: Forest, shape: Shape, limit = Number.POSITIVE_INFINITY): Layout | undefined {
  const leads = forest.order.filter((at) => forest.depths[at] === shape.level - 2)
  const columns = (shape.level === 1 ? [TOP] : leads).flatMap((at) => columnsOf(at, forest, shape))
  if (columns.reduce((sum, { width }) => sum + width + GAP, -GAP) > limit) return
  const top = hierarchy(columnOf(0, [{ at: TOP, indent: 0 }]), (column) => below(column, forest, shape))
  top.eachBefore(({ data, children = [] }) => {
    // A lead with one list is above its left end.
    if (children.length === 1 && data.entries.length === 1) data.width = children[0]!.data.width
  })
  const nodes = tree<Column>()
    .nodeSize([1, 1])
    .separation((a, b) => (a.data.width + b.data.width) / 2 + (a.depth === 1 ? 2 * GAP : GAP))(top)
    .descendants()
    .slice(1)
  const left = Math.min(...nodes.map(({ x, data }) => x - data.width / 2))
  const right = Math.max(...nodes.map(({ x, data }) => x + data.width / 2))
  if (right - left > limit) return
  const boxes: Point[] = []
  for (const { x, depth, data } of nodes) {
    const { at, indent } = data.entries[data.n]!
    const listed = Math.max(0, depth - shape.level)
    boxes[at] = {
      x: Math.round(x - data.width / 2 - left + indent * INDENT),
      y: (depth - listed - 1) * (BOX.height + DROP) + listed * (BOX.height + STACK),
    }
  }
  const lines = forest.children.map((team, at) =>
    lineOf(
      boxes[at]!,
      team.map((one) => boxes[one]!),
    ),
  )
  const height = BOX.height + Math.max(...boxes.map(({ y }) => y))
  return { boxes, lines: lines.filter(Boolean), width: Math.ceil(right - left), height }
}

/** What is below a box: the next one of its list, or the team of its role. */
function below({ level, entries, n, width }: Column, forest: Forest, shape: Shape): Column[] {
  if (n + 1 < entries.length) return [{ level, entries, n: n + 1, width }]
  return level < shape.level ? columnsOf(entries[n]!.at, forest, shape) : []
}

/** The team of a role, side by side or in lists. */
function columnsOf(lead: number, forest: Forest, shape: Shape): Column[] {
  const team = forest.children[lead] ?? forest.roots
  const level = (forest.depths[lead] ?? -1) + 2
  if (level < shape.level) return team.map((at) => columnOf(level, [{ at, indent: 0 }]))
  const length = Math.ceil(team.reduce((sum, at) => sum + forest.sizes[at]!, 0) / shape.columns)
  let before = 0
  const columns = Map.groupBy(team, (at) => {
    const column = Math.floor(before / length)
    before += forest.sizes[at]!
    return column
  })
  // A role alone above its list hangs from its top; several have a line at their side.
  const shift = lead === TOP || columns.size === team.length ? 0 : 1
  return [...columns.values()].map((column) =>
    columnOf(
      level,
      column.flatMap((at) => listOf(at, forest, shift)),
    ),
  )
}

/** A role and all below it, each before its team. */
function listOf(at: number, { order, starts, depths, sizes }: Forest, shift: number): Entry[] {
  return order.slice(starts[at]!, starts[at]! + sizes[at]!).map((one) => ({
    at: one,
    indent: Math.min(depths[one]! - depths[at]!, MAX_INDENT) + shift,
  }))
}

const columnOf = (level: number, entries: Entry[]): Column => ({
  level,
  entries,
  n: 0,
  width: BOX.width + INDENT * Math.max(...entries.map(({ indent }) => indent)),
})

/** From a box down to its team: to the tops of one row, or along lists to the left sides. Each piece is upright or level. */
function lineOf(box: Point, team: readonly Point[]): string {
  const [first] = team
  if (!first) return ''
  const [x, bottom] = [box.x + BOX.width / 2, box.y + BOX.height]
  const bus = bottom + DROP / 2
  const busTo = (ends: number[]) => `M${x} ${bottom}V${bus}M${Math.min(x, ...ends)} ${bus}H${Math.max(x, ...ends)}`
  if (team.every(({ y }) => y === bottom + DROP)) {
    const middles = team.map((one) => one.x + BOX.width / 2)
    return busTo(middles) + middles.map((middle) => `M${middle} ${bus}V${first.y}`).join('')
  }
  const trunk = (from: number, at: number, list: readonly Point[]) =>
    `M${at} ${from}V${list.at(-1)!.y + BOX.height / 2}${list.map(({ y }) => `M${at} ${y + BOX.height / 2}H${at + INDENT / 2}`).join('')}`
  const lists = [...Map.groupBy(team, (one) => one.x - INDENT / 2)]
  // Indents end somewhere: from there on a list says in words who reports to whom.
  if (lists.length === 1) return first.x > box.x ? trunk(bottom, lists[0]![0], team) : ''
  return busTo(lists.map(([at]) => at)) + lists.map(([at, list]) => trunk(bus, at, list)).join('')
}
