// Proofs out of the tiles: that a leaf is in a tree, and that one tree is the beginning of another.
import {
  consistencySpans,
  inclusionSpans,
  joinedHash,
  placeOf,
  rootWithin,
  type Span,
  subtreesOf,
  type Tile,
} from '@guildhall/verifiable/log'
import type { Db } from '../database/schema.ts'
import { findTile } from './queries.ts'

/** Hashes that prove that the leaf `index` is in the tree of `size` leaves, lowest first (RFC 9162, 2.1.3). */
export const proveInclusion = (db: Db, { index, size }: { index: number; size: number }): Promise<Uint8Array[]> =>
  hashesOf(db, inclusionSpans(index, size))

/** Hashes that prove that the tree of `old` leaves is the beginning of that of `size` (RFC 9162, 2.1.4). */
export const proveConsistency = (db: Db, { old, size }: { old: number; size: number }): Promise<Uint8Array[]> =>
  hashesOf(db, consistencySpans(old, size))

/** The root of the tree as it was with `size` leaves. */
export async function rootAt(db: Db, size: number): Promise<Uint8Array> {
  const [root] = await hashesOf(db, [{ from: 0, to: size }])
  return root ?? joinedHash([])
}

/** Each tile is read once. */
async function hashesOf(db: Db, spans: readonly Span[]): Promise<Uint8Array[]> {
  const tiles = new Map<string, Tile>()
  const hashes: Uint8Array[] = []
  for (const span of spans) {
    const parts: Uint8Array[] = []
    for (const subtree of subtreesOf(span)) {
      const { from, count, ...name } = placeOf(subtree)
      const key = `${name.level}/${name.number}`
      const tile = tiles.get(key) ?? (await findTile(db, name))
      if (!tile) throw new Error(`tile ${key} of the log is missing`)
      tiles.set(key, tile)
      parts.push(rootWithin(tile, from, count))
    }
    hashes.push(joinedHash(parts))
  }
  return hashes
}
