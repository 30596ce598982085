// Gives entries of the log their places. A write only adds an entry, which no other write waits for; afterwards one process at a time,
// which holds the row of the head, appends what is committed to the tree, and signs the new head in the same transaction. So places have
// one order, no gaps, and none is used twice; a checkpoint that is signed by a transaction that fails is never seen.
import { checkpointText, leafHash, toHex, utf8, vkeyOf } from '@guildhall/verifiable'
import {
  edgeOf,
  emptyTile,
  extended,
  hashesOfLevel,
  rootOfEdge,
  rootWithin,
  TILE_WIDTH,
  type Tile,
  widthOf,
} from '@guildhall/verifiable/log'
import { type NoteSigner, signNote } from '@guildhall/verifiable/signing'
import type { Config } from '../config/config.ts'
import { waitForLocks } from '../database/prepared.ts'
import type { Db, LogHeadTable, Transaction } from '../database/schema.ts'
import type { SecretFor } from '../runtime/hash.ts'
import type { Log } from '../runtime/log.ts'
import { required } from '../runtime/untyped.ts'
import { openLogKey, originOf } from './key.ts'
import * as queries from './queries.ts'
import { leafOf } from './transparency.ts'

/** Entries a transaction. */
export const AT_ONCE = 1_000
const MAX_WAIT_MILLISECONDS = 500

export interface SequencingDependencies {
  db: Db
  config: Config
  secretFor: SecretFor
  log: Log
  now: () => string
}

/** Whether an entry has no place yet. */
export const isWaiting = async (db: Db): Promise<boolean> => (await queries.listWaiting(db, 1)).length > 0

/**
 * Appends committed entries to the tree, `AT_ONCE` at most, and gives how many it placed. Another process may be doing it: then none.
 */
export async function sequenceBatch(sequencing: SequencingDependencies): Promise<number> {
  const { db, config, secretFor } = sequencing
  if (!(await isWaiting(db))) return 0
  // The name of a log never changes, so that it can be read before the lock.
  const origin = (await queries.findHead(db))?.origin ?? originOf(config)
  const signer = await openLogKey(config, { secretFor, origin })
  return db.transaction().execute((transaction) => placeSome(transaction, signer, sequencing))
}

async function placeSome(db: Transaction, signer: NoteSigner, { log, now }: SequencingDependencies): Promise<number> {
  await waitForLocks(db, { atMostMilliseconds: MAX_WAIT_MILLISECONDS })
  const head = await queries.takeHead(db)
  if (!head || (head.origin !== null && head.origin !== signer.name)) return 0
  const key = vkeyOf(signer)
  if (head.key !== null && head.key !== key) {
    reportOtherKey(log, { expected: head.key, key })
    return 0
  }
  const waiting = await queries.listWaiting(db, AT_ONCE)
  if (waiting.length === 0) return 0
  const at = now()
  const leaves = waiting.map(({ text }) => leafOf(text, at))
  const hashes = leaves.map((leaf) => leafHash(utf8(leaf)))
  const placed = waiting.map(({ id }, index) => ({
    ...{ id, position: head.size + index },
    ...{ text: required(leaves[index]), hash: toHex(required(hashes[index])) },
  }))
  await queries.placeEntries(db, placed, at)
  const root = await append(db, head, hashes)
  const size = head.size + leaves.length
  const note = signNote(checkpointText({ origin: signer.name, size, root }), signer)
  await queries.insertCheckpoint(db, { size, note, at })
  await queries.updateHead(db, { size, root: toHex(root), origin: signer.name, key })
  return leaves.length
}

let hasComplained = false

/** Once a process: it is tried again every second. */
function reportOtherKey(log: Log, keys: { expected: string; key: string }): void {
  if (!hasComplained) log.error(keys, 'the log is not continued: another key has signed it; set LOG_KEY to that key')
  hasComplained = true
}

/** Appends leaves to the tiles, level by level, and gives the root of the tree that results. */
async function append(
  db: Transaction,
  { size }: Pick<LogHeadTable, 'size'>,
  leaves: readonly Uint8Array[],
): Promise<Uint8Array> {
  const changed = new Map<string, Tile>()
  const nameOf = ({ level, number }: Pick<Tile, 'level' | 'number'>) => `${level}/${number}`
  let added = leaves
  for (let level = 0; added.length > 0; level++) {
    let at = hashesOfLevel(size, level)
    const roots: Uint8Array[] = []
    for (let next = 0; next < added.length; ) {
      const name = { level, number: Math.floor(at / TILE_WIDTH) }
      const before = at % TILE_WIDTH === 0 ? emptyTile(name) : await getTile(db, name)
      const some = added.slice(next, next + TILE_WIDTH - widthOf(before))
      const tile = extended(before, some)
      await queries.upsertTile(db, tile)
      changed.set(nameOf(tile), tile)
      if (widthOf(tile) === TILE_WIDTH) roots.push(rootWithin(tile, 0, TILE_WIDTH))
      next += some.length
      at += some.length
    }
    added = roots
  }
  const edge: Tile[] = []
  for (const name of edgeOf(size + leaves.length)) edge.push(changed.get(nameOf(name)) ?? (await getTile(db, name)))
  return rootOfEdge(edge)
}

async function getTile(db: Transaction, name: Pick<Tile, 'level' | 'number'>): Promise<Tile> {
  const tile = await queries.findTile(db, name)
  if (!tile) throw new Error(`tile ${name.level}/${name.number} of the log is missing`)
  return tile
}
