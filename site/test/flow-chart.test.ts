// The graph of a workflow: what must be true of every drawing.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Flow, type FlowChart, flowChart, MAX_DRAWN_LINKS, MAX_DRAWN_NODES } from '#lib/server/flow-chart.ts'
import { BOX } from '#lib/server/flow-layout.ts'

const flowOf = (
  count: number,
  pairs: readonly (readonly [number, number])[],
  left_out = { nodes: 0, links: 0 },
): Flow => ({
  nodes: Array.from({ length: count }, (_, n) => ({ name: `Node ${n}`, type: 'x', disabled: false })),
  links: pairs.map(([from, to]) => ({ from, to, label: null })),
  left_out,
})

function assertReadable({ nodes, links, width, height }: FlowChart): void {
  for (const [n, a] of nodes.entries()) {
    assert.ok(a.x >= 0 && a.y >= 0 && a.x + BOX.width <= width && a.y + BOX.height <= height, 'a box is outside')
    for (const b of nodes.slice(n + 1)) {
      const apart = a.y !== b.y || Math.abs(a.x - b.x) >= BOX.width
      assert.ok(apart, 'boxes overlap')
    }
  }
  for (const { d } of links) assert.match(d, /^M[-\d. MVC]+$/)
}

describe('the graph of a workflow', () => {
  it('leads from top to bottom, and lists what follows', () => {
    const chart = flowChart(
      flowOf(4, [
        [0, 1],
        [1, 2],
        [0, 3],
        [2, 3],
      ]),
    )
    assertReadable(chart)
    const [first, second, third, last] = chart.nodes.map(({ y }) => y)
    assert.ok(first! < second! && second! < third! && third! < last!)
    assert.deepEqual(chart.nodes[0]?.next, ['Node 1', 'Node 3'])
  })

  it('of a chain is one column, straight down', () => {
    const chart = flowChart(
      flowOf(5, [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 4],
      ]),
    )
    assert.equal(new Set(chart.nodes.map(({ x }) => x)).size, 1)
    for (const { d } of chart.links) assert.match(d, /^M\d+ \d+V\d+$/)
  })

  it('is drawn for any nodes and links, circles too', () => {
    const pair = fc.tuple(fc.nat(29), fc.nat(29))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.array(pair, { maxLength: 60 }), (count, pairs) => {
        assertReadable(flowChart(flowOf(count, pairs)))
      }),
      { numRuns: 300 },
    )
  })

  it('is bounded, and counts what is left out', () => {
    const pairs = Array.from({ length: 600 }, (_, n): [number, number] => [n % 99, 100 - (n % 7)])
    const chart = flowChart(flowOf(300, [...pairs, [0, 299]], { nodes: 5, links: 7 }))
    assertReadable(chart)
    assert.equal(chart.nodes.length, MAX_DRAWN_NODES)
    assert.ok(chart.links.length <= MAX_DRAWN_LINKS)
    assert.equal(chart.leftOut.nodes, 205)
    assert.ok(chart.leftOut.links >= 8)
  })

  it('names the ways out of a node, several on one line', () => {
    const flow = flowOf(3, [])
    const links = [
      { from: 0, to: 1, label: 'true' },
      { from: 0, to: 1, label: 'maybe' },
      { from: 0, to: 2, label: 'false' },
    ]
    const chart = flowChart({ ...flow, links })
    assert.deepEqual(
      chart.links.map(({ label }) => label?.text),
      ['true, maybe', 'false'],
    )
    assert.deepEqual(chart.nodes[0]?.next, ['true: Node 1', 'maybe: Node 1', 'false: Node 2'])
  })
})
