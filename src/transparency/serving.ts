// What of the log is served as it is: the checkpoint with the signatures of witnesses, tiles and bundles of entries.
import { checkpointText, isNoteSigned, type Note, type NoteKey, parseNote, vkeyOf } from '@guildhall/verifiable'
import {
  bundleBytes,
  consistencySpans,
  EMPTY_ROOT,
  hasTile,
  inclusionSpans,
  joinedHash,
  placeOf,
  readTilePath,
  rootWithin,
  type Span,
  subtreesOf,
  TILE_WIDTH,
  type Tile,
  tileBytes,
} from '@guildhall/verifiable/log'
import { type NoteSigner, signNote } from '@guildhall/verifiable/signing'
import type { Config } from '../config/config.ts'
import type { Db, Transaction } from '../database/schema.ts'
import type { SecretFor } from '../runtime/hash.ts'
import { openLogKey, originOf } from './key.ts'
import * as queries from './queries.ts'
import { findTile } from './queries.ts'

// Proofs out of the tiles: that a leaf is in a tree, and that one tree is the beginning of another.

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

export interface LogDependencies {
  db: Db
  config: Config
  secretFor: SecretFor
}

/** What signs for the log, also statements. */
export async function openLogSigner({ db, config, secretFor }: LogDependencies): Promise<NoteSigner> {
  const head = await queries.findHead(db)
  return openLogKey(config, { secretFor, origin: head?.origin ?? originOf(config) })
}

/** The key of the log, as keys of notes are written: `name+id+key`. */
export async function logKeyOf(serving: LogDependencies): Promise<string> {
  const head = await queries.findHead(serving.db)
  return head?.key ?? vkeyOf(await openLogSigner(serving))
}

const sizeOf = async (db: Db) => (await queries.findHead(db))?.size ?? 0

/** A checkpoint: the newest, or that of a size; undefined where none was signed. */
export async function checkpointOf(serving: LogDependencies, asked?: number): Promise<string | undefined> {
  const { db } = serving
  const size = asked ?? (await sizeOf(db))
  const found = await queries.findCheckpoint(db, size)
  if (found) return found.note + (await queries.listCosignatures(db, size)).map(({ line }) => line).join('')
  if (size > 0) return undefined
  const signer = await openLogSigner(serving)
  return signNote(checkpointText({ origin: signer.name, size, root: EMPTY_ROOT }), signer)
}

/** The log, as operations read it. */
export function readLog(serving: LogDependencies) {
  const { db } = serving
  return {
    key: () => logKeyOf(serving),
    size: () => sizeOf(db),
    checkpoint: (size: number) => checkpointOf(serving, size),
    entries: (from: number, limit: number) => queries.listEntries(db, { from, limit }),
    inclusion: (index: number, size: number) => proveInclusion(db, { index, size }),
    consistency: (old: number, size: number) => proveConsistency(db, { old, size }),
    /** The size of the newest checkpoint that a witness signed, if it has this leaf; otherwise of the newest. */
    async sizeFor(index: number): Promise<number> {
      const witnessed = await queries.findWitnessedSize(db)
      return witnessed !== undefined && witnessed > index ? witnessed : sizeOf(db)
    },
    cosign: (given: NewCosignature) => addCosignature(serving, given),
  }
}

interface NewCosignature {
  size: number
  line: string
  now: string
  /** Counts it, in the transaction that stores it. */
  count(db: Transaction): Promise<void>
}

/** Adds the line of a known witness to a checkpoint, and gives the note with it. */
async function addCosignature(
  serving: LogDependencies,
  { size, line, now, count }: NewCosignature,
): Promise<{ note: string } | 'unknown checkpoint' | 'not a cosignature'> {
  const { db, config } = serving
  const found = await queries.findCheckpoint(db, size)
  const text = found && parseNote(found.note)?.text
  if (text === undefined) return 'unknown checkpoint'
  const signed = parseNote(`${text}\n${line}`)
  const witness = signed?.signatures.length === 1 ? await findSigner(signed, config.witnessKeys) : undefined
  if (!witness) return 'not a cosignature'
  await db.transaction().execute(async (transaction) => {
    await count(transaction)
    await queries.upsertCosignature(transaction, { size, witness: witness.name, line, at: now })
  })
  return { note: (await checkpointOf(serving, size)) ?? found?.note ?? '' }
}

async function findSigner(note: Note, keys: readonly NoteKey[]): Promise<NoteKey | undefined> {
  for (const key of keys) if (await isNoteSigned(note, key)) return key
  return undefined
}

/** The bytes of a tile or a bundle, by what follows `tile/` in its path; undefined where the tree has none. */
export async function tileOf(db: Db, path: string): Promise<Uint8Array | undefined> {
  const asked = readTilePath(path)
  const head = asked && (await queries.findHead(db))
  if (!asked || !head || !hasTile(head.size, asked)) return undefined
  const { level, number, width } = asked
  if (level === 'entries') {
    const entries = await queries.listEntries(db, { from: number * TILE_WIDTH, limit: width })
    return bundleBytes(entries.map(({ text }) => text))
  }
  const tile = await queries.findTile(db, { level, number })
  return tile && tileBytes(tile, width)
}
