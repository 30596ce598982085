// Where the boxes of a workflow's graph are: layers from top to bottom, after Sugiyama, Tagawa and Toda (1981). Links that lead back
// are turned around, every node is below all it comes from, long links bend around boxes, and neighbours stand near each other. The
// work is bounded by the number of nodes and links, and no box overlaps another. (For 100 nodes and 200 links it takes some 5 ms.)
export const BOX = { width: 232, height: 46 }
const DROP = 32
const GAP = 24
/** The room of a link that passes a layer. */
const LANE = 20
/** A longer link goes straight. */
const MAX_BENDS = 20
const SWEEPS = 6

export interface Edge {
  from: number
  to: number
}

/** A box, or the place where a link passes a layer. */
interface Place {
  layer: number
  /** Of its middle. */
  x: number
  width: number
  above: Place[]
  below: Place[]
}

export interface Point {
  x: number
  y: number
}

export interface FlowLayout {
  /** The top left corners of the boxes, in the order of the nodes. */
  boxes: Point[]
  /** From the box of `from` to that of `to`, in the order of the links. */
  paths: string[]
  width: number
  height: number
}

/** Lays out `count` nodes; links are between different ones. */
export function layOutFlow(count: number, links: readonly Edge[]): FlowLayout {
  const downward = withoutCycles(count, links)
  const layerOf = layersOf(count, downward)
  const boxes = layerOf.map((layer): Place => ({ layer, x: 0, width: BOX.width, above: [], below: [] }))
  const all = [...boxes]
  const chains = downward.map(({ from, to }) => {
    const bends = chainOf(boxes[from] as Place, boxes[to] as Place)
    all.push(...bends.slice(1, -1))
    return bends
  })
  const layers = [...Map.groupBy(all, ({ layer }) => layer)].toSorted(([a], [b]) => a - b).map(([, places]) => places)
  untangle(layers)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const places of layers) settle(places, sweep % 2 === 0 ? 'above' : 'below')
    layers.reverse()
  }
  const left = Math.min(...all.map(({ x, width }) => x - width / 2))
  const right = Math.max(...all.map(({ x, width }) => x + width / 2))
  for (const place of all) place.x = Math.round(place.x - left)
  return {
    boxes: boxes.map(({ x, layer }) => ({ x: x - BOX.width / 2, y: topOf(layer) })),
    paths: chains.map((chain, at) => pathOf(chain, downward[at] !== links[at])),
    width: Math.ceil(right - left),
    height: topOf(layers.length - 1) + BOX.height,
  }
}

const topOf = (layer: number) => layer * (BOX.height + DROP)

/** The links, those that close a circle turned around. */
function withoutCycles(count: number, links: readonly Edge[]): Edge[] {
  const after = Map.groupBy(links, ({ from }) => from)
  const state = new Uint8Array(count)
  const turned = new Set<Edge>()
  const [NEW, OPEN, DONE] = [0, 1, 2]
  for (let start = 0; start < count; start++) {
    const path: { node: number; next: number }[] = state[start] === NEW ? [{ node: start, next: 0 }] : []
    for (let at = path.at(-1); at; at = path.at(-1)) {
      state[at.node] = OPEN
      const link = after.get(at.node)?.[at.next++]
      if (!link) {
        state[at.node] = DONE
        path.pop()
      } else if (state[link.to] === OPEN) turned.add(link)
      else if (state[link.to] === NEW) path.push({ node: link.to, next: 0 })
    }
  }
  return links.map((link) => (turned.has(link) ? { from: link.to, to: link.from } : link))
}

/** The layer of each node: one below the lowest of those it comes from. */
function layersOf(count: number, links: readonly Edge[]): number[] {
  const layers = Array.from({ length: count }, () => 0)
  const waiting = Array.from({ length: count }, () => 0)
  for (const { to } of links) waiting[to] = (waiting[to] ?? 0) + 1
  const after = Map.groupBy(links, ({ from }) => from)
  const ready = [...waiting.keys()].filter((node) => waiting[node] === 0)
  for (const node of ready) {
    for (const { to } of after.get(node) ?? []) {
      layers[to] = Math.max(layers[to] ?? 0, (layers[node] ?? 0) + 1)
      waiting[to] = (waiting[to] ?? 0) - 1
      if (waiting[to] === 0) ready.push(to)
    }
  }
  return layers
}

/** The places that a link goes through, the boxes at its ends included. */
function chainOf(from: Place, to: Place): Place[] {
  const bends = to.layer - from.layer - 1
  const chain = [from]
  for (let bend = 1; bend <= bends && bends <= MAX_BENDS; bend++) {
    chain.push({ layer: from.layer + bend, x: 0, width: LANE, above: [], below: [] })
  }
  chain.push(to)
  for (const [at, place] of chain.entries()) {
    const next = chain[at + 1]
    if (next) place.below.push(next)
    if (next) next.above.push(place)
  }
  return chain
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

/** Orders each layer by the middle of the neighbours, again and again from both sides (the barycenter heuristic). */
function untangle(layers: Place[][]): void {
  const at = new Map<Place, number>()
  const note = (places: Place[]) => {
    for (const [place, one] of places.entries()) at.set(one, place)
  }
  for (const places of layers) note(places)
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const side = sweep % 2 === 0 ? 'above' : 'below'
    for (const places of layers) {
      const wanted = new Map(
        places.map((one) => [one, one[side].length ? mean(one[side].map((other) => at.get(other) ?? 0)) : at.get(one)]),
      )
      places.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0))
      note(places)
    }
    layers.reverse()
  }
}

/** Moves a layer as near below its neighbours as its order allows: the least squares with the distances kept (pool adjacent violators). */
function settle(places: readonly Place[], side: 'above' | 'below'): void {
  let offset = 0
  const blocks: { sum: number; count: number }[] = []
  const offsets = places.map((place, at) => {
    const before = places[at - 1]
    if (before) offset += before.width / 2 + GAP + place.width / 2
    const near = place[side].length ? place[side] : place[side === 'above' ? 'below' : 'above']
    let block = { sum: (near.length ? mean(near.map(({ x }) => x)) : place.x) - offset, count: 1 }
    for (let last = blocks.at(-1); last && last.sum / last.count > block.sum / block.count; last = blocks.at(-1)) {
      block = { sum: last.sum + block.sum, count: last.count + block.count }
      blocks.pop()
    }
    blocks.push(block)
    return offset
  })
  const settled = blocks.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count))
  for (const [at, place] of places.entries()) place.x = (settled[at] ?? 0) + (offsets[at] ?? 0)
}

/** A curve from the bottom of the first to the top of the last, upright where it passes a layer. */
function pathOf(chain: readonly Place[], isTurned: boolean): string {
  const points = chain.flatMap(({ x, layer }, at): Point[] => [
    ...(at > 0 ? [{ x, y: topOf(layer) }] : []),
    ...(at < chain.length - 1 ? [{ x, y: topOf(layer) + BOX.height }] : []),
  ])
  if (isTurned) points.reverse()
  return points
    .map(({ x, y }, at) => {
      const before = points[at - 1]
      if (!before) return `M${x} ${y}`
      if (before.x === x) return `V${y}`
      const middle = (before.y + y) / 2
      return `C${before.x} ${middle} ${x} ${middle} ${x} ${y}`
    })
    .join('')
}
