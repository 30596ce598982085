// Where the boxes of an org chart are, by the tidy tree of d3-hierarchy. A chart stays within its limit: teams that do not fit side by
// side are lists below their lead, in up to five columns. No box overlaps another. (@dagrejs/dagre 3.1.3 took 90 ms for 200 roles and
// 770 ms for 1,000, and has no limit of width; this takes at most 12 ms of CPU for 1,000 roles.)
import { hierarchy, tree } from 'd3-hierarchy'
import type { Forest, Member } from './org-forest.ts'

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

export interface Point {
  x: number
  y: number
}

/** A line from each role with a team to that team, and the size of the chart. The corners of the boxes are those of the members. */
export interface Layout {
  lines: string[]
  width: number
  height: number
}

interface Entry {
  member: Member
  indent: number
}
/** One box, or a list of boxes from its first on; the one above the roots is not drawn and has no entry. */
interface Column {
  /** of its first entry */
  level: number
  entry?: Entry
  /** the list below the entry */
  rest: readonly Entry[]
  width: number
}
/** Roles at `level` and below are in lists, in `columns` columns for each lead. The roots are at level 1. */
interface Shape {
  level: number
  columns: number
}

/** The chart with the most levels side by side that fits into `limit`. */
export function layOutForest(forest: Forest, limit: number): Layout {
  const counts = [...Map.groupBy(forest.members, ({ depth }) => depth)].toSorted(([a], [b]) => a - b)
  const wide = counts.findIndex(([, { length }]) => length * (BOX.width + GAP) - GAP > limit)
  const shapes = wide < 0 ? [{ level: counts.length + 1, columns: 1 }] : []
  for (let level = Math.min(wide < 0 ? counts.length : wide + 1, MAX_LEVELS); level > 0; level--) {
    for (let columns = MAX_COLUMNS; columns > 0; columns--) shapes.push({ level, columns })
  }
  for (const shape of shapes) {
    const drawn = draw(forest, shape, limit)
    if (drawn) return drawn
  }
  return draw(forest, { level: 1, columns: 1 })
}

/** Boxes in rows, in the order that is given. */
export function layOutGrid(order: readonly Member[], columns: number): Layout {
  const [across, down] = [BOX.width + APART, BOX.height + APART]
  for (const [n, member] of order.entries()) {
    member.x = (n % columns) * across
    member.y = Math.floor(n / columns) * down
  }
  const rows = Math.ceil(order.length / columns)
  return { lines: [], width: Math.min(columns, order.length) * across - APART, height: rows * down - APART }
}

/** How many columns of a grid fit. */
export const columnsWithin = (limit: number): number => Math.max(1, Math.floor((limit + APART) / (BOX.width + APART)))

/** Undefined where that is wider than `limit`. */
function draw(forest: Forest, shape: Shape): Layout
function draw(forest: Forest, shape: Shape, limit: number): Layout | undefined
function draw(forest: Forest, shape: Shape, limit = Number.POSITIVE_INFINITY): Layout | undefined {
  const leads = shape.level === 1 ? [undefined] : forest.order.filter(({ depth }) => depth === shape.level - 2)
  const columns = leads.flatMap((lead) => columnsOf(lead, forest, shape))
  if (columns.reduce((sum, { width }) => sum + width + GAP, -GAP) > limit) return
  const top = hierarchy<Column>({ level: 0, rest: [], width: BOX.width }, (column) => below(column, forest, shape))
  top.eachBefore(({ data, children: [only, ...others] = [] }) => {
    // A lead with one list is above its left end.
    if (only && others.length === 0 && data.rest.length === 0) data.width = only.data.width
  })
  const nodes = tree<Column>()
    .nodeSize([1, 1])
    .separation((a, b) => (a.data.width + b.data.width) / 2 + (a.depth === 1 ? 2 * GAP : GAP))(top)
    .descendants()
    .slice(1)
  const left = Math.min(...nodes.map(({ x, data }) => x - data.width / 2))
  const right = Math.max(...nodes.map(({ x, data }) => x + data.width / 2))
  if (right - left > limit) return
  for (const { x, depth, data } of nodes) {
    const listed = Math.max(0, depth - shape.level)
    if (!data.entry) continue
    const { member, indent } = data.entry
    member.x = Math.round(x - data.width / 2 - left + indent * INDENT)
    member.y = (depth - listed - 1) * (BOX.height + DROP) + listed * (BOX.height + STACK)
  }
  const lines = forest.members.map((member) => lineOf(member, member.team)).filter(Boolean)
  const height = BOX.height + Math.max(...forest.members.map(({ y }) => y))
  return { lines, width: Math.ceil(right - left), height }
}

/** What is below a box: the next one of its list, or the team of its role. */
function below({ level, entry, rest: [next, ...rest], width }: Column, forest: Forest, shape: Shape): Column[] {
  if (next) return [{ level, entry: next, rest, width }]
  return level < shape.level ? columnsOf(entry?.member, forest, shape) : []
}

/** The team of a role, side by side or in lists; without a role the roots. */
function columnsOf(lead: Member | undefined, forest: Forest, shape: Shape): Column[] {
  const team = lead?.team ?? forest.roots
  const level = (lead?.depth ?? -1) + 2
  if (level < shape.level) return team.map((member) => columnOf(level, [{ member, indent: 0 }]))
  const length = Math.ceil(team.reduce((sum, { size }) => sum + size, 0) / shape.columns)
  let before = 0
  const columns = Map.groupBy(team, ({ size }) => {
    const column = Math.floor(before / length)
    before += size
    return column
  })
  // A role alone above its list hangs from its top; several have a line at their side.
  const shift = !lead || columns.size === team.length ? 0 : 1
  return [...columns.values()].map((column) =>
    columnOf(
      level,
      column.flatMap((member) => listOf(member, forest, shift)),
    ),
  )
}

/** A role and all below it, each before its team. */
const listOf = ({ start, size, depth }: Member, { order }: Forest, shift: number): Entry[] =>
  order
    .slice(start, start + size)
    .map((member) => ({ member, indent: Math.min(member.depth - depth, MAX_INDENT) + shift }))

const columnOf = (level: number, [entry, ...rest]: Entry[]): Column => ({
  level,
  ...(entry && { entry }),
  rest,
  width: BOX.width + INDENT * Math.max(entry?.indent ?? 0, ...rest.map(({ indent }) => indent)),
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
  const trunk = (from: number, at: number, list: readonly Point[]) => {
    const sides = list.map(({ y }) => y + BOX.height / 2)
    return `M${at} ${from}V${Math.max(...sides)}${sides.map((side) => `M${at} ${side}H${at + INDENT / 2}`).join('')}`
  }
  const lists = [...Map.groupBy(team, (one) => one.x - INDENT / 2)]
  // Indents end somewhere: from there on a list says in words who reports to whom.
  if (lists.length === 1) return first.x > box.x ? trunk(bottom, first.x - INDENT / 2, team) : ''
  return busTo(lists.map(([at]) => at)) + lists.map(([at, list]) => trunk(bus, at, list)).join('')
}
