// Bounds of helpers, over random trees: a chain never may more than any that is above it.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { bothBounds, type GrantBounds, hasKind, thingKinds, writeKinds } from './bounds.ts'
import { boundsOfChain, MAX_DEPTH, storedWriter, writerIn } from './hand-on.ts'

const SEED = { seed: 226, numRuns: 2_000 }

const count = fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined })
const kinds = fc.option(fc.subarray([...thingKinds]), { nil: undefined })
const until = fc.option(
  fc.integer({ min: 0, max: 10 }).map((day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString()),
  { nil: undefined },
)
const bounds = fc.option(
  fc.record({ calls: count, writes: count, bytes: count, kinds, ask: kinds, until }) as fc.Arbitrary<GrantBounds>,
  { nil: undefined },
)

interface Node {
  bounds: GrantBounds | undefined
  below: Node[]
}

const treeOf = (depth: number): fc.Arbitrary<Node> =>
  fc.record({ bounds, below: depth > 1 ? fc.array(treeOf(depth - 1), { maxLength: 2 }) : fc.constant([]) })
/** Deeper than a chain can be. */
const tree = treeOf(MAX_DEPTH + 2)

/** Every node of a tree, as the chain that leads to it; the grant is the first. */
const chainsIn = ({ bounds: own, below }: Node, above: Node['bounds'][] = []): Node['bounds'][][] => [
  [...above, own],
  ...(above.length < MAX_DEPTH ? below.flatMap((node) => chainsIn(node, [...above, own])) : []),
]

const least = (one: number | string | undefined, other: number | string | undefined) =>
  other === undefined || (one !== undefined && one <= other)

function assertWithin(inner: GrantBounds | undefined, outer: GrantBounds | undefined): void {
  for (const name of ['calls', 'writes', 'bytes', 'until'] as const) {
    assert.ok(least(inner?.[name], outer?.[name]), `${name}: ${inner?.[name]} of ${outer?.[name]}`)
  }
  const may = (of: GrantBounds | undefined, kind: (typeof writeKinds)[number]) => !of?.kinds || hasKind(of.kinds, kind)
  for (const kind of writeKinds) {
    assert.ok(!may(inner, kind) || may(outer, kind), `writes ${kind}`)
    assert.ok(!hasKind(outer?.ask ?? [], kind) || hasKind(inner?.ask ?? [], kind), `is not asked for ${kind}`)
  }
}

it('bounds of a helper never exceed those of any that is above it, in any tree', () => {
  let deepest = 0
  const within = fc.property(tree, (root) => {
    for (const [grant, ...chain] of chainsIn(root)) {
      const own = boundsOfChain(
        grant,
        chain.map((one) => ({ bounds: one })),
      )
      deepest = Math.max(deepest, chain.length)
      for (const above of [grant, ...chain]) assertWithin(own, above)
      assertWithin(own, bothBounds(own, own))
    }
  })
  fc.assert(within, SEED)
  assert.equal(deepest, MAX_DEPTH, 'some tree is as deep as can be')
})

it('the chain of a writer is kept as it is, whatever its names are', () => {
  const name = fc.option(
    fc.string({ minLength: 1 }).filter((text) => !text.includes('\n')),
    { nil: null },
  )
  const same = fc.property(fc.webUrl(), fc.array(name, { maxLength: MAX_DEPTH }), (clientId, names) => {
    const helpers = names.map((one) => ({ id: '', name: one }))
    assert.deepEqual(writerIn(storedWriter(clientId, { helpers })), { clientId, helpers })
  })
  fc.assert(same, SEED)
})
