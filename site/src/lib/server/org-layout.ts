// Where the boxes of an org chart are. A chart is never much wider than its limit: what is too wide for one row wraps,
// and the lines to further rows run down a gutter at the side, past all boxes.
import { type HierarchyNode, hierarchy, tree } from 'd3-hierarchy'
import type { Forest } from './org-forest.ts'

export const BOX_WIDTH = 184
const GAP_X = 16
const GAP_Y = 40
const GUTTER = 24
/** Above rows that go on from another: their line is near them, so that it is not taken for one from the boxes above it. */
const ROW_GAP = 64
const NEAR = 14
/** Between boxes that hang below each other. */
const HANGING_GAP = 12
/** Between trees, and between boxes that only links connect. */
const APART = 56

export interface Point {
  x: number
  y: number
}

/** Top left corners by role, and for each role with children the line that connects them. */
export interface Layout {
  boxes: Point[]
  lines: { parent: number; d: string }[]
  width: number
  height: number
}

interface Block {
  at: number
  width: number
  height: number
  /** middle of the box of the role */
  middle: number
  /** of the whole block, in that of the parent */
  x: number
  y: number
  rows: Node[][]
  /** a team without teams of its own, beside lines that come down from the lead */
  columns: Node[][]
  /** a team below its lead, one below the other */
  hanging: boolean
}
type Node = HierarchyNode<Block>

/** The trees of a forest side by side. */
export function layOutForest({ children, roots }: Forest, boxHeight: number, limit: number): Layout {
  const block = (at: number): Block => ({
    at,
    width: 0,
    height: 0,
    middle: 0,
    x: 0,
    y: 0,
    rows: [],
    columns: [],
    hanging: false,
  })
  const top = hierarchy(block(-1), ({ at }) => (at < 0 ? roots : children[at]!).map(block))
  const drawn = tidy(top, boxHeight, limit)
  if (drawn) return drawn
  top.sum(() => 1)
  // Teams that hang side by side, or in rows one above the other: what is less to scroll.
  const [hanging, rows] = [wrapped(top, boxHeight, limit, true), wrapped(top, boxHeight, limit, false)]
  return hanging.height < rows.height ? hanging : rows
}

/** Boxes in rows, in the order that is given. */
export function layOutGrid(order: readonly number[], columns: number, boxHeight: number): Layout {
  const boxes: Point[] = []
  for (const [n, at] of order.entries()) {
    const row = Math.floor(n / columns)
    boxes[at] = { x: (n % columns) * (BOX_WIDTH + APART), y: row * (boxHeight + APART) }
  }
  const across = Math.min(columns, order.length)
  const rows = Math.ceil(order.length / columns)
  return {
    boxes,
    lines: [],
    width: across * (BOX_WIDTH + APART) - APART,
    height: rows * (boxHeight + APART) - APART,
  }
}

/** How many columns of a grid fit. */
export const columnsWithin = (limit: number): number => Math.max(1, Math.floor((limit + APART) / (BOX_WIDTH + APART)))

/** One level a row, as charts are drawn by hand; undefined when that is too wide. */
function tidy(top: Node, boxHeight: number, limit: number): Layout | undefined {
  const step = BOX_WIDTH + GAP_X
  const placed = tree<Block>()
    .nodeSize([step, boxHeight + GAP_Y])
    .separation((a, b) => (a.parent === top && b.parent === top ? (step + GAP_X) / step : 1))(top)
  let left = Number.POSITIVE_INFINITY
  let right = 0
  placed.each(({ x, depth }) => {
    if (depth > 0) left = Math.min(left, x - BOX_WIDTH / 2)
  })
  const result: Layout = { boxes: [], lines: [], width: 0, height: placed.height * (boxHeight + GAP_Y) - GAP_Y }
  const { boxes, lines } = result
  placed.eachBefore(({ x, depth, data }) => {
    if (depth === 0) return
    // The root of all has no box: the first level of boxes is at the top.
    const box = { x: Math.round(x - BOX_WIDTH / 2 - left), y: (depth - 1) * (boxHeight + GAP_Y) }
    boxes[data.at] = box
    right = Math.max(right, box.x + BOX_WIDTH)
  })
  if (right > limit) return
  placed.each(({ children, data: { at } }) => {
    const box = boxes[at]
    if (!box || !children) return
    const stem = { x: box.x + BOX_WIDTH / 2, y: box.y + boxHeight }
    const drops = children.map(({ data }) => boxes[data.at]!.x + BOX_WIDTH / 2)
    lines.push({ parent: at, d: lineOf(stem, [{ drops, y: stem.y + GAP_Y }]) })
  })
  return { ...result, width: right }
}

function wrapped(top: Node, boxHeight: number, limit: number, mayHang: boolean): Layout {
  top.eachAfter((node) => {
    const team = node.children
    node.data.hanging =
      mayHang && node !== top && team !== undefined && team.length > 1 && !team.some(({ children }) => children)
    if (node.data.hanging) hang(node.data, team!, boxHeight)
    else if (node === top) arrange(node, { gap: APART / 2, y: 0, boxHeight, limit })
    else arrange(node, { gap: GAP_X, y: boxHeight + GAP_Y, boxHeight, limit })
  })
  const boxes: Point[] = []
  const lines: Layout['lines'] = []
  top.eachBefore(({ data: block, parent, children }) => {
    block.x += parent?.data.x ?? 0
    block.y += parent?.data.y ?? 0
    if (block.at < 0) return
    boxes[block.at] = { x: Math.round(block.x + block.middle - BOX_WIDTH / 2), y: block.y }
    if (!children) return
    if (block.hanging) {
      const middles = children.map(({ data }) => block.y + data.y + boxHeight / 2)
      const [trunk, top] = [block.x + GUTTER / 2, block.y + boxHeight]
      const branches = middles.map((y) => `M${trunk} ${y}H${block.x + GUTTER}`).join('')
      lines.push({ parent: block.at, d: `M${trunk} ${top}V${middles.at(-1)}${branches}` })
      return
    }
    const stem = { x: Math.round(block.x + block.middle), y: block.y + boxHeight }
    if (block.columns.length > 0) {
      const trunks = block.columns.map((column) => ({
        x: Math.round(block.x + column[0]!.data.x) - GUTTER / 2,
        branches: column.map(({ data }) => block.y + data.y + boxHeight / 2),
      }))
      lines.push({ parent: block.at, d: combOf(stem, trunks) })
      return
    }
    const rows = block.rows.map((row) => ({
      drops: row.map(({ data }) => Math.round(block.x + data.x + data.middle)),
      y: block.y + row[0]!.data.y,
    }))
    lines.push({ parent: block.at, d: lineOf(stem, rows, block.x + GUTTER / 2) })
  })
  return { boxes, lines, width: Math.ceil(top.data.width), height: top.data.height }
}

/** Places boxes one below the other, under the left of their parent. */
function hang(block: Block, team: readonly Node[], boxHeight: number): void {
  block.middle = BOX_WIDTH / 2
  block.width = GUTTER + BOX_WIDTH
  block.height = boxHeight
  for (const { data } of team) {
    data.x = GUTTER
    data.y = block.height + HANGING_GAP
    block.height = data.y + boxHeight
  }
}

/** Places boxes in columns of the same length below their parent. */
function hangInColumns(block: Block, team: readonly Node[], { gap, y, boxHeight, limit }: Room): void {
  const step = GUTTER + BOX_WIDTH + gap
  const most = Math.max(1, Math.floor((limit + gap) / step))
  const length = Math.ceil(team.length / most)
  for (const [n, { data }] of team.entries()) {
    data.x = Math.floor(n / length) * step + GUTTER
    data.y = y + (n % length) * (boxHeight + HANGING_GAP)
  }
  const count = Math.ceil(team.length / length)
  block.columns = Array.from({ length: count }, (_, n) => team.slice(n * length, (n + 1) * length))
  block.width = count * step - gap
  block.height = y + Math.min(length, team.length) * (boxHeight + HANGING_GAP) - HANGING_GAP
  block.middle = block.width / 2
}

interface Room {
  gap: number
  /** where the first row of children is */
  y: number
  boxHeight: number
  limit: number
}

/** Places the blocks of the children in rows below their parent, and tells how large that is. */
function arrange(node: Node, { gap, y, boxHeight, limit }: Room): void {
  const block = node.data
  const children = node.children ?? []
  const single = children.reduce((sum, { data }) => sum + data.width + gap, -gap) <= limit
  const isTop = block.at < 0
  if (!single && !isTop && children.every((child) => !child.children)) {
    hangInColumns(block, children, { gap, y, boxHeight, limit })
    return
  }
  const gutter = single || isTop ? 0 : GUTTER
  block.rows = single ? (children.length ? [children] : []) : inRows(children, gap, limit - gutter, isTop)
  block.width = BOX_WIDTH
  block.height = boxHeight
  for (const [n, row] of block.rows.entries()) {
    // No line has to pass by the last row. That keeps a long line of command from moving aside with every step.
    const last = n === block.rows.length - 1 && row.length === 1 && row[0]?.children
    let x = last ? 0 : gutter
    for (const { data } of row) {
      data.x = x
      data.y = y
      x += data.width + gap
    }
    block.width = Math.max(block.width, x - gap)
    block.height = y + Math.max(...row.map(({ data }) => data.height))
    y = block.height + (isTop ? APART : ROW_GAP)
  }
  const [first, last] = [children[0]?.data, children.at(-1)?.data]
  block.middle = single && first && last ? (first.x + first.middle + last.x + last.middle) / 2 : block.width / 2
}

function inRows(children: readonly Node[], gap: number, limit: number, inOrder: boolean): Node[][] {
  const ordered = inOrder || children.every(({ data }) => data.width <= limit) ? children : heaviestLast(children)
  const even = evenly(ordered, gap, limit)
  const rows: Node[][] = []
  let used = Number.POSITIVE_INFINITY
  for (const child of ordered) {
    used += gap + child.data.width
    if (used > even) {
      rows.push([])
      used = child.data.width
    }
    rows.at(-1)!.push(child)
  }
  return rows
}

/** The child with the most below it comes last; for the others there are not many steps to go aside. */
function heaviestLast(children: readonly Node[]): readonly Node[] {
  const heaviest = children.reduce((most, child) => ((child.value ?? 0) > (most.value ?? 0) ? child : most))
  return heaviest.children ? [...children.filter((child) => child !== heaviest), heaviest] : children
}

/** Rows of the same length, where all that is in them is boxes. */
function evenly(nodes: readonly Node[], gap: number, limit: number): number {
  if (nodes.some(({ children }) => children)) return limit
  const most = Math.max(1, Math.floor((limit + gap) / (BOX_WIDTH + gap)))
  const rows = Math.ceil(nodes.length / most)
  return Math.ceil(nodes.length / rows) * (BOX_WIDTH + gap)
}

/** From a box down to rows of boxes: one line with branches, so that it is nowhere drawn twice. */
function lineOf(stem: Point, rows: readonly { drops: number[]; y: number }[], gutter = stem.x): string {
  const parts: string[] = []
  for (const [n, { drops, y }] of rows.entries()) {
    const bus = y - (n === 0 ? GAP_Y / 2 : NEAR)
    const from = n === 0 ? stem.x : gutter
    const side = n === 0 && rows.length > 1 ? gutter : from
    const left = Math.min(from, side, ...drops)
    const right = Math.max(from, side, ...drops)
    if (n === 0) parts.push(`M${stem.x} ${stem.y}V${bus}`)
    if (right > left) parts.push(`M${left} ${bus}H${right}`)
    for (const x of drops) parts.push(`M${x} ${bus}V${y}`)
  }
  const last = rows.at(-1)
  if (rows.length > 1 && last) parts.push(`M${gutter} ${rows[0]!.y - GAP_Y / 2}V${last.y - NEAR}`)
  return parts.join('')
}

/** From a box to lines that go down, each with branches to the boxes on its right. */
function combOf(stem: Point, trunks: readonly { x: number; branches: number[] }[]): string {
  const bus = stem.y + GAP_Y / 2
  const ends = [stem.x, ...trunks.map(({ x }) => x)]
  const parts = [`M${stem.x} ${stem.y}V${bus}M${Math.min(...ends)} ${bus}H${Math.max(...ends)}`]
  for (const { x, branches } of trunks) {
    parts.push(`M${x} ${bus}V${branches.at(-1)}`, ...branches.map((y) => `M${x} ${y}H${x + GUTTER / 2}`))
  }
  return parts.join('')
}
