// `npm run admin -- verify`: the log against itself. Every leaf is hashed again, and must make the tiles, the checkpoints and the head.
import type { Db } from '../database/schema.ts'
import { parseNote } from '../runtime/signed-note.ts'
import { joinedHash, leafHash, nodeHash } from './merkle.ts'
import * as queries from './queries.ts'
import { emptyTile, extended, rootWithin, TILE_WIDTH } from './tiles.ts'

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
  let subtrees: Buffer[] = []
  let leaves = 0
  let upper: Buffer[] = []
  const stop = (broken: string): LogCheck => ({ leaves, broken })
  while (leaves < head.size) {
    const limit = Math.min(TILE_WIDTH, head.size - leaves)
    const number = leaves / TILE_WIDTH
    const entries = await queries.listEntries(db, { from: leaves, limit })
    const hashes: Buffer[] = []
    for (const { position, text, hash } of entries) {
      if (position !== leaves) return stop(`Leaf ${leaves} of the log is missing`)
      const expected = leafHash(text)
      if (hash !== expected.toString('hex')) return stop(`Leaf ${leaves} of the log was changed`)
      hashes.push(expected)
      subtrees = appended(subtrees, expected, leaves)
      leaves++
      const note = (await queries.findCheckpoint(db, leaves))?.note
      const root = note && parseNote(note)?.text.split('\n')[2]
      if (root !== undefined && root !== joinedHash(subtrees).toString('base64'))
        return stop(`The checkpoint of ${leaves} leaves is not that of the log: the log was written again`)
    }
    if (hashes.length < limit) return stop(`Leaf ${leaves} of the log is missing`)
    const wrong = await compareTile(db, { level: 0, number }, hashes)
    if (wrong) return stop(wrong)
    if (limit === TILE_WIDTH) upper.push(rootOf(hashes))
  }
  for (let level = 1; upper.length > 0; level++) {
    const next: Buffer[] = []
    for (let number = 0; number * TILE_WIDTH < upper.length; number++) {
      const hashes = upper.slice(number * TILE_WIDTH, (number + 1) * TILE_WIDTH)
      const wrong = await compareTile(db, { level, number }, hashes)
      if (wrong) return stop(wrong)
      if (hashes.length === TILE_WIDTH) next.push(rootOf(hashes))
    }
    upper = next
  }
  if (joinedHash(subtrees).toString('hex') !== head.root) return stop('The head of the log is not that of its leaves')
  return { leaves, broken: undefined }
}

/** A tile may have more than these by now. */
async function compareTile(db: Db, name: { level: number; number: number }, hashes: readonly Buffer[]) {
  const stored = await queries.findTile(db, name)
  const expected = extended(emptyTile(name), hashes)
  const isRight = stored?.hashes.startsWith(expected.hashes) && stored.middle.startsWith(expected.middle)
  return isRight ? undefined : `Tile ${name.level}/${name.number} of the log is not that of its leaves`
}

const rootOf = (hashes: readonly Buffer[]) =>
  rootWithin(extended(emptyTile({ level: 0, number: 0 }), hashes), 0, TILE_WIDTH)

/** The complete subtrees with one more leaf, largest first. */
function appended(subtrees: readonly Buffer[], leaf: Buffer, index: number): Buffer[] {
  const left = [...subtrees]
  let hash = leaf
  for (let at = index; at % 2 === 1; at = (at - 1) / 2) hash = nodeHash(left.pop() ?? hash, hash)
  return [...left, hash]
}
