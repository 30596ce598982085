// The tree against the test vectors of Certificate Transparency, and its proofs against the verifiers of RFC 9162.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { appended, consistencySpans, inclusionSpans, joinedHash, type Span, subtreesOf } from '../src/log.ts'
import { isConsistent, isIncluded, leafHash, nodeHash, toHex, utf8 } from '../src/main.ts'

/** The leaves and roots of certificate-transparency's reference tree (RFC 6962). */
const LEAVES = ['', '\x00', '\x10', '\x20\x21', '\x30\x31', '@ABC', 'PQRSTUVW', '`abcdefghijklmno']
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

const leaves = (count: number) =>
  Array.from({ length: count }, (_, index) => leafHash(utf8(LEAVES[index] ?? `leaf ${index}`)))

/** The hash of a span by the definition (RFC 9162, 2.1.1), without the arithmetic that it checks. */
function defined(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length <= 1) return joinedHash(hashes)
  let split = 1
  while (split * 2 < hashes.length) split *= 2
  return nodeHash(defined(hashes.slice(0, split)), defined(hashes.slice(split)))
}

const ours = (hashes: readonly Uint8Array[], span: Span) =>
  joinedHash(
    subtreesOf(span).map(({ height, number }) =>
      defined(hashes.slice(number * 2 ** height, (number + 1) * 2 ** height)),
    ),
  )

/** A hash that differs in one bit. */
const changed = (hash: Uint8Array) => hash.with(7, hash[7]! ^ 1)

/** Every proof that differs from this one in one place. */
const wrongProofs = (proof: readonly Uint8Array[]) => [
  ...proof.map((hash, at) => proof.with(at, changed(hash))),
  ...proof.map((_, at) => proof.toSpliced(at, 1)),
  [...proof, new Uint8Array(32)],
]

describe('a tree', () => {
  it('has the roots of the reference tree', () => {
    const roots = ROOTS.map((_, size) => toHex(ours(leaves(size), { from: 0, to: size })))
    assert.deepEqual(roots, ROOTS)
  })

  it('has the same roots when its leaves are appended one by one', () => {
    let subtrees: Uint8Array[] = []
    const roots = [toHex(joinedHash(subtrees))]
    for (const [index, leaf] of leaves(LEAVES.length).entries()) {
      subtrees = appended(subtrees, { leaf, index })
      roots.push(toHex(joinedHash(subtrees)))
    }
    assert.deepEqual(roots, ROOTS)
  })

  it('proves each leaf of each tree up to 40 leaves, and nothing else', () => {
    for (let size = 1; size <= 40; size++) {
      const hashes = leaves(size)
      const root = defined(hashes)
      for (const [index, leaf] of hashes.entries()) {
        const proof = inclusionSpans(index, size).map((span) => ours(hashes, span))
        const where = `${index} of ${size}`
        assert.ok(isIncluded(leaf, proof, { index, size, root }), where)
        assert.equal(isIncluded(changed(leaf), proof, { index, size, root }), false, where)
        assert.equal(isIncluded(leaf, proof, { index, size, root: changed(root) }), false, where)
        assert.equal(isIncluded(leaf, proof, { index: index + 1, size, root }), false, where)
        for (const wrong of wrongProofs(proof)) assert.equal(isIncluded(leaf, wrong, { index, size, root }), false)
      }
    }
  })

  it('proves that each tree is the beginning of each larger one, and of no other', () => {
    for (let size = 2; size <= 40; size++) {
      const hashes = leaves(size)
      const head = { size, root: defined(hashes) }
      for (let old = 1; old < size; old++) {
        const before = { size: old, root: defined(hashes.slice(0, old)) }
        const proof = consistencySpans(old, size).map((span) => ours(hashes, span))
        const where = `${old} of ${size}`
        assert.ok(isConsistent(proof, before, head), where)
        assert.equal(isConsistent(proof, { ...before, root: changed(before.root) }, head), false, where)
        assert.equal(isConsistent(proof, before, { ...head, root: changed(head.root) }), false, where)
        assert.equal(isConsistent(proof, head, before), false, where)
        for (const wrong of wrongProofs(proof)) assert.equal(isConsistent(wrong, before, head), false, where)
      }
    }
  })

  it('needs no proof that a tree is itself or begins with nothing', () => {
    assert.deepEqual([consistencySpans(5, 5), consistencySpans(0, 5), inclusionSpans(0, 1)], [[], [], []])
    const [five, nothing] = [5, 0].map((size) => ({ size, root: defined(leaves(size)) }))
    assert.deepEqual([isConsistent([], five!, five!), isConsistent([], nothing!, five!)], [true, true])
    assert.equal(isConsistent([], five!, { size: 5, root: changed(five!.root) }), false)
    assert.equal(isConsistent([five!.root], nothing!, five!), false)
  })

  it('is not proved by hashes of another length', () => {
    const [a, b] = leaves(2) as [Uint8Array, Uint8Array]
    const root = nodeHash(a, b)
    assert.ok(isIncluded(a, [b], { index: 0, size: 2, root }))
    for (const wrong of [b.subarray(1), Uint8Array.of(...b, 0), new Uint8Array()])
      assert.equal(isIncluded(a, [wrong], { index: 0, size: 2, root }), false)
  })

  it('has no leaf outside of it', () => {
    const leaf = new Uint8Array(32)
    for (const index of [-1, 1, 0.5, Number.NaN])
      assert.equal(isIncluded(leaf, [], { index, size: 1, root: leaf }), false)
  })
})
