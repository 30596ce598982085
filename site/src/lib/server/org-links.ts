// Who talks to whom on an org chart, beside the lines of command: one curve for two roles, drawn behind the boxes.
import type { Member } from './org-forest.ts'
import { BOX, type Point } from './org-layout.ts'

export interface ChartLink {
  from: string
  to: string
}

export interface Link {
  from: Member
  to: Member
  both: boolean
}

/** How far a curve keeps from the boxes that it passes. */
const BULGE = 22

/** The links between roles that are here, each pair once. */
export function linksOf(communication: readonly ChartLink[], byId: ReadonlyMap<string, Member>): Link[] {
  const links = new Map<string, Link>()
  for (const one of communication) {
    const [from, to] = [byId.get(one.from), byId.get(one.to)]
    if (!from || !to || from === to) continue
    const back = links.get(`${to.place} ${from.place}`)
    const key = `${from.place} ${to.place}`
    if (back) back.both = true
    else if (!links.has(key)) links.set(key, { from, to, both: false })
  }
  return [...links.values()]
}

/** Roles in the order in which work goes from one to the next; undefined where it goes in circles or nowhere. */
export function flowOf(members: readonly Member[], links: readonly Link[]): Member[] | undefined {
  if (links.length === 0 || links.some(({ both }) => both)) return
  const before = new Map<Member, number>()
  const countBefore = (member: Member, delta: number) => {
    const count = (before.get(member) ?? 0) + delta
    before.set(member, count)
    return count
  }
  for (const { to } of links) countBefore(to, 1)
  const after = Map.groupBy(links, ({ from }) => from)
  const order = members.filter((member) => !before.has(member))
  for (const member of order) {
    for (const { to } of after.get(member) ?? []) if (countBefore(to, -1) === 0) order.push(to)
  }
  return order.length === members.length ? order : undefined
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
