// The tables of the log of what is public in the library.
import type { Generated } from 'kysely'

/** What the log says, in the order in which it was written; never changed and never removed. */
export interface LogEntryTable {
  id: Generated<number>
  /** Its index in the tree, from 0; null until it has one. */
  position: number | null
  type: 'publish' | 'yank' | 'unyank' | 'withdraw' | 'restore' | 'official' | 'unofficial' | 'delete' | 'rename'
  itemId: string
  version: string | null
  /** When it got its place, as the leaf says. */
  at: string | null
  /** The leaf, one line of JSON; before it has a place, its facts. */
  text: string
  /** Of the leaf, in hex. */
  hash: string | null
}

/** Hashes of the tree, 256 of a level in a row, or less at its right edge. */
export interface LogTileTable {
  level: number
  number: number
  /** In hex, one after the other. */
  hashes: string
  /** The roots of every sixteen of them that are complete. */
  middle: string
}

/** One row: the tree as it is, and who signs it. */
export interface LogHeadTable {
  id: Generated<number>
  size: number
  /** In hex. */
  root: string
  /** The name of the log; null before the first checkpoint. */
  origin: string | null
  /** The public key of the log, as keys of notes are written. */
  key: string | null
}

/** Every checkpoint that was signed. */
export interface LogCheckpointTable {
  size: number
  note: string
  at: string
}

/** What a witness signed of a checkpoint, as a line of the note. */
export interface LogCosignatureTable {
  size: number
  witness: string
  line: string
  at: string
}

export interface TransparencyDatabase {
  logEntry: LogEntryTable
  logTile: LogTileTable
  logHead: LogHeadTable
  logCheckpoint: LogCheckpointTable
  logCosignature: LogCosignatureTable
}
