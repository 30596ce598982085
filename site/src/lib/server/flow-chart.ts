// The graph of a workflow as a drawing and as a list, both as plain data: a component draws them, and readers need no script.
import { type FlowLayout, layOutFlow } from './flow-layout.ts'

export interface Flow {
  nodes: readonly { name: string; type: string; disabled: boolean }[]
  links: readonly { from: number; to: number; label: string | null }[]
  left_out: { nodes: number; links: number }
}

export interface FlowNode {
  name: string
  type: string
  disabled: boolean
  x: number
  y: number
  /** What follows, with the way out of the node where that has a name. */
  next: string[]
  nextMore: number
}

export interface FlowChart {
  width: number
  height: number
  viewBox: string
  nodes: FlowNode[]
  links: { d: string; label: { text: string; x: number; y: number } | undefined }[]
  leftOut: { nodes: number; links: number }
}

export const MAX_DRAWN_NODES = 100
export const MAX_DRAWN_LINKS = 200
const MAX_NEXT = 12
const MARGIN = 20

/** Draws a workflow; what is too much is counted. */
export function flowChart({ nodes: all, links: allLinks, left_out: leftOut }: Flow): FlowChart {
  const nodes = all.slice(0, MAX_DRAWN_NODES)
  const links = allLinks.filter(({ from, to }) => from !== to && from < nodes.length && to < nodes.length)
  // Several ways from one node to another are one line.
  const lines = [...Map.groupBy(links, ({ from, to }) => `${from} ${to}`).values()]
  const drawn = lines.slice(0, MAX_DRAWN_LINKS).flatMap((ways) => {
    const [first] = ways
    return first ? { ...first, label: ways.flatMap(({ label }) => label ?? []).join(', ') || null } : []
  })
  const layout = layOutFlow(nodes.length, drawn)
  const [width, height] = [layout.width + 2 * MARGIN, layout.height + 2 * MARGIN]
  const after = Map.groupBy(links, ({ from }) => from)
  const title = (at: number) => nodes[at]?.name || nodes[at]?.type || ''
  return {
    ...{ width, height, viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}` },
    nodes: nodes.map(({ name, type, disabled }, at) => {
      const next = (after.get(at) ?? []).map(({ to, label }) => (label ? `${label}: ${title(to)}` : title(to)))
      return {
        ...{ name: name || type, type: name ? type : '', disabled },
        ...{ x: layout.boxes[at]?.x ?? 0, y: layout.boxes[at]?.y ?? 0 },
        ...{ next: next.slice(0, MAX_NEXT), nextMore: Math.max(0, next.length - MAX_NEXT) },
      }
    }),
    links: drawn.map(({ label }, at) => ({ d: layout.paths[at] ?? '', label: labelAt(layout, at, label) })),
    leftOut: {
      nodes: leftOut.nodes + all.length - nodes.length,
      links: leftOut.links + allLinks.length - links.length + lines.length - drawn.length,
    },
  }
}

/** Just below the box that the link comes from, or above it where it leads back. */
function labelAt({ paths }: FlowLayout, at: number, text: string | null) {
  const [, x, y, rest = ''] = /^M(\S+) (\S+?)([VC].*)$/.exec(paths[at] ?? '') ?? []
  if (!text || x === undefined || y === undefined) return undefined
  const [, endX = x, endY = y] = /^C\S+ \S+ \S+ \S+ (\S+) ([-\d.]+)/.exec(rest) ?? []
  return { text, x: Math.round((Number(x) * 2 + Number(endX)) / 3), y: Math.round((Number(y) + Number(endY)) / 2) + 2 }
}
