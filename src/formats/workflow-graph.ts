// The graph of a workflow export (formats.md section 3): its nodes in the order of the file, and the connections between nodes that are
// there. Names come from members: they are cut, and shown as text alone.
import { readFile } from 'node:fs/promises'
import { objectIn } from '../runtime/json.ts'
import { cut } from './text.ts'

/** More nodes or links are counted and left out. */
export const MAX_GRAPH_NODES = 300
export const MAX_GRAPH_LINKS = 600
const MAX_NAME = 100
const MAX_LABEL = 24
const SPACES = /[\s\p{Cc}]+/gu

export interface GraphNode {
  /** At most 100 characters; '' where the file names none. */
  name: string
  type: string
  disabled: boolean
}

/** `from` and `to` are places in `nodes`. */
export interface GraphLink {
  from: number
  to: number
  /** The way out of the node, where it has more than the usual one. */
  label: string | null
}

export interface WorkflowGraph {
  nodes: GraphNode[]
  links: GraphLink[]
  left_out: { nodes: number; links: number }
}

type Fields = Record<string, unknown>

/** The graph of a workflow that was accepted; a file that is no JSON object has an empty one. */
export async function readWorkflowGraph(path: string): Promise<WorkflowGraph> {
  const { nodes, connections } = objectIn(await readFile(path, 'utf8')) ?? {}
  return graphOf(fieldsIn(nodes), fieldsIn(connections))
}

function graphOf(all: readonly Fields[], connections: readonly Fields[]): WorkflowGraph {
  const places = new Map<unknown, number>()
  // Of nodes with the same id the first counts.
  for (const [place, { id }] of all.entries()) if (typeof id === 'string' && !places.has(id)) places.set(id, place)
  const links = new Map<string, GraphLink>()
  for (const { source, target, source_handle: handle } of connections) {
    const [from, to] = [places.get(source), places.get(target)]
    if (from === undefined || to === undefined || from === to) continue
    const label = labelOf(handle)
    links.set(`${from} ${to} ${label}`, { from, to, label })
  }
  const drawn = [...links.values()].filter(({ from, to }) => Math.max(from, to) < MAX_GRAPH_NODES)
  const kept = drawn.slice(0, MAX_GRAPH_LINKS)
  return {
    nodes: all.slice(0, MAX_GRAPH_NODES).map(({ name, type, disabled }) => ({
      name: textOf(name, MAX_NAME),
      type: textOf(type, MAX_NAME),
      disabled: disabled === true,
    })),
    links: kept,
    left_out: { nodes: Math.max(0, all.length - MAX_GRAPH_NODES), links: links.size - kept.length },
  }
}

const fieldsIn = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter((one): one is Fields => typeof one === 'object' && one !== null) : []

const textOf = (value: unknown, most: number): string =>
  typeof value === 'string' ? cut(value.toWellFormed().replace(SPACES, ' ').trim(), most) : ''

/** `main` is what exporters call the only way out. */
function labelOf(handle: unknown): string | null {
  const label = textOf(handle, MAX_LABEL)
  return label === '' || label === 'main' ? null : label
}
