// How a Merkle tree grows and is proved (RFC 9162, 2.1), as arithmetic: which subtrees a root or a proof needs, and how they are joined. Where
// their hashes come from is the caller's affair (tiles.ts).
import { nodeHash } from './merkle.ts'
import { sha256 } from './platform.ts'

/** The root of a tree without leaves. */
export const EMPTY_ROOT = sha256()

/** Leaves from `from` to before `to`. */
export interface Span {
  from: number
  to: number
}

/** A complete subtree: of 2 ** height leaves, `number` of its size are left of it. */
export interface Subtree {
  height: number
  number: number
}

/** The largest power of two below `size`. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** Complete subtrees that a span consists of, left to right. The span begins at a multiple of the next power of two of its length. */
export function subtreesOf({ from, to }: Span): Subtree[] {
  const found: Subtree[] = []
  for (let at = from; at < to; ) {
    let height = 0
    while (at % 2 ** (height + 1) === 0 && at + 2 ** (height + 1) <= to) height++
    found.push({ height, number: at / 2 ** height })
    at += 2 ** height
  }
  return found
}

/** The hash of a span of which these are the complete subtrees, left to right. */
export function joinedHash(hashes: readonly Uint8Array[]): Uint8Array {
  const last = hashes.at(-1)
  if (!last) return EMPTY_ROOT
  let right = last
  for (const left of hashes.slice(0, -1).reverse()) right = nodeHash(left, right)
  return right
}

/** The spans whose hashes prove that the leaf `index` is in a tree of `size` leaves, lowest first (RFC 9162, 2.1.3.1). */
export function inclusionSpans(index: number, size: number): Span[] {
  const spans: Span[] = []
  let [from, to] = [0, size]
  while (to - from > 1) {
    const middle = from + splitOf(to - from)
    spans.push(index < middle ? { from: middle, to } : { from, to: middle })
    if (index < middle) to = middle
    else from = middle
  }
  return spans.reverse()
}

/** The spans whose hashes prove that a tree of `old` leaves is the beginning of one of `size` (RFC 9162, 2.1.4.1). */
export function consistencySpans(old: number, size: number): Span[] {
  if (old === 0 || old === size) return []
  const spans: Span[] = []
  let [from, to] = [0, size]
  let isWhole = true
  while (to !== old) {
    const middle = from + splitOf(to - from)
    if (old <= middle) {
      spans.push({ from: middle, to })
      to = middle
    } else {
      spans.push({ from, to: middle })
      from = middle
      isWhole = false
    }
  }
  if (!isWhole) spans.push({ from, to })
  return spans.reverse()
}

/** The complete subtrees of a tree with one more leaf, largest first; `index` leaves are before it. */
export function appended(
  subtrees: readonly Uint8Array[],
  { leaf, index }: { leaf: Uint8Array; index: number },
): Uint8Array[] {
  const left = [...subtrees]
  let hash = leaf
  for (let at = index; at % 2 === 1; at = (at - 1) / 2) hash = nodeHash(left.pop() ?? hash, hash)
  return [...left, hash]
}
