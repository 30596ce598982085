// Who talks to whom on an org chart, beside the lines of command: one curve for two roles, drawn behind the boxes.
import { BOX, type Point } from './org-layout.ts'

export interface ChartLink {
  from: string
  to: string
}

/** Two roles, by their places. */
export interface Link {
  from: number
  to: number
  both: boolean
}

/** How far a curve keeps from the boxes that it passes. */
const BULGE = 22

/** The links between roles that are here, each pair once. */
export function linksOf(communication: readonly ChartLink[], places: ReadonlyMap<string, number>): Link[] {
  const links = new Map<string, Link>()
  for (const one of communication) {
    const [from, to] = [places.get(one.from), places.get(one.to)]
    if (from === undefined || to === undefined || from === to) continue
    const back = links.get(`${to} ${from}`)
    if (back) back.both = true
    else if (!links.has(`${from} ${to}`)) links.set(`${from} ${to}`, { from, to, both: false })
  }
  return [...links.values()]
}

/** Roles in the order in which work goes from one to the next; undefined where it goes in circles or nowhere. */
export function flowOf(count: number, links: readonly Link[]): number[] | undefined {
  if (links.length === 0 || links.some(({ both }) => both)) return
  const before = new Array<number>(count).fill(0)
  for (const { to } of links) before[to]!++
  const after = Map.groupBy(links, ({ from }) => from)
  const order = [...before.keys()].filter((at) => before[at] === 0)
  for (const at of order) for (const { to } of after.get(at) ?? []) if (--before[to]! === 0) order.push(to)
  return order.length === count ? order : undefined
}

/** The line between two boxes, from border to border: straight between neighbours, a curve past what stands between others. */
export function pathOf(a: Point, b: Point, boxes: readonly Point[]): string {
  const [x, toX] = [a.x + BOX.width / 2, b.x + BOX.width / 2]
  const [y, toY] = [a.y + BOX.height / 2, b.y + BOX.height / 2]
  if (a.y === b.y) {
    const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)]
    const passes = boxes.some((one) => one.y === a.y && one.x > left && one.x < right)
    if (passes) return `M${x} ${a.y}C${x} ${a.y - BULGE} ${toX} ${a.y - BULGE} ${toX} ${a.y}`
    return a.x < b.x ? `M${a.x + BOX.width} ${y}H${b.x}` : `M${a.x} ${y}H${b.x + BOX.width}`
  }
  if (a.x === b.x && Math.abs(b.y - a.y) > BOX.height * 2) {
    const side = a.x + BOX.width
    return `M${side} ${y}C${side + BULGE} ${y} ${side + BULGE} ${toY} ${side} ${toY}`
  }
  const [start, end] = a.y < b.y ? [a.y + BOX.height, b.y] : [a.y, b.y + BOX.height]
  const middle = (start + end) / 2
  return `M${x} ${start}C${x} ${middle} ${toX} ${middle} ${toX} ${end}`
}
