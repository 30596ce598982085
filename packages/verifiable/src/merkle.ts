// A Merkle tree (RFC 9162, 2.1): its hashes, and whether a proof holds.
import { isSame } from './bytes.ts'
import { sha256 } from './platform.ts'

export const HASH_BYTES = 32

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

export const leafHash = (leaf: Uint8Array): Uint8Array => sha256(LEAF, leaf)

/** A node of two hashes, written again for each: proofs hash dozens. */
const node = new Uint8Array(1 + 2 * HASH_BYTES).fill(1, 0, 1)

export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  // In a proof of somebody else a hash may have any length.
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) return sha256(NODE, left, right)
  node.set(left, 1)
  node.set(right, 1 + HASH_BYTES)
  return sha256(node)
}

const half = (n: number) => Math.floor(n / 2)
const isOdd = (n: number) => n % 2 === 1

/** Whether a hash is the leaf `index` in the tree of `size` leaves with this root (RFC 9162, 2.1.3.2). */
export function isIncluded(
  leaf: Uint8Array,
  hashes: readonly Uint8Array[],
  { index, size, root }: { index: number; size: number; root: Uint8Array },
): boolean {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false
  let [fn, sn, hash] = [index, size - 1, leaf]
  for (const next of hashes) {
    if (sn === 0) return false
    if (isOdd(fn) || fn === sn) {
      hash = nodeHash(next, hash)
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)]
    } else hash = nodeHash(hash, next)
    ;[fn, sn] = [half(fn), half(sn)]
  }
  return sn === 0 && isSame(hash, root)
}

export interface TreeHead {
  size: number
  root: Uint8Array
}

/** Whether the tree `old` is the beginning of the tree `head` (RFC 9162, 2.1.4.2). */
export function isConsistent(hashes: readonly Uint8Array[], old: TreeHead, head: TreeHead): boolean {
  if (old.size > head.size) return false
  if (old.size === head.size) return hashes.length === 0 && isSame(old.root, head.root)
  if (old.size === 0) return hashes.length === 0
  const path = Number.isInteger(Math.log2(old.size)) ? [old.root, ...hashes] : [...hashes]
  const [first, ...rest] = path
  if (!first) return false
  let [fn, sn] = [old.size - 1, head.size - 1]
  while (isOdd(fn)) [fn, sn] = [half(fn), half(sn)]
  let [fr, sr] = [first, first]
  for (const next of rest) {
    if (sn === 0) return false
    if (isOdd(fn) || fn === sn) {
      ;[fr, sr] = [nodeHash(next, fr), nodeHash(next, sr)]
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)]
    } else sr = nodeHash(sr, next)
    ;[fn, sn] = [half(fn), half(sn)]
  }
  return sn === 0 && isSame(fr, old.root) && isSame(sr, head.root)
}
