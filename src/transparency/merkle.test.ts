// The tree of the log against the test vectors of Certificate Transparency, and proofs against the verifiers of RFC 9162.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { consistencySpans, inclusionSpans, joinedHash, leafHash, nodeHash, type Span, subtreesOf } from './merkle.ts'

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
  Array.from({ length: count }, (_, index) => leafHash(LEAVES[index] ?? `leaf ${index}`))

/** The hash of a span by the definition (RFC 9162, 2.1.1), without any arithmetic of ours. */
function defined(hashes: readonly Buffer[]): Buffer {
  if (hashes.length <= 1) return joinedHash(hashes)
  let split = 1
  while (split * 2 < hashes.length) split *= 2
  return nodeHash(defined(hashes.slice(0, split)), defined(hashes.slice(split)))
}

const ours = (hashes: readonly Buffer[], span: Span) =>
  joinedHash(
    subtreesOf(span).map(({ height, number }) =>
      defined(hashes.slice(number * 2 ** height, (number + 1) * 2 ** height)),
    ),
  )

/** RFC 9162, 2.1.3.2. */
function rootByInclusion(leaf: Buffer, proof: readonly Buffer[], { index, size }: { index: number; size: number }) {
  let [fn, sn, root] = [index, size - 1, leaf]
  for (const hash of proof) {
    assert.notEqual(sn, 0)
    if (fn % 2 === 1 || fn === sn) {
      root = nodeHash(hash, root)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)]
    } else root = nodeHash(root, hash)
    ;[fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  }
  assert.equal(sn, 0)
  return root
}

/** RFC 9162, 2.1.4.2. */
function rootsByConsistency(first: Buffer, proof: readonly Buffer[], { old, size }: { old: number; size: number }) {
  const path = Number.isInteger(Math.log2(old)) ? [first, ...proof] : [...proof]
  let [fn, sn] = [old - 1, size - 1]
  while (fn % 2 === 1) [fn, sn] = [(fn - 1) / 2, Math.floor(sn / 2)]
  let [fr, sr] = [path[0]!, path[0]!]
  for (const hash of path.slice(1)) {
    assert.notEqual(sn, 0)
    if (fn % 2 === 1 || fn === sn) {
      fr = nodeHash(hash, fr)
      sr = nodeHash(hash, sr)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)]
    } else sr = nodeHash(sr, hash)
    ;[fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  }
  assert.equal(sn, 0)
  return [fr, sr]
}

describe('the tree of the log', () => {
  it('has the roots of the reference tree', () => {
    const roots = ROOTS.map((_, size) => ours(leaves(size), { from: 0, to: size }).toString('hex'))
    assert.deepEqual(roots, ROOTS)
  })

  it('proves each leaf of each tree up to 40 leaves', () => {
    for (let size = 1; size <= 40; size++) {
      const hashes = leaves(size)
      for (const [index, leaf] of hashes.entries()) {
        const proof = inclusionSpans(index, size).map((span) => ours(hashes, span))
        assert.deepEqual(rootByInclusion(leaf, proof, { index, size }), defined(hashes), `${index} of ${size}`)
      }
    }
  })

  it('proves that each tree is the beginning of each larger one', () => {
    for (let size = 2; size <= 40; size++) {
      const hashes = leaves(size)
      for (let old = 1; old < size; old++) {
        const before = defined(hashes.slice(0, old))
        const proof = consistencySpans(old, size).map((span) => ours(hashes, span))
        assert.deepEqual(
          rootsByConsistency(before, proof, { old, size }),
          [before, defined(hashes)],
          `${old} of ${size}`,
        )
      }
    }
  })

  it('needs no proof that a tree is itself or begins with nothing', () => {
    assert.deepEqual([consistencySpans(5, 5), consistencySpans(0, 5), inclusionSpans(0, 1)], [[], [], []])
  })
})
