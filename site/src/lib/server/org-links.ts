// Who talks to whom on an org chart, beside the line of command: one line for two roles, drawn behind the boxes.
import { BOX_WIDTH, type Point } from './org-layout.ts'

export interface ChartLink {
  from: string
  to: string
  type: string | null
}

/** Two roles, by their places. */
export interface Link {
  from: number
  to: number
  both: boolean
  type: string | null
}

/** How far a line keeps from the boxes that it goes around. */
const BULGE = 22

/** The links between roles that are here, each pair once. */
export function linksOf(communication: readonly ChartLink[], places: ReadonlyMap<string, number>): Link[] {
  const links = new Map<string, Link>()
  for (const one of communication) {
    const [from, to] = [places.get(one.from), places.get(one.to)]
    if (from === undefined || to === undefined || from === to) continue
    const back = links.get(`${to} ${from}`)
    if (back) back.both = true
    else if (!links.has(`${from} ${to}`)) links.set(`${from} ${to}`, { from, to, both: false, type: one.type })
  }
  return [...links.values()]
}

/** Roles in the order in which work goes from one to the next; undefined where it goes in circles or nowhere. */
export function flowOf(count: number, links: readonly Link[]): number[] | undefined {
  if (links.length === 0 || links.some(({ both }) => both)) return
  const before = new Array<number>(count).fill(0)
  const after = new Map<number, number[]>()
  for (const { from, to } of links) {
    before[to]!++
    after.set(from, [...(after.get(from) ?? []), to])
  }
  const order = [...before.keys()].filter((at) => before[at] === 0)
  for (const at of order) for (const next of after.get(at) ?? []) if (--before[next]! === 0) order.push(next)
  return order.length === count ? order : undefined
}

/** The line between two boxes, from border to border. */
export function pathOf({ from, to }: Link, boxes: readonly Point[], boxHeight: number): string {
  const [a, b] = [boxes[from]!, boxes[to]!]
  if (a.y === b.y) return alongRow(a, b, boxes, boxHeight)
  const down = a.y < b.y
  const [start, end] = [down ? a.y + boxHeight : a.y, down ? b.y : b.y + boxHeight]
  if (a.x === b.x && Math.abs(b.y - a.y) > boxHeight * 2) return alongColumn(a, b, boxHeight)
  const bend = (end - start) / 2
  const [x, toX] = [middleOf(a), middleOf(b)]
  return `M${x} ${start}C${x} ${start + bend} ${toX} ${end - bend} ${toX} ${end}`
}

function alongRow(a: Point, b: Point, boxes: readonly Point[], boxHeight: number): string {
  const [left, right] = a.x < b.x ? [a, b] : [b, a]
  const between = boxes.some(({ x, y }) => y === a.y && x > left.x && x < right.x)
  if (between) {
    return `M${middleOf(a)} ${a.y}C${middleOf(a)} ${a.y - BULGE} ${middleOf(b)} ${a.y - BULGE} ${middleOf(b)} ${a.y}`
  }
  const y = a.y + boxHeight / 2
  return a === left ? `M${a.x + BOX_WIDTH} ${y}H${b.x}` : `M${a.x} ${y}H${b.x + BOX_WIDTH}`
}

function alongColumn(a: Point, b: Point, boxHeight: number): string {
  const x = a.x + BOX_WIDTH
  const [y, toY] = [a.y + boxHeight / 2, b.y + boxHeight / 2]
  return `M${x} ${y}C${x + BULGE} ${y} ${x + BULGE} ${toY} ${x} ${toY}`
}

const middleOf = ({ x }: Point) => x + BOX_WIDTH / 2
