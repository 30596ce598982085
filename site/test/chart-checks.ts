// What must be true of every chart.
import assert from 'node:assert/strict'
import type { ChartBranch, OrgChart } from '#lib/server/org-chart.ts'
import { BOX, type Point } from '#lib/server/org-layout.ts'

/** All in a list, those of a nested list after what they are in. */
export const flat = (tree: ChartBranch[]): ChartBranch[] => tree.flatMap((one) => [one, ...flat(one.children)])
export const depthOf = (tree: ChartBranch[]): number =>
  tree.length ? 1 + Math.max(...tree.map((one) => depthOf(one.children))) : 0

/** Throws unless all of an org is on its chart and in its list, and nothing lies on something else. */
export function assertReadable(chart: OrgChart): void {
  const rows = Map.groupBy(chart.nodes, ({ y }) => y)
  const tops = [...rows.keys()].toSorted((a, b) => a - b)
  for (const row of rows.values()) {
    const sorted = row.toSorted((a, b) => a.x - b.x)
    for (const [n, box] of sorted.entries())
      if (n) assert.ok(box.x >= sorted[n - 1]!.x + BOX.width + 8, 'boxes in a row overlap')
  }
  // Boxes that are lower on the page but not below each other: only those of rows that are nearer than a box is high.
  for (const [n, top] of tops.entries()) {
    for (const lower of tops.slice(n + 1)) {
      if (lower >= top + BOX.height) break
      for (const a of rows.get(top)!) for (const b of rows.get(lower)!) assert.ok(apart(a, b), 'boxes overlap')
    }
  }
  for (const { x, y } of chart.nodes) {
    const isInside = x >= 0 && y >= 0 && x + BOX.width <= chart.width - 48 && y + BOX.height <= chart.height - 48
    assert.ok(isInside, 'a box is outside')
  }
  assert.deepEqual(
    new Set(flat(chart.tree).map(({ anchor }) => anchor)),
    new Set(chart.nodes.map(({ anchor }) => anchor)),
  )
  assert.equal(new Set(chart.nodes.map(({ anchor }) => anchor)).size, chart.nodes.length)
  for (const d of [...chart.lines, ...chart.talks.map(({ d }) => d)]) assert.match(d, /^M[-\d. MVHC]+$/)
}

const apart = (a: Point, b: Point) => a.x + BOX.width <= b.x || b.x + BOX.width <= a.x

type Piece = [from: Point, to: Point]

/** Throws where a line of command goes through a box. All its pieces are upright or level. */
export function assertNoneCrossed({ lines, nodes }: OrgChart): void {
  const pieces = lines.flatMap(piecesOf)
  const overlaps = (a: number, b: number, from: number, size: number) =>
    Math.max(a, b) > from && Math.min(a, b) < from + size
  for (const { x, y } of nodes) {
    const crossed = pieces.some(([a, b]) => overlaps(a.x, b.x, x, BOX.width) && overlaps(a.y, b.y, y, BOX.height))
    assert.ok(!crossed, 'a line goes through a box')
  }
}

function piecesOf(d: string): Piece[] {
  const pieces: Piece[] = []
  let pen = { x: 0, y: 0 }
  for (const [, command, first = '', second = ''] of d.matchAll(/([MVH])(-?[\d.]+)(?: (-?[\d.]+))?/g)) {
    const value = Number(first)
    const to = command === 'M' ? { x: value, y: Number(second) } : { ...pen, [command === 'V' ? 'y' : 'x']: value }
    if (command !== 'M') pieces.push([pen, to])
    pen = to
  }
  return pieces
}
