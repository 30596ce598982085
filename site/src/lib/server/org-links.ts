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
  /** how far it keeps from boxes that it goes around, so that not all that do lie on each other */
  aside: number
}

/** How far a line keeps from the boxes that it goes around. */
const BULGE = 22
/** How far lines around boxes keep from them. Each box has as much room around it as the first takes. */
const ASIDE = [8, 5, 11]
/** Their ends, from the lines of command in the middle of a box. */
const BESIDE = 18
/** A curve may be this far within a box, and what goes around keeps this far from it. */
const WITHIN = 2
const CLEAR = 4
const STEPS = 16
const MOST_WAYS = 60
/** Among more boxes nobody follows a line, and the ways around all of them are many. */
const MOST_BOXES = 100

/** The links between roles that are here, each pair once. */
export function linksOf(communication: readonly ChartLink[], places: ReadonlyMap<string, number>): Link[] {
  const links = new Map<string, Link>()
  for (const one of communication) {
    const [from, to] = [places.get(one.from), places.get(one.to)]
    if (from === undefined || to === undefined || from === to) continue
    const back = links.get(`${to} ${from}`)
    if (back) back.both = true
    else if (!links.has(`${from} ${to}`))
      links.set(`${from} ${to}`, { from, to, both: false, type: one.type, aside: ASIDE[links.size % ASIDE.length]! })
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

/** The line between two boxes, from border to border: a curve, or where a box is in its way, a line around the boxes. */
export function pathOf({ from, to, aside }: Link, boxes: readonly Point[], boxHeight: number): string {
  const [a, b] = [boxes[from]!, boxes[to]!]
  const curve = curveOf(a, b, boxes, boxHeight)
  if (boxes.length > MOST_BOXES || isFree(pointsOf(curve), { boxes, boxHeight }, WITHIN)) return curve
  const way = wayAround([a, b], aside, { boxes, boxHeight }) ?? wayAround([a, b], ASIDE[0]!, { boxes, boxHeight })
  return way ?? curve
}

function curveOf(a: Point, b: Point, boxes: readonly Point[], boxHeight: number): string {
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

/** Points on a line that is one curve, or level. */
function pointsOf(d: string): Point[] {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = y0, x2 = x1, y2 = y1, x3 = x2, y3 = y2] = d.match(/-?[\d.]+/g)!.map(Number)
  return Array.from({ length: STEPS + 1 }, (_, n) => {
    const t = n / STEPS
    const at = (p: number, q: number, r: number, s: number) =>
      (1 - t) ** 3 * p + 3 * (1 - t) ** 2 * t * q + 3 * (1 - t) * t ** 2 * r + t ** 3 * s
    return { x: at(x0, x1, x2, x3), y: at(y0, y1, y2, y3) }
  })
}

/** Whether a line from point to point is at most so far within a box. */
function isFree(points: readonly Point[], { boxes, boxHeight }: Boxes, within: number): boolean {
  return boxes.every(({ x, y }) =>
    points.every((one, n) => {
      const next = points[n + 1] ?? one
      return (
        Math.max(one.x, next.x) <= x + within ||
        Math.min(one.x, next.x) >= x + BOX_WIDTH - within ||
        Math.max(one.y, next.y) <= y + within ||
        Math.min(one.y, next.y) >= y + boxHeight - within
      )
    }),
  )
}

interface Boxes {
  boxes: readonly Point[]
  boxHeight: number
}

/** The shortest line of level and upright pieces through the gaps between boxes; undefined where there is none. */
function wayAround([a, b]: readonly [Point, Point], aside: number, { boxes, boxHeight }: Boxes): string | undefined {
  const gaps = new Set(boxes.flatMap(({ x }) => [x - aside, x + BOX_WIDTH + aside]))
  const ends = [a, b].map((box) => [
    { y: box.y, channel: box.y - aside },
    { y: box.y + boxHeight, channel: box.y + boxHeight + aside },
  ])
  const [x, toX] = [middleOf(a) + BESIDE + aside, middleOf(b) + BESIDE + aside]
  const ways = ends[0]!.flatMap((start) =>
    ends[1]!.flatMap((end) =>
      [...gaps, x, toX].map((gap) => [
        { x, y: start.y },
        { x, y: start.channel },
        { x: gap, y: start.channel },
        { x: gap, y: end.channel },
        { x: toX, y: end.channel },
        { x: toX, y: end.y },
      ]),
    ),
  )
  const shortest = ways
    .map((way) => ({ way, length: lengthOf(way) }))
    .toSorted((one, other) => one.length - other.length)
    .slice(0, MOST_WAYS)
  const found = shortest.find(
    ({ way }) => isFree(way, { boxes, boxHeight }, 0) && isFree(way.slice(1, -1), { boxes, boxHeight }, -CLEAR),
  )
  return found && lineOf(found.way)
}

const lengthOf = (way: readonly Point[]) =>
  way.reduce((sum, { x, y }, n) => sum + (n ? Math.abs(x - way[n - 1]!.x) + Math.abs(y - way[n - 1]!.y) : 0), 0)

function lineOf([start, ...others]: readonly Point[]): string {
  let { x, y } = start!
  let d = `M${x} ${y}`
  for (const next of others) {
    if (next.x !== x) d += `H${next.x}`
    if (next.y !== y) d += `V${next.y}`
    ;({ x, y } = next)
  }
  return d
}

const middleOf = ({ x }: Point) => x + BOX_WIDTH / 2
