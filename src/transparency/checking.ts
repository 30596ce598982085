// `npm run admin -- verify`: the log against itself. Every leaf is hashed again, and must make the tiles, the checkpoints and the head.
import { leafHash, parseNote, toBase64, toHex, utf8 } from '@guildhall/verifiable'
import { appended, emptyTile, extended, joinedHash, rootWithin, TILE_WIDTH } from '@guildhall/verifiable/log'
import type { Db } from '../database/schema.ts'
import * as queries from './queries.ts'

export interface LogCheck {
  /** Leaves that are right, from the first. */
  leaves: number
  /** The first problem, in a sentence. */
  broken: string | undefined
}

/** Recomputes the tree. The server may run: what comes after the head that was read first is not looked at. */
export async function checkLog(db: Db): Promise<LogCheck> {
  const head = await queries.findHead(db)
  if (!head) return { leaves: 0, broken: 'The record of the head of the log is missing' }
  let subtrees: Uint8Array[] = []
  let leaves = 0
  let upper: Uint8Array[] = []
  const stop = (broken: string): LogCheck => ({ leaves, broken })
  while (leaves < head.size) {
    const limit = Math.min(TILE_WIDTH, head.size - leaves)
    const number = leaves / TILE_WIDTH
    const entries = await queries.listEntries(db, { from: leaves, limit })
    const hashes: Uint8Array[] = []
    for (const { position, text, hash } of entries) {
      if (position !== leaves) return stop(`Leaf ${leaves} of the log is missing`)
      const expected = leafHash(utf8(text))
      if (hash !== toHex(expected)) return stop(`Leaf ${leaves} of the log was changed`)
      hashes.push(expected)
      subtrees = appended(subtrees, { leaf: expected, index: leaves })
      leaves++
      const note = (await queries.findCheckpoint(db, leaves))?.note
      const root = note && parseNote(note)?.text.split('\n')[2]
      if (root !== undefined && root !== toBase64(joinedHash(subtrees)))
        return stop(`The checkpoint of ${leaves} leaves is not that of the log: the log was written again`)
    }
    if (hashes.length < limit) return stop(`Leaf ${leaves} of the log is missing`)
    const wrong = await compareTile(db, { level: 0, number }, hashes)
    if (wrong) return stop(wrong)
    if (limit === TILE_WIDTH) upper.push(rootOf(hashes))
  }
  for (let level = 1; upper.length > 0; level++) {
    const next: Uint8Array[] = []
    for (let number = 0; number * TILE_WIDTH < upper.length; number++) {
      const hashes = upper.slice(number * TILE_WIDTH, (number + 1) * TILE_WIDTH)
      const wrong = await compareTile(db, { level, number }, hashes)
      if (wrong) return stop(wrong)
      if (hashes.length === TILE_WIDTH) next.push(rootOf(hashes))
    }
    upper = next
  }
  if (toHex(joinedHash(subtrees)) !== head.root) return stop('The head of the log is not that of its leaves')
  return { leaves, broken: undefined }
}

/** A tile may have more than these by now. */
async function compareTile(db: Db, name: { level: number; number: number }, hashes: readonly Uint8Array[]) {
  const stored = await queries.findTile(db, name)
  const expected = extended(emptyTile(name), hashes)
  const isRight = stored?.hashes.startsWith(expected.hashes) && stored.middle.startsWith(expected.middle)
  return isRight ? undefined : `Tile ${name.level}/${name.number} of the log is not that of its leaves`
}

const rootOf = (hashes: readonly Uint8Array[]) =>
  rootWithin(extended(emptyTile({ level: 0, number: 0 }), hashes), 0, TILE_WIDTH)
